/* SPDX-License-Identifier: BSD-3-Clause */
/* What Matrix Market text means: the entries it gives, or the place and the words of its first fault. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/counting.h"

#define COORDINATE "%%MatrixMarket matrix coordinate "
#define ARRAY "%%MatrixMarket matrix array "

static const int thread_counts[] = {1, 2, 5};
#define THREAD_COUNTS (sizeof thread_counts / sizeof *thread_counts)

/* A text, and its matrix as describe() writes it, in either type of values, or the message that refuses it. */
struct sample {
    const char *text;
    const char *expected;
};

/* "2x3 1,1=5 2,3=0.5": size and entries, counted from 1. */
static void describe(const spry_matrix *matrix, char *text, size_t size) {
    const spry_coo *coo = spry_matrix_coo(matrix);
    size_t index = spry_index_size(spry_matrix_index(matrix));
    int used = snprintf(text, size, "%dx%d", (int)spry_matrix_rows(matrix), (int)spry_matrix_cols(matrix));
    for (int64_t k = 0; k < spry_matrix_nnz(matrix); k++)
        used += snprintf(text + used, size - (size_t)used, " %d,%d=%.17g",
                         (int)get_integer(coo->row, index, k) + 1, (int)get_integer(coo->col, index, k) + 1,
                         get_value(coo->val, spry_matrix_type(matrix), k));
}

static const struct sample accepted[] = {
    {COORDINATE "real general\n2 3 2\n2 3 0.5\n1 1 -4\n", "2x3 2,3=0.5 1,1=-4"},
    {COORDINATE "integer general\n1 1 1\n1 1 +7\n", "1x1 1,1=7"},
    {COORDINATE "pattern general\n2 2 2\n1 2\n2 1\n", "2x2 1,2=1 2,1=1"},
    {COORDINATE "complex general\n1 2 1\n1 2 3.5 -1\n", "1x2 1,2=3.5"},
    {COORDINATE "pattern general\n2 2 2\n1 2 7 \n2 1 -3.5e7\n", "2x2 1,2=1 2,1=1"},
    {COORDINATE "general\n1 1 1\n1 1 2.5\n", "1x1 1,1=2.5"},
    {COORDINATE "double general\n1 1 1\n1 1 1\n", "1x1 1,1=1"},
    {COORDINATE "unsigned-integer general\n1 1 1\n1 1 1\n", "1x1 1,1=1"},
    /* Symmetries: mirrored entries come last, in the order of the stored ones. */
    {COORDINATE "real symmetric\n3 3 3\n2 1 5\n2 2 6\n3 1 7\n", "3x3 2,1=5 2,2=6 3,1=7 1,2=5 1,3=7"},
    {COORDINATE "real symmetric\n3 3 2\n1 2 5\n1 3 7\n", "3x3 1,2=5 1,3=7 2,1=5 3,1=7"},
    {COORDINATE "real symmetric\n2 2 2\n2 1 5\n1 2 7\n", "2x2 2,1=5 1,2=7 1,2=5 2,1=7"},
    {COORDINATE "pattern symmetric\n2 2 1\n2 1\n", "2x2 2,1=1 1,2=1"},
    {COORDINATE "integer skew-symmetric\n2 2 1\n2 1 5\n", "2x2 2,1=5 1,2=-5"},
    {COORDINATE "real skew-symmetric\n2 2 2\n2 1 5\n1 1 3\n", "2x2 2,1=5 1,1=3 1,2=-5"},
    {COORDINATE "complex hermitian\n2 2 2\n1 1 3 0\n2 1 5 9\n", "2x2 1,1=3 2,1=5 1,2=5"},
    {COORDINATE "complex skew-symmetric\n2 2 1\n2 1 5 9\n", "2x2 2,1=5 1,2=-5"},
    /* Arrays: column by column. */
    {ARRAY "real general\n2 3\n1\n2\n3\n4\n5\n6\n", "2x3 1,1=1 2,1=2 1,2=3 2,2=4 1,3=5 2,3=6"},
    {ARRAY "integer symmetric\n2 2\n1\n0\n3\n", "2x2 1,1=1 2,1=0 2,2=3 1,2=0"},
    {ARRAY "real skew-symmetric\n3 3\n1\n2\n3\n", "3x3 2,1=1 3,1=2 3,2=3 1,2=-1 1,3=-2 2,3=-3"},
    {ARRAY "complex hermitian\n1 1\n1 2\n", "1x1 1,1=1"},
    {ARRAY "real skew-symmetric\n1 1\n", "1x1"},
    {ARRAY "real general\n0 5\n", "0x5"},
    /* Sizes without entries. */
    {COORDINATE "real general\n0 0 0\n", "0x0"},
    {COORDINATE "real general\n0 0 0", "0x0"},
    {COORDINATE "real general\n4 2 0\n\n% nothing\n \t\n", "4x2"},
    /* Duplicates and explicit zeros stay. */
    {COORDINATE "real general\n1 1 3\n1 1 2\n1 1 0\n1 1 2\n", "1x1 1,1=2 1,1=0 1,1=2"},
    /* Layout. */
    {COORDINATE "real general\r\n1 2 1\r\n1 2 3\r\n", "1x2 1,2=3"},
    {"\xef\xbb\xbf" COORDINATE "real general\n1 2 1\n1 2 3\n", "1x2 1,2=3"},
    {"  " COORDINATE "real general \n1 2 1\n1 2 3\n", "1x2 1,2=3"},
    {"%%matrixmarket MATRIX\tCoordinate Real  GENERAL\n1 2 1\n1 2 3\n", "1x2 1,2=3"},
    {COORDINATE "real general\n\n%a\n  %b\n \n  1\t2  1 \n%c\n\n1 2 3\n% d", "1x2 1,2=3"},
    {COORDINATE "real general\n1 2 2\n   1  2  3  \n\n% between\n\t1 1 4", "1x2 1,2=3 1,1=4"},
    {COORDINATE "real general\n1 12345678 1\n1 0000000012345678 3\n", "1x12345678 1,12345678=3"},
};

/* Every sample begins "t:", the name that the text is given. */
static const struct sample refused[] = {
    {"", "t:1:1: got the end of the file, expected the banner \"%%MatrixMarket matrix …\""},
    {"\n", "t:1:1: got the end of the line, expected the banner \"%%MatrixMarket matrix …\""},
    {"%MatrixMarket matrix coordinate real general\n1 1 0\n",
     "t:1:1: got \"%MatrixMarket\", expected the banner \"%%MatrixMarket matrix …\""},
    {"%%MatrixMarket vector coordinate real general\n", "t:1:16: got \"vector\", expected \"matrix\""},
    {"%%MatrixMarket matrix", "t:1:22: got the end of the file, expected \"coordinate\" or \"array\""},
    {COORDINATE "reel general\n",
     "t:1:34: got \"reel\", expected \"real\", \"integer\", \"pattern\" or \"complex\""},
    {COORDINATE "real\n", "t:1:38: got the end of the line, expected \"general\", \"symmetric\", "
                          "\"skew-symmetric\" or \"hermitian\""},
    {COORDINATE "real general extra\n", "t:1:47: got \"extra\", expected the end of the banner"},
    {COORDINATE "real general\r1 1 0\r",
     "t:1:47: got \"1\", expected a line feed behind the carriage return"},
    {COORDINATE "real hermitian\n1 1 0\n",
     "t:1:39: got \"hermitian\", expected another symmetry, since \"hermitian\" is for complex values"},
    {COORDINATE "pattern skew-symmetric\n1 1 0\n",
     "t:1:42: got \"skew-symmetric\", expected another symmetry, since \"skew-symmetric\" needs values"},
    {ARRAY "pattern general\n1 1\n",
     "t:1:29: got \"pattern\", expected values, since an array has no pattern"},
    {COORDINATE "real general\n% no size\n",
     "t:3:1: got the end of the file, expected the number of rows, an integer from 0 to 2^63 - 1"},
    {COORDINATE "real general\n1 -1 0\n",
     "t:2:3: got \"-1\", expected the number of columns, an integer from 0 to 2^63 - 1"},
    {COORDINATE "real general\n1 1 9223372036854775808\n",
     "t:2:5: got \"9223372036854775808\", expected the number of entries, an integer from 0 to 2^63 - 1"},
    {COORDINATE "real general\n1 1\n1 1 1\n",
     "t:2:4: got the end of the line, expected the number of entries, an integer from 0 to 2^63 - 1"},
    {ARRAY "real general\n1 1 1\n1\n", "t:2:5: got \"1\", expected the end of the size line"},
    {COORDINATE "real symmetric\n2 3 0\n",
     "t:2:1: got \"2\", expected as many rows as columns in a symmetric matrix"},
    /* Entries. */
    {COORDINATE "real general\n2 2 1\n0 1 5\n", "t:3:1: got \"0\", expected a row from 1 to 2"},
    {COORDINATE "real general\n2 2 1\n1 3 5\n", "t:3:3: got \"3\", expected a column from 1 to 2"},
    {COORDINATE "real general\n2 2 1\n1 -1 5\n", "t:3:3: got \"-1\", expected a column from 1 to 2"},
    {COORDINATE "real general\n2 2 1\n1.0 1 5\n", "t:3:1: got \"1.0\", expected a row from 1 to 2"},
    {COORDINATE "real general\n2 2 1\n18446744073709551617 1 5\n",
     "t:3:1: got \"18446744073709551617\", expected a row from 1 to 2"},
    {COORDINATE "real general\n2 2 1\n1 1\n", "t:3:4: got the end of the line, expected a real number"},
    {COORDINATE "real general\n2 2 1\n1\n", "t:3:2: got the end of the line, expected a column from 1 to 2"},
    {COORDINATE "real general\n2 2 1\n1 1 pi\n", "t:3:5: got \"pi\", expected a real number"},
    {COORDINATE "real general\n2 2 1\n1 1 2.5.1\n", "t:3:5: got \"2.5.1\", expected a real number"},
    {COORDINATE "real general\n2 2 1\n1 1 1e\n", "t:3:5: got \"1e\", expected a real number"},
    {COORDINATE "real general\n2 2 1\n1 1 .\n", "t:3:5: got \".\", expected a real number"},
    {COORDINATE "real general\n2 2 1\n1 1 0x10\n", "t:3:5: got \"0x10\", expected a real number"},
    {COORDINATE "real general\n2 2 1\n1 1 1,5\n", "t:3:5: got \"1,5\", expected a real number"},
    {COORDINATE "real general\n2 2 1\n1 1 1 2\n", "t:3:7: got \"2\", expected the end of the line"},
    {COORDINATE "integer general\n2 2 1\n1 1 1.5\n", "t:3:5: got \"1.5\", expected an integer"},
    {COORDINATE "pattern general\n2 2 1\n1 1 1 1\n", "t:3:7: got \"1\", expected the end of the line"},
    {COORDINATE "pattern general\n2 2 1\n1 1 a\n", "t:3:5: got \"a\", expected the end of the line"},
    {COORDINATE "complex general\n2 2 1\n1 1 1\n",
     "t:3:6: got the end of the line, expected an imaginary part"},
    {ARRAY "real general\n1 2\n1 2\n", "t:3:3: got \"2\", expected the end of the line"},
    /* Numbers of entries. */
    {COORDINATE "real general\n2 2 2\n1 1 5\n", "t:4:1: got the end of the file, expected entry 2 of 2"},
    {COORDINATE "real general\n2 2 2\n1 1 5\n1",
     "t:4:2: got the end of the file, expected a column from 1 to 2"},
    {COORDINATE "real general\n2 2 1\n1 1 5\n\n 1 2 5\n",
     "t:5:2: got \"1\", expected the end of the file after 1 entries"},
    {ARRAY "real general\n4294967296 4294967296\n1\n",
     "t:4:1: got the end of the file, expected entry 2 of 9223372036854775807"},
    /* The earliest fault counts, whichever it is. */
    {COORDINATE "real general\n2 2 9\n1 1 5\n1 x 5\n1 y 5\n",
     "t:4:3: got \"x\", expected a column from 1 to 2"},
    {COORDINATE "real general\n2 2 1\n1 1 5\n1 x 5\n",
     "t:4:1: got \"1\", expected the end of the file after 1 entries"},
    /* Characters that do not belong into a message. */
    {COORDINATE "real general\n2 2 1\n1 1 \x1b[1m\n", "t:3:5: got \"?[1m\", expected a real number"},
    {COORDINATE "real general\n2 2 1\n1 1 1234567890123456789012345678901234567890z\n",
     "t:3:5: got \"1234567890123456789012345678901234567890\"…, expected a real number"},
};

static spry_status read_text_as(spry_context *context, const char *text, spry_value_type type,
                                spry_matrix **matrix) {
    spry_read_options options = {.size = sizeof options, .as_f32 = type == SPRY_F32, .real_part = 1};
    return spry_read_memory(context, "t", text, strlen(text), &options, matrix, NULL);
}

static spry_status read_text(spry_context *context, const char *text, spry_matrix **matrix) {
    return read_text_as(context, text, SPRY_F64, matrix);
}

static void check_accepted(spry_context *context, const struct sample *sample, spry_value_type type) {
    spry_matrix *matrix;
    spry_status status = read_text_as(context, sample->text, type, &matrix);
    cr_assert_eq(status, SPRY_OK, "sample %zu: %s", (size_t)(sample - accepted), spry_message(context));
    cr_expect_eq(spry_matrix_type(matrix), type);
    char got[1024];
    describe(matrix, got, sizeof got);
    cr_expect_str_eq(got, sample->expected);
    cr_expect_eq(spry_validate(context, matrix, 0), SPRY_OK);
    spry_matrix_destroy(matrix);
}

Test(read, accepted) {
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        spry_context *context = test_context(thread_counts[t]);
        for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
            for (int type = 0; type < SPRY_TYPE_COUNT; type++)
                check_accepted(context, &accepted[i], (spry_value_type)type);
        spry_context_destroy(context);
    }
}

Test(read, refused) {
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        spry_context *context = test_context(thread_counts[t]);
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
            spry_matrix *matrix;
            cr_expect_eq(read_text(context, refused[i].text, &matrix), SPRY_ERROR_SYNTAX, "sample %zu", i);
            cr_expect_null(matrix);
            cr_expect_str_eq(spry_message(context), refused[i].expected);
        }
        spry_context_destroy(context);
    }
}

Test(read, zero_byte_in_text) {
    static const char text[] = COORDINATE "real general\n2 2 1\n1 1 5\0\n";
    spry_context *context = test_context(2);
    spry_matrix *matrix;
    cr_expect_eq(spry_read_memory(context, "t", text, sizeof text - 1, NULL, &matrix, NULL),
                 SPRY_ERROR_SYNTAX);
    cr_expect_str_eq(spry_message(context), "t:3:6: got a zero byte, expected the end of the line");
    spry_context_destroy(context);
}

/* The place of a fault among many lines, comments and blank lines, and with more faults behind it. */
Test(read, place_in_long_text) {
    size_t size = 1 << 20, used;
    char *text = test_malloc(size), expected[100];
    for (size_t t = 0; t < THREAD_COUNTS; t++)
        for (int faulty = 1; faulty <= 20000; faulty += 1777) {
            int line = 2, fault_line = 0;
            used = (size_t)snprintf(text, size, "%s\n10 10 20000\n", COORDINATE "real general");
            for (int k = 1; k <= 20000; k++) {
                if (k % 100 == 0)
                    used += (size_t)snprintf(text + used, size - used, "%% comment\n\n"), line += 2;
                line++;
                bool bad = k >= faulty && (k - faulty) % 500 == 0;
                if (k == faulty)
                    fault_line = line;
                used += (size_t)snprintf(text + used, size - used, bad ? " 3 11 %d\n" : "3 4 %d.25\n", k);
            }
            spry_context *context = test_context(thread_counts[t]);
            spry_matrix *matrix;
            cr_expect_eq(spry_read_memory(context, "t", text, used, NULL, &matrix, NULL), SPRY_ERROR_SYNTAX);
            snprintf(expected, sizeof expected, "t:%d:4: got \"11\", expected a column from 1 to 10",
                     fault_line);
            cr_expect_str_eq(spry_message(context), expected);
            spry_context_destroy(context);
        }
    free(text);
}

Test(read, info) {
    static const char text[] = COORDINATE "complex hermitian\n3 3 2\n1 1 1 0\n2 1 1 1\n";
    spry_context *context = test_context(1);
    spry_matrix *matrix;
    spry_file_info info = {.size = sizeof info};
    cr_expect_eq(spry_read_memory(context, "t", text, strlen(text), NULL, &matrix, &info),
                 SPRY_ERROR_UNSUPPORTED);
    cr_expect_null(matrix);
    cr_expect(info.field == SPRY_COMPLEX && info.symmetry == SPRY_HERMITIAN && !info.array);
    cr_expect(info.rows == 3 && info.cols == 3 && info.stored == 2 && info.bytes == strlen(text));
    cr_expect_str_eq(spry_field_name(info.field), "complex");
    cr_expect_str_eq(spry_symmetry_name(info.symmetry), "hermitian");
    cr_expect_str_eq(spry_field_name((spry_field)9), "?");
    cr_expect_str_eq(spry_symmetry_name((spry_symmetry)9), "?");
    /* Sound or not is said before supported or not. */
    cr_expect_eq(spry_read_memory(context, "t", text, strlen(text) - 3, NULL, &matrix, &info),
                 SPRY_ERROR_SYNTAX);
    spry_context_destroy(context);
}

Test(read, arguments) {
    spry_context *context = test_context(1);
    spry_matrix *matrix;
    spry_read_options options = {.size = sizeof options, .index_set = 1, .index = SPRY_INDEX_COUNT};
    cr_expect_eq(spry_read(NULL, "t", NULL, &matrix, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_read(context, NULL, NULL, &matrix, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_read(context, "t", NULL, NULL, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_read(context, "t", &options, &matrix, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_read_memory(context, "t", NULL, 5, NULL, &matrix, NULL), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_read_memory(context, "t", NULL, 0, NULL, &matrix, NULL), SPRY_ERROR_SYNTAX);
    cr_expect_eq(spry_read_memory(context, "t", "", SIZE_MAX, NULL, &matrix, NULL), SPRY_ERROR_OVERFLOW);
    cr_expect(strstr(spry_message(context), "is beyond the address space"), "%s", spry_message(context));
    cr_expect_eq(spry_read_memory(context, "t", "", SIZE_MAX / 2 + 1, NULL, &matrix, NULL),
                 SPRY_ERROR_OVERFLOW);
    cr_expect_null(matrix);
    spry_context_destroy(context);
}

/* The smallest index type by default; any that fits on request. */
Test(read, index_types) {
    static const struct {
        const char *size;
        spry_index_type smallest;
        bool fits_32;
    } sizes[] = {{"2147483647 1 1", SPRY_I32, true}, {"1 2147483648 1", SPRY_I64, false}};
    spry_context *context = test_context(2);
    for (int s = 0; s < 2; s++) {
        char text[100];
        spry_matrix *matrix;
        snprintf(text, sizeof text, "%s\n%s\n1 1 2\n", COORDINATE "real general", sizes[s].size);
        cr_assert_eq(read_text(context, text, &matrix), SPRY_OK);
        cr_expect_eq(spry_matrix_index(matrix), sizes[s].smallest);
        spry_matrix_destroy(matrix);
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            spry_read_options options = {
                .size = sizeof options, .index_set = 1, .index = (spry_index_type)index};
            bool fits = sizes[s].fits_32 || index == SPRY_I64;
            cr_expect_eq(spry_read_memory(context, "t", text, strlen(text), &options, &matrix, NULL),
                         fits ? SPRY_OK : SPRY_ERROR_OVERFLOW);
            cr_expect(!matrix || spry_matrix_index(matrix) == (spry_index_type)index);
            spry_matrix_destroy(matrix);
        }
    }
    spry_context_destroy(context);
}

/* Memory is asked for by what a file holds, not by what it declares. */
Test(read, declared_entries_reserve_nothing) {
    static const char text[] = COORDINATE "real general\n1000000000 1000000000 1000000000000\n1 1 1\n";
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    spry_matrix *matrix;
    cr_expect_eq(read_text(context, text, &matrix), SPRY_ERROR_SYNTAX);
    cr_expect_lt(counting.largest, 16384);
    spry_context_destroy(context);
}

Test(read, each_allocation_refused) {
    static const char text[] = COORDINATE "real symmetric\n3 3 3\n2 1 5\n2 2 6\n3 1 7\n";
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 2);
    int64_t before = counting.live_blocks, bytes = counting.live_bytes;
    spry_status status = SPRY_ERROR_MEMORY;
    for (int n = 1; status; n++) {
        cr_assert_lt(n, 100);
        counting_refuse(&counting, n);
        spry_matrix *matrix;
        status = read_text(context, text, &matrix);
        cr_expect_eq(status, counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK);
        spry_matrix_destroy(matrix);
        cr_expect(status == SPRY_OK || (counting.live_blocks == before && counting.live_bytes == bytes));
    }
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
    cr_expect_not(counting.misused);
}
