/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files from the tests of other readers, sound and unsound, in reader/accept and reader/hostile of the folder
 * that SPRY_MATRICES names. What is done with the unsound ones, and why, is in docs/matrix-market.md.
 */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"

/* A file of reader/hostile: number of entries read, or the message behind the file's name. */
struct decision {
    const char *name;
    int64_t entries;
    const char *message;
};

#define NO_BANNER "expected the banner \"%%MatrixMarket matrix …\""

static const struct decision decisions[] = {
    {"1138_bus_ndemeyembosco", 0,
     ":14:1: got \"!1138\", expected the number of rows, an integer from 0 to 2^63 - 1"},
    {"block_2000", 0, ":54:5: got \"0\", expected a column from 1 to 2000"},
    {"cholmod_fullcrud1", 0, ":1:1: got \"2\", " NO_BANNER},
    {"cluster", 0, ":3:3: got \"0\", expected a column from 1 to 800"},
    {"clusterHiera", 0, ":3:3: got \"0\", expected a column from 1 to 1600"},
    {"fmm_invalid_invalid_bad_banner", 0, ":1:1: got \"%%__BadBanner\", " NO_BANNER},
    {"fmm_invalid_invalid_bad_banner_2", 0, ":1:1: got \"%%Matrix\", " NO_BANNER},
    {"fmm_invalid_invalid_bad_object", 0, ":1:16: got \"___\", expected \"matrix\""},
    {"fmm_invalid_invalid_bad_symmetry", 0,
     ":1:39: got \"___\", expected \"general\", \"symmetric\", \"skew-symmetric\" or \"hermitian\""},
    {"fmm_invalid_invalid_bad_value_4", 0, ":1:16: got \"vector\", expected \"matrix\""},
    {"fmm_invalid_invalid_dimensions_out_of_range_1", 0,
     ":3:1: got \"-3\", expected the number of rows, an integer from 0 to 2^63 - 1"},
    {"fmm_invalid_invalid_dimensions_out_of_range_3", 0,
     ":3:5: got \"-3\", expected the number of entries, an integer from 0 to 2^63 - 1"},
    {"fmm_invalid_invalid_indices_out_of_range_2", 0, ":6:3: got \"2000\", expected a column from 1 to 7"},
    {"fmm_invalid_invalid_indices_out_of_range_4", 0, ":6:3: got \"0\", expected a column from 1 to 7"},
    {"fmm_invalid_invalid_matrix_coord_too_long", 0,
     ":7:1: got \"3\", expected the end of the file after 3 entries"},
    {"fmm_invalid_invalid_symmetry_vector", 0, ":1:16: got \"vector\", expected \"matrix\""},
    {"fmm_invalid_invalid_truncated_line_1", 0, ":5:4: got the end of the file, expected a real number"},
    {"fmm_invalid_invalid_truncated_lines", 0, ":4:6: got the end of the file, expected entry 3 of 12"},
    {"fmm_invalid_invalid_vector_coord_too_long", 0, ":1:16: got \"vector\", expected \"matrix\""},
    {"fmm_invalid_invalid_vector_index_out_of_range_1", 0, ":1:16: got \"vector\", expected \"matrix\""},
    {"fmm_invalid_invalid_vector_index_out_of_range_2", 0, ":1:16: got \"vector\", expected \"matrix\""},
    {"fmm_invalid_invalid_vector_negative_length", 0, ":1:16: got \"vector\", expected \"matrix\""},
    {"fmm_misc_windows_newlines", 0,
     ":1:47: got \"%3-by-3\", expected a line feed behind the carriage return"},
    {"fmm_overflow_overflow_index_gt_int64", 0,
     ":6:1: got \"19223372036854775808\", expected a row from 1 to 1000"},
    {"fmm_overflow_overflow_value_gt_float64", 1, NULL},
    {"fmm_overflow_overflow_value_gt_int64", 3, NULL},
    {"fmm_permissive_permissive_banner_leading_spaces_eye3", 3, NULL},
    {"fmm_permissive_permissive_banner_one_percent_eye3", 0, ":1:1: got \"%MatrixMarket\", " NO_BANNER},
    {"fmm_scipy_crashes_dim_over_32_bit", 3, NULL},
    {"fmm_vector_coordinate_complex", 0, ":1:16: got \"vector\", expected \"matrix\""},
    {"fmm_vector_coordinate_complex_dupes", 0, ":1:16: got \"vector\", expected \"matrix\""},
    {"lagraph_full_noheader", 0, ":1:1: got \"3\", " NO_BANNER},
    {"lagraph_mangled10", 0, ":7:1: got the end of the file, expected entry 3 of 3"},
    {"lagraph_mangled11", 0, ":5:3: got \"zero\", expected a column from 1 to 4"},
    {"lagraph_mangled12", 0, ":5:4: got the end of the line, expected a real number"},
    {"lagraph_mangled13", 0, ":7:3: got \"9999\", expected a column from 1 to 4"},
    {"lagraph_mangled14", 3, NULL},
    {"lagraph_mangled3", 0,
     ":1:34: got \"mangled\", expected \"real\", \"integer\", \"pattern\" or \"complex\""},
    {"lagraph_mangled4", 0,
     ":1:39: got \"mangled\", expected \"general\", \"symmetric\", \"skew-symmetric\" or \"hermitian\""},
    {"lagraph_mangled5", 0,
     ":1:42: got \"hermitian\", expected another symmetry, since \"hermitian\" is for complex values"},
    {"lagraph_mangled6", 0,
     ":1:39: got \"hermitian\", expected another symmetry, since \"hermitian\" is for complex values"},
    {"lagraph_mangled8", 0,
     ":4:2: got the end of the line, expected the number of columns, an integer from 0 to 2^63 - 1"},
    {"lagraph_mangled_int16", 12, NULL},
    {"lagraph_mangled_int32", 12, NULL},
    {"lagraph_mangled_skew", 20, NULL},
    {"lagraph_mangled_uint16", 12, NULL},
    {"lagraph_mangled_uint32", 12, NULL},
    {"lagraph_mangled_uint8", 12, NULL},
    {"mesh3e1", 0, ":3:3: got \"0\", expected a column from 1 to 289"},
    {"netrepo_nobanner_inf-USAir97", 0, ":1:1: got the end of the line, " NO_BANNER},
    {"netrepo_nobanner_soc-brightkite", 0, ":1:1: got the end of the line, " NO_BANNER},
    {"sierpinski3d", 0, ":3:3: got \"0\", expected a column from 1 to 2050"},
};
#define DECISIONS (sizeof decisions / sizeof *decisions)

/* A folder below SPRY_MATRICES; the test is skipped without it. */
static DIR *open_folder(const char *name, char *path, size_t size) {
    const char *root = getenv("SPRY_MATRICES");
    snprintf(path, size, "%s/%s", root ? root : "../shared/matrices", name);
    DIR *folder = opendir(path);
    if (!folder)
        cr_skip_test("no folder %s", path);
    return folder;
}

static const struct decision *find_decision(const char *name, size_t length) {
    for (size_t i = 0; i < DECISIONS; i++)
        if (strlen(decisions[i].name) == length && strncmp(decisions[i].name, name, length) == 0)
            return &decisions[i];
    return NULL;
}

/* The name without ".mtx"; zero for other files. */
static size_t stem(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".mtx") == 0 ? length - 4 : 0;
}

static void check_hostile(spry_context *context, const char *path, const struct decision *decision) {
    spry_matrix *matrix;
    spry_status status = spry_read(context, path, NULL, &matrix, NULL);
    const char *message = spry_message(context);
    if (decision->message)
        cr_expect(status == SPRY_ERROR_SYNTAX && strcmp(message + strlen(path), decision->message) == 0,
                  "status %d: %s", status, message);
    else
        cr_expect(status == SPRY_OK && spry_matrix_nnz(matrix) == decision->entries, "%s", message);
    spry_matrix_destroy(matrix);
}

Test(read_shared, hostile) {
    char path[2000];
    DIR *folder = open_folder("reader/hostile", path, sizeof path);
    spry_context *context = test_context(2);
    size_t root = strlen(path), files = 0;
    for (struct dirent *file; (file = readdir(folder));) {
        size_t length = stem(file->d_name);
        if (!length)
            continue;
        const struct decision *decision = find_decision(file->d_name, length);
        cr_expect(decision, "nothing is decided about %s", file->d_name);
        snprintf(path + root, sizeof path - root, "/%s", file->d_name);
        if (decision)
            check_hostile(context, path, decision);
        files++;
    }
    cr_expect_eq(files, DECISIONS);
    closedir(folder);
    spry_context_destroy(context);
}

Test(read_shared, accept) {
    char path[2000];
    DIR *folder = open_folder("reader/accept", path, sizeof path);
    spry_context *context = test_context(2);
    size_t root = strlen(path), files = 0;
    for (struct dirent *file; (file = readdir(folder));) {
        if (!stem(file->d_name))
            continue;
        spry_read_options options = {.size = sizeof options, .real_part = 1};
        spry_matrix *matrix;
        snprintf(path + root, sizeof path - root, "/%s", file->d_name);
        cr_expect_eq(spry_read(context, path, &options, &matrix, NULL), SPRY_OK, "%s", spry_message(context));
        cr_expect(matrix && spry_validate(context, matrix, 0) == SPRY_OK);
        spry_matrix_destroy(matrix);
        files++;
    }
    cr_expect_gt(files, 0);
    closedir(folder);
    spry_context_destroy(context);
}
