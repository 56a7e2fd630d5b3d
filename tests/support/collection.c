/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "build.h"
#include "collection.h"
#include "common/generate.h"

/* Entries of a matrix up to which a device takes it in brief. */
#define BRIEF 50000

static int is_matrix(const struct dirent *entry) {
    return strstr(entry->d_name, ".mtx") != NULL;
}

bool collection_open(struct collection *collection, const char *const *generated, int generated_count) {
    const char *matrices = getenv("SPRY_MATRICES");
    *collection = (struct collection){.generated = generated};
    snprintf(collection->folder, sizeof collection->folder, "%s/real",
             matrices ? matrices : "../shared/matrices");
    collection->file_count = scandir(collection->folder, &collection->files, is_matrix, alphasort);
    if (collection->file_count <= 0) {
        printf("no matrices in %s\n", collection->folder);
        collection->file_count = 0;
    }
    collection->count = generated_count + collection->file_count;
    return collection->count > 0;
}

void collection_close(struct collection *collection) {
    for (int f = 0; f < collection->file_count; f++)
        free(collection->files[f]);
    free(collection->files);
}

bool collection_takes(int64_t nnz) {
    return nnz <= BRIEF || !test_is_brief() || test_backend() == SPRY_CPU;
}

/* Number of the file that matrix i comes from; negative for one that is generated. */
static int file_of(const struct collection *collection, int i) {
    return i - (collection->count - collection->file_count);
}

const char *collection_name(const struct collection *collection, int i) {
    int file = file_of(collection, i);
    return file < 0 ? collection->generated[i] : collection->files[file]->d_name;
}

static spry_status read_coo(const struct collection *collection, int i, spry_context *cpu,
                            spry_matrix **coo) {
    static const spry_read_options options = {.size = sizeof options, .real_part = 1};
    char path[4400];
    snprintf(path, sizeof path, "%s/%s", collection->folder, collection_name(collection, i));
    return spry_read(cpu, path, &options, coo, NULL);
}

static spry_status generate_coo(const struct collection *collection, int i, spry_context *cpu,
                                spry_matrix **coo) {
    spry_matrix *csr = NULL;
    spry_status status = generate_matrix(cpu, collection_name(collection, i), SPRY_F64, &csr);
    if (!status)
        status = spry_convert(cpu, csr, SPRY_COO, NULL, coo);
    spry_matrix_destroy(csr);
    return status;
}

static struct list list_of(const spry_matrix *coo) {
    const spry_coo *arrays = spry_matrix_coo(coo);
    size_t size = spry_index_size(spry_matrix_index(coo));
    struct list list = list_new(spry_matrix_rows(coo), spry_matrix_cols(coo));
    for (int64_t k = 0; k < spry_matrix_nnz(coo); k++)
        list_add(&list, get_integer(arrays->row, size, k) - arrays->base,
                 get_integer(arrays->col, size, k) - arrays->base, get_value(arrays->val, SPRY_F64, k));
    return list;
}

spry_status collection_get(const struct collection *collection, int i, spry_context *cpu, struct list *list) {
    bool is_file = file_of(collection, i) >= 0;
    spry_matrix *coo = NULL;
    spry_status status =
        is_file ? read_coo(collection, i, cpu, &coo) : generate_coo(collection, i, cpu, &coo);
    if (status)
        return status;
    *list = list_of(coo);
    spry_matrix_destroy(coo);
    if (is_file)
        list_sort(list);
    return SPRY_OK;
}
