/* SPDX-License-Identifier: BSD-3-Clause */
/* The first byte of the input says how the rest becomes a file: as it is, compressed, as the member of a tar archive, or
   such an archive compressed. With 1 and 3 threads the same comes out, and what was packed here gives what its text
   gives. */
#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"

#define MOST_TEXT 4096
#define MOST_FILE (MOST_TEXT + 8192)

enum packing { AS_IT_IS, COMPRESSED, ARCHIVED, ARCHIVED_COMPRESSED, PACKINGS };

static size_t compress_gzip(const void *from, size_t size, uint8_t *to) {
    z_stream stream = {
        .next_in = (Bytef *)from, .avail_in = (uInt)size, .next_out = to, .avail_out = MOST_FILE};
    MUST(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
    MUST(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib");
    size_t used = stream.total_out;
    deflateEnd(&stream);
    return used;
}

static size_t put_in_archive(const void *text, size_t size, uint8_t *to) {
    size_t used = 0;
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    MUST(archive && entry, "libarchive");
    archive_write_set_format_ustar(archive);
    archive_write_set_bytes_in_last_block(archive, 1);
    archive_entry_set_pathname(entry, "m/m.mtx");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)size);
    MUST(archive_write_open_memory(archive, to, MOST_FILE, &used) == ARCHIVE_OK &&
             archive_write_header(archive, entry) == ARCHIVE_OK &&
             archive_write_data(archive, text, size) == (la_ssize_t)size &&
             archive_write_close(archive) == ARCHIVE_OK,
         "libarchive: %s", archive_error_string(archive));
    archive_entry_free(entry);
    archive_write_free(archive);
    return used;
}

static const struct memory_file *pack(enum packing packing, const uint8_t *text, size_t size) {
    static uint8_t archived[MOST_FILE], compressed[MOST_FILE];
    const uint8_t *content = text;
    if (packing == ARCHIVED || packing == ARCHIVED_COMPRESSED) {
        size = put_in_archive(content, size, archived);
        content = archived;
    }
    if (packing == COMPRESSED || packing == ARCHIVED_COMPRESSED) {
        size = compress_gzip(content, size, compressed);
        content = compressed;
    }
    return memory_file(1, content, size);
}

/* What reading ended with; matrices are compared by what they hold. */
static void same_as(spry_context *context, spry_status status, const spry_matrix *matrix,
                    spry_status other_status, const spry_matrix *other) {
    MUST(status == other_status, "%s and %s", spry_status_string(status), spry_status_string(other_status));
    MUST((status == SPRY_OK) == (matrix != NULL), "%s", spry_status_string(status));
    if (status)
        return;
    const spry_coo *a = spry_matrix_coo(matrix), *b = spry_matrix_coo(other);
    size_t nnz = (size_t)spry_matrix_nnz(matrix), index = spry_index_size(spry_matrix_index(matrix));
    MUST(!spry_validate(context, matrix, 0), "%s", spry_message(context));
    MUST(spry_matrix_rows(matrix) == spry_matrix_rows(other) &&
             spry_matrix_cols(matrix) == spry_matrix_cols(other) && spry_matrix_nnz(other) == (int64_t)nnz &&
             memcmp(a->row, b->row, nnz * index) == 0 && memcmp(a->col, b->col, nnz * index) == 0 &&
             memcmp(a->val, b->val, nnz * sizeof(double)) == 0,
         "another matrix");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    spry_context *alone = fuzz_context(1), *team = fuzz_context(3);
    if (!size || size > MOST_TEXT)
        return -1;
    enum packing packing = (enum packing)(data[0] % PACKINGS);
    static const spry_read_options options = {.size = sizeof options, .real_part = 1};
    const struct memory_file *file = pack(packing, data + 1, size - 1);
    spry_matrix *one, *three, *text;
    spry_status status = spry_read(alone, file->path, &options, &one, NULL);
    spry_status shared = spry_read(team, file->path, &options, &three, NULL);
    same_as(alone, shared, three, status, one);
    if (packing == ARCHIVED) {
        spry_status plain =
            spry_read_memory(alone, "t", (const char *)data + 1, size - 1, &options, &text, NULL);
        same_as(alone, status, one, plain, text);
        spry_matrix_destroy(text);
    }
    spry_matrix_destroy(one);
    spry_matrix_destroy(three);
    return 0;
}
