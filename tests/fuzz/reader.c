/* SPDX-License-Identifier: BSD-3-Clause */
/* The input is a Matrix Market text. It is read with 1 and with 3 threads, which must agree on the matrix or on the
   fault; what was read is sound, and is the same after it was written and read again. */
#include <string.h>

#include "fuzz.h"

/* Choices that go with an input, from all of its bytes: a small change makes others. */
static spry_read_options options_for(const uint8_t *data, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    hash ^= hash >> 15;
    return (spry_read_options){.size = sizeof(spry_read_options),
                               .as_f32 = hash & 1,
                               .index_set = (hash >> 1 & 3) == 0,
                               .index = (spry_index_type)(hash >> 3 & 3) % SPRY_INDEX_COUNT,
                               .real_part = (hash >> 5 & 3) != 0};
}

static void write_and_read(spry_context *context, const spry_matrix *matrix,
                           const spry_read_options *options) {
    const struct memory_file *file = memory_file(1, "", 0);
    spry_read_options again = {
        .size = sizeof again, .as_f32 = options->as_f32, .index_set = 1, .index = spry_matrix_index(matrix)};
    spry_matrix *read;
    MUST(!spry_write(context, file->path, matrix), "%s", spry_message(context));
    MUST(!spry_read(context, file->path, &again, &read, NULL), "%s", spry_message(context));
    MUST(same_entries(matrix, read), "written and read again, it is another matrix");
    spry_matrix_destroy(read);
}

/* Statuses that a text may lead to. */
static bool is_expected(spry_status status) {
    return status == SPRY_OK || status == SPRY_ERROR_SYNTAX || status == SPRY_ERROR_UNSUPPORTED ||
           status == SPRY_ERROR_OVERFLOW;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    spry_context *alone = fuzz_context(1), *team = fuzz_context(3);
    spry_read_options options = options_for(data, size);
    spry_matrix *one, *three;
    spry_status status = spry_read_memory(alone, "t", (const char *)data, size, &options, &one, NULL);
    spry_status shared = spry_read_memory(team, "t", (const char *)data, size, &options, &three, NULL);
    MUST(is_expected(status), "%s: %s", spry_status_string(status), spry_message(alone));
    MUST(status == shared, "%s (%s), but with 3 threads %s (%s)", spry_status_string(status),
         status ? spry_message(alone) : "", spry_status_string(shared), shared ? spry_message(team) : "");
    if (status) {
        MUST(!one && !three, "a failure with a matrix");
        MUST(strcmp(spry_message(alone), spry_message(team)) == 0, "%s, but with 3 threads %s",
             spry_message(alone), spry_message(team));
        return 0;
    }
    MUST(!spry_validate(alone, one, 0), "%s", spry_message(alone));
    MUST(same_entries(one, three), "3 threads give another matrix");
    write_and_read(team, one, &options);
    spry_matrix_destroy(one);
    spry_matrix_destroy(three);
    return 0;
}
