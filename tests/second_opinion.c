/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SuiteSparse's reader as a second opinion: over every real matrix both readers must give the same one, entry
 * for entry and bit for bit, but for the cases listed below. real/ in the folder that SPRY_MATRICES names
 * holds them; without it there is nothing to compare, and the program says so.
 */
#define _POSIX_C_SOURCE 200809L
#include <cholmod.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "support/build.h"

/* What meson takes for "skipped". */
#define SKIPPED 77

/* Where SuiteSparse is known to do something else, and what. */
static const struct {
    const char *file, *difference, *reason;
} known[] = {
    {"Ragusa16.mtx.gz", "(5, 3) = 2, not 1",
     "a pattern with a third column: the banner counts, SuiteSparse takes the numbers for values"},
    {"ScaleMicrogrid_Jacobian_N1000_01.mtx.gz", "no matrix",
     "a banner without a field, which is taken for real; SuiteSparse refuses it"},
};

/* The text of a file, unpacked, where SuiteSparse can read it. */
static FILE *unpack(const char *path) {
    gzFile from = gzopen(path, "rb");
    FILE *to = tmpfile();
    if (!from || !to)
        abort();
    static char block[1 << 18];
    for (int size; (size = gzread(from, block, sizeof block)) > 0;)
        if (fwrite(block, 1, (size_t)size, to) != (size_t)size)
            abort();
    gzclose(from);
    rewind(to);
    return to;
}

/* Both triangles, as CSC with sorted columns; null when SuiteSparse refuses it. No file holds an array. */
static cholmod_sparse *read_cholmod(const char *path, cholmod_common *common) {
    FILE *file = unpack(path);
    int type;
    common->prefer_binary = 1;
    cholmod_sparse *matrix = cholmod_l_read_matrix(file, 1, &type, common);
    fclose(file);
    if (matrix)
        cholmod_l_sort(matrix, common);
    return matrix;
}

static bool same_value(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* The first difference, in words; none: "". Values of a complex matrix are compared by their real parts. */
static void compare(const spry_matrix *csc, const cholmod_sparse *other, char *text, size_t size) {
    const int64_t *pointer = spry_matrix_csc(csc)->ptr, *row = spry_matrix_csc(csc)->idx;
    const double *value = spry_matrix_csc(csc)->val;
    const SuiteSparse_long *p = other->p, *i = other->i;
    const double *x = other->x;
    int step = other->xtype == CHOLMOD_COMPLEX ? 2 : 1;
    *text = '\0';
    if (spry_matrix_rows(csc) != (int64_t)other->nrow || spry_matrix_cols(csc) != (int64_t)other->ncol)
        snprintf(text, size, "%zu x %zu", other->nrow, other->ncol);
    else if (spry_matrix_nnz(csc) != p[other->ncol])
        snprintf(text, size, "%lld entries, not %lld", (long long)p[other->ncol],
                 (long long)spry_matrix_nnz(csc));
    for (size_t col = 0; !*text && col < other->ncol; col++)
        for (int64_t k = pointer[col]; !*text && k < pointer[col + 1]; k++)
            if (p[col + 1] != pointer[col + 1] || i[k] != row[k])
                snprintf(text, size, "pattern of column %zu", col + 1);
            else if (!same_value(x[k * step], value[k]))
                snprintf(text, size, "(%lld, %zu) = %.17g, not %.17g", (long long)i[k] + 1, col + 1,
                         x[k * step], value[k]);
}

/* Our own reading, as CSC; null with a message when it fails. */
static spry_matrix *read_spry(spry_context *context, const char *path) {
    spry_read_options options = {.size = sizeof options, .real_part = 1, .index_set = 1, .index = SPRY_I64};
    spry_matrix *coo, *csc = NULL;
    if (spry_read(context, path, &options, &coo, NULL) == SPRY_OK)
        spry_convert(context, coo, SPRY_CSC, NULL, &csc);
    spry_matrix_destroy(coo);
    return csc;
}

/* Whether a difference is the one that is known of this file, or there is none where none is known. */
static bool is_expected(const char *file, const char *difference) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].file, file) == 0) {
            printf("%s: %s\n", file, known[i].reason);
            return strcmp(known[i].difference, difference) == 0;
        }
    return !*difference;
}

static bool check(spry_context *context, cholmod_common *common, const char *path, const char *file) {
    char difference[200] = "no matrix";
    spry_matrix *ours = read_spry(context, path);
    cholmod_sparse *theirs = read_cholmod(path, common);
    if (ours && theirs)
        compare(ours, theirs, difference, sizeof difference);
    bool good = ours && is_expected(file, difference);
    if (!good)
        fprintf(stderr, "%s: SuiteSparse has %s. %s\n", file, difference, ours ? "" : spry_message(context));
    spry_matrix_destroy(ours);
    cholmod_l_free_sparse(&theirs, common);
    return good;
}

static bool is_matrix(const char *file) {
    return strstr(file, ".mtx") != NULL;
}

int main(void) {
    const char *root = getenv("SPRY_MATRICES");
    char path[2000];
    int start = snprintf(path, sizeof path, "%s/real/", root ? root : "../shared/matrices");
    DIR *folder = opendir(path);
    if (!folder) {
        printf("skipped: no folder %s\n", path);
        return SKIPPED;
    }
    spry_context *context = test_context(2);
    cholmod_common common;
    cholmod_l_start(&common);
    common.print = 0;
    int matrices = 0, wrong = 0;
    for (struct dirent *file; (file = readdir(folder));) {
        if (!is_matrix(file->d_name))
            continue;
        snprintf(path + start, sizeof path - (size_t)start, "%s", file->d_name);
        matrices++;
        wrong += !check(context, &common, path, file->d_name);
    }
    closedir(folder);
    cholmod_l_finish(&common);
    spry_context_destroy(context);
    printf("%d matrices read by both, %d of them not as expected\n", matrices, wrong);
    return wrong || !matrices;
}
