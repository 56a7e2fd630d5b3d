/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of every operation is refused once, in turn: a status comes back, nothing leaks. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/scenarios.h"
#include "support/vector.h"

/* What the operations work on, made by a context of its own that has all the memory it wants. */
struct inputs {
    spry_context *context;
    struct list list;
    struct built from[SPRY_FORMAT_COUNT];
    struct arrays coo, csr, csc; /* of the list, unsorted and with duplicates */
    struct placed x, y;          /* vectors, long enough for both products with two columns */
};

/* One operation; a matrix that it makes goes to *result. */
typedef spry_status operation(spry_context *context, const struct inputs *inputs, spry_format format,
                              spry_matrix **result);

static struct inputs inputs_new(void) {
    spry_context *context = test_context(2);
    struct inputs inputs = {.context = context, .list = test_scenario("duplicates")->make()};
    list_shuffle(&inputs.list, 21);
    inputs.coo = arrays_at(context, arrays_new(&inputs.list, SPRY_COO, SPRY_F64, SPRY_I32, 0));
    inputs.csr = arrays_at(context, arrays_new(&inputs.list, SPRY_CSR, SPRY_F64, SPRY_I32, 0));
    inputs.csc = arrays_at(context, arrays_new(&inputs.list, SPRY_CSC, SPRY_F64, SPRY_I32, 1));
    static const double zeros[128];
    cr_assert(inputs.list.rows <= 64 && inputs.list.cols <= 64);
    inputs.x = placed_new(context, zeros, sizeof zeros, 0);
    inputs.y = placed_new(context, zeros, sizeof zeros, 0);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        cr_assert_eq(build(context, &inputs.list, (spry_format)format, SPRY_F64, SPRY_I32, CONVERTED,
                           &inputs.from[format]),
                     SPRY_OK);
    return inputs;
}

static void inputs_free(struct inputs *inputs) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        built_free(&inputs->from[format]);
    arrays_free(&inputs->coo);
    arrays_free(&inputs->csr);
    arrays_free(&inputs->csc);
    placed_free(&inputs->x);
    placed_free(&inputs->y);
    list_free(&inputs->list);
    spry_context_destroy(inputs->context);
}

static spry_status nothing(spry_context *context, const struct inputs *inputs, spry_format format,
                           spry_matrix **result) {
    (void)context, (void)inputs, (void)format, (void)result;
    return SPRY_OK;
}

static spry_status wrap_unsorted_coo(spry_context *context, const struct inputs *inputs, spry_format format,
                                     spry_matrix **result) {
    (void)format;
    return wrap(context, &inputs->list, SPRY_COO, SPRY_F64, SPRY_I32, 0, &inputs->coo, result);
}

static spry_status wrap_unsorted_csr(spry_context *context, const struct inputs *inputs, spry_format format,
                                     spry_matrix **result) {
    (void)format;
    return wrap(context, &inputs->list, SPRY_CSR, SPRY_F64, SPRY_I32, 0, &inputs->csr, result);
}

static spry_status wrap_unsorted_csc(spry_context *context, const struct inputs *inputs, spry_format format,
                                     spry_matrix **result) {
    (void)format;
    return wrap(context, &inputs->list, SPRY_CSC, SPRY_F64, SPRY_I32, 1, &inputs->csc, result);
}

/* Wraps unsorted arrays and converts them; both must clean up. */
static spry_status convert_wrapped(spry_context *context, operation *wrapping, const struct inputs *inputs,
                                   spry_format format, spry_matrix **result) {
    spry_matrix *wrapped = NULL;
    spry_status status = wrapping(context, inputs, format, &wrapped);
    if (!status)
        status = spry_convert(context, wrapped, format, NULL, result);
    spry_matrix_destroy(wrapped);
    return status;
}

static spry_status sum_duplicates(spry_context *context, const struct inputs *inputs, spry_format format,
                                  spry_matrix **result) {
    return convert_wrapped(context, wrap_unsorted_coo, inputs, format, result);
}

static spry_status sort_rows(spry_context *context, const struct inputs *inputs, spry_format format,
                             spry_matrix **result) {
    return convert_wrapped(context, wrap_unsorted_csr, inputs, format, result);
}

static spry_status sort_columns(spry_context *context, const struct inputs *inputs, spry_format format,
                                spry_matrix **result) {
    return convert_wrapped(context, wrap_unsorted_csc, inputs, format, result);
}

static spry_status from_csr(spry_context *context, const struct inputs *inputs, spry_format format,
                            spry_matrix **result) {
    return spry_convert(context, inputs->from[SPRY_CSR].matrix, format, NULL, result);
}

static spry_status from_csc(spry_context *context, const struct inputs *inputs, spry_format format,
                            spry_matrix **result) {
    return spry_convert(context, inputs->from[SPRY_CSC].matrix, format, NULL, result);
}

static spry_status to_csr(spry_context *context, const struct inputs *inputs, spry_format format,
                          spry_matrix **result) {
    return spry_convert(context, inputs->from[format].matrix, SPRY_CSR, NULL, result);
}

static spry_status cast(spry_context *context, const struct inputs *inputs, spry_format format,
                        spry_matrix **result) {
    return spry_cast(context, inputs->from[format].matrix, SPRY_F32, SPRY_I64, result);
}

static spry_status transpose(spry_context *context, const struct inputs *inputs, spry_format format,
                             spry_matrix **result) {
    return spry_transpose(context, inputs->from[format].matrix, result);
}

static spry_status validate(spry_context *context, const struct inputs *inputs, spry_format format,
                            spry_matrix **result) {
    (void)result;
    return spry_validate(context, inputs->from[format].matrix, SPRY_CHECK_SORTED | SPRY_CHECK_FINITE);
}

static spry_status update(spry_context *context, const struct inputs *inputs, spry_format format,
                          spry_matrix **result) {
    (void)result;
    return spry_update_values(context, inputs->from[format].matrix, inputs->from[SPRY_CSR].matrix);
}

static spry_status multiply(spry_context *context, const struct inputs *inputs, spry_format format,
                            spry_matrix **result) {
    const spry_matrix *matrix = inputs->from[format].matrix;
    (void)result;
    spry_status status = spry_spmv(context, SPRY_N, 1, matrix, inputs->x.data, 0, inputs->y.data);
    return status ? status : spry_spmv(context, SPRY_T, 1, matrix, inputs->x.data, 0, inputs->y.data);
}

static spry_status copy(spry_context *context, const struct inputs *inputs, spry_format format,
                        spry_matrix **result) {
    return spry_matrix_copy(context, inputs->from[format].matrix, result);
}

/* Two columns, row by row: room for each is needed where there is no kernel for many. */
static spry_status multiply_many(spry_context *context, const struct inputs *inputs, spry_format format,
                                 spry_matrix **result) {
    const spry_matrix *matrix = inputs->from[format].matrix;
    const spry_view x = spry_view_of_rows(inputs->x.data, spry_matrix_cols(matrix), 2, 2),
                    y = spry_view_of_rows(inputs->y.data, spry_matrix_rows(matrix), 2, 2);
    (void)result;
    return spry_spmm(context, SPRY_N, 1, matrix, &x, 0, &y);
}

static spry_status read_text(spry_context *context, const struct inputs *inputs, spry_format format,
                             spry_matrix **result) {
    static const char text[] = "%%MatrixMarket matrix coordinate real symmetric\n"
                               "3 3 4\n1 1 2.5\n2 1 -1\n3 2 1e3\n3 3 4\n";
    (void)inputs, (void)format;
    return spry_read_memory(context, "text", text, sizeof text - 1, NULL, result, NULL);
}

/* Files that are read, with a comment longer than any first look or block: as it is, and compressed. */
static char folder[] = "/tmp/spry_allocation_XXXXXX";
static char text_path[sizeof folder + 10], packed_path[sizeof folder + 10];

static void write_texts(void) {
    enum { COMMENT = 600000 };
    static char text[COMMENT + 200] = "%%MatrixMarket matrix coordinate real symmetric\n%";
    memset(text + strlen(text), '-', COMMENT);
    strcat(text, "\n3 3 4\n1 1 2.5\n2 1 -1\n3 2 1e3\n3 3 4\n");
    cr_assert(mkdtemp(folder));
    snprintf(text_path, sizeof text_path, "%s/a.mtx", folder);
    snprintf(packed_path, sizeof packed_path, "%s/a.mtx.gz", folder);
    FILE *file = fopen(text_path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    gzFile packed = gzopen(packed_path, "w");
    cr_assert(packed && gzputs(packed, text) >= 0 && gzclose(packed) == Z_OK);
}

static void remove_texts(void) {
    cr_expect(unlink(text_path) == 0 && unlink(packed_path) == 0 && rmdir(folder) == 0);
}

static spry_status read_file(spry_context *context, const struct inputs *inputs, spry_format format,
                             spry_matrix **result) {
    (void)inputs, (void)format;
    return spry_read(context, text_path, NULL, result, NULL);
}

static spry_status read_packed(spry_context *context, const struct inputs *inputs, spry_format format,
                               spry_matrix **result) {
    (void)inputs, (void)format;
    return spry_read(context, packed_path, NULL, result, NULL);
}

static spry_status read_descriptor(spry_context *context, const struct inputs *inputs, spry_format format,
                                   spry_matrix **result) {
    (void)inputs, (void)format;
    int file = open(text_path, O_RDONLY);
    cr_assert_geq(file, 0);
    spry_status status = spry_read_descriptor(context, "a file", file, NULL, result, NULL);
    cr_expect_eq(close(file), 0);
    return status;
}

static spry_status read_pipe(spry_context *context, const struct inputs *inputs, spry_format format,
                             spry_matrix **result) {
    static const char text[] = "%%MatrixMarket matrix array real general\n2 1\n1\n2\n";
    int ends[2];
    (void)inputs, (void)format;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    spry_status status = spry_read_descriptor(context, "a pipe", ends[0], NULL, result, NULL);
    cr_expect_eq(close(ends[0]), 0);
    return status;
}

/* A file with a profile for the backend under test, which knows all formats. */
static char profile_path[] = "/tmp/spry_allocation_XXXXXX";

static void write_profile(void) {
    int number = mkstemp(profile_path);
    cr_assert_geq(number, 0);
    FILE *file = fdopen(number, "w");
    cr_assert(file);
    fprintf(
        file,
        "{\"machine\": \"m\", \"backend\": \"%s\", \"processors\": 2, \"memory_gbs\": 1, \"conversions\": {},"
        " \"kernels\": {\"f64\": {",
        spry_backend_name(test_backend()));
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        fprintf(file, "%s\"%s\": {\"start\": 1}", format ? ", " : "", spry_format_name((spry_format)format));
    fputs("}}}", file);
    cr_assert_eq(fclose(file), 0);
}

static spry_status load_profile(spry_context *context, const struct inputs *inputs, spry_format format,
                                spry_matrix **result) {
    (void)inputs, (void)format, (void)result;
    return spry_load_profile(context, profile_path);
}

/* By the profile that is loaded first, or the library's own. */
static spry_status rank(spry_context *context, const struct inputs *inputs, const char *path, int measure) {
    spry_select_options options = {.measure = measure};
    spry_ranking *ranking = NULL;
    spry_status status = path ? spry_load_profile(context, path) : SPRY_OK;
    if (!status)
        status = spry_select(context, inputs->from[SPRY_CSR].matrix, &options, &ranking);
    spry_ranking_destroy(ranking);
    return status;
}

static spry_status predict(spry_context *context, const struct inputs *inputs, spry_format format,
                           spry_matrix **result) {
    (void)format, (void)result;
    return rank(context, inputs, NULL, 0);
}

static spry_status predict_by_profile(spry_context *context, const struct inputs *inputs, spry_format format,
                                      spry_matrix **result) {
    (void)format, (void)result;
    return rank(context, inputs, profile_path, 0);
}

static spry_status rank_measured(spry_context *context, const struct inputs *inputs, spry_format format,
                                 spry_matrix **result) {
    (void)format, (void)result;
    return rank(context, inputs, profile_path, SPRY_FORMAT_COUNT);
}

static spry_status convert_measured(spry_context *context, const struct inputs *inputs, spry_format format,
                                    spry_matrix **result) {
    static const spry_convert_options options = {.measure = SPRY_FORMAT_COUNT};
    return spry_convert(context, inputs->from[SPRY_CSR].matrix, format, &options, result);
}

static spry_status draft_profile(spry_context *context, const struct inputs *inputs, spry_format format,
                                 spry_matrix **result) {
    static char text[65536];
    (void)inputs, (void)format, (void)result;
    return spry_draft_profile(context, text, sizeof text);
}

static spry_status write_null(spry_context *context, const struct inputs *inputs, spry_format format,
                              spry_matrix **result) {
    (void)result;
    return spry_write(context, "/dev/null", inputs->from[format].matrix);
}

/* Of a square matrix in CSC, so that the hub has to be made. */
static spry_status substitute(spry_context *context, const struct inputs *inputs, spry_format format,
                              spry_matrix **result) {
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n2 1 1\n2 2 4\n";
    spry_matrix *square, *made;
    spry_trsv *trsv = NULL;
    (void)result;
    cr_assert_eq(spry_read_memory(inputs->context, "text", text, sizeof text - 1, NULL, &square, NULL),
                 SPRY_OK);
    cr_assert_eq(spry_convert(inputs->context, square, format, NULL, &made), SPRY_OK);
    spry_status status = spry_trsv_create(context, made, SPRY_LOWER, SPRY_N, 0, &trsv);
    if (!status)
        status = spry_trsv_solve(context, trsv, inputs->x.data, inputs->y.data);
    spry_trsv_destroy(trsv);
    spry_matrix_destroy(made);
    spry_matrix_destroy(square);
    return status;
}

/* The choice of a format goes on without one for which there is no memory. */
static bool may_do_without(spry_format format, spry_status status) {
    return format == SPRY_AUTO && status == SPRY_OK;
}

/* One run in which the n-th request is refused, or all from that one on. Whether it was reached. */
static bool run(const char *name, operation *work, const struct inputs *inputs, spry_format format,
                void (*refuse)(struct counting *counting, int64_t n), int64_t n) {
    struct counting counting;
    counting_start(&counting);
    refuse(&counting, n);
    spry_context *context = counting_context(&counting, 2);
    if (context) {
        spry_matrix *result = NULL;
        spry_status status = work(context, inputs, format, &result);
        cr_expect(
            status == (counting.refused ? SPRY_ERROR_MEMORY : SPRY_OK) || may_do_without(format, status),
            "%s %s, request %d: %s", name, spry_format_name(format), (int)n, spry_status_string(status));
        cr_expect(status == SPRY_OK || !result, "%s %s, request %d", name, spry_format_name(format), (int)n);
        cr_expect(status == SPRY_OK || spry_message(context)[0], "%s without a message", name);
        spry_matrix_destroy(result);
        spry_context_destroy(context);
    } else {
        cr_expect(counting.refused);
    }
    cr_expect_eq(counting.live_blocks, 0, "%s %s, request %d: %d blocks left", name, spry_format_name(format),
                 (int)n, (int)counting.live_blocks);
    cr_expect_eq(counting.live_bytes, 0);
    cr_expect_not(counting.misused, "%s %s, request %d", name, spry_format_name(format), (int)n);
    return counting.refused;
}

static void check(const char *name, operation *work, const struct inputs *inputs, spry_format format) {
    int64_t n = 1;
    while (n < 1000 && run(name, work, inputs, format, counting_refuse, n))
        run(name, work, inputs, format, counting_refuse_from, n++);
    cr_expect_lt(n, 1000);
}

static void check_formats(const char *name, operation *work) {
    struct inputs inputs = inputs_new();
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        check(name, work, &inputs, (spry_format)format);
    inputs_free(&inputs);
}

static void check_once(const char *name, operation *work, spry_format format) {
    struct inputs inputs = inputs_new();
    check(name, work, &inputs, format);
    inputs_free(&inputs);
}

Test(allocation, context) {
    check_once("context", nothing, SPRY_CSR);
}

Test(allocation, wrap) {
    check_once("wrap", wrap_unsorted_coo, SPRY_COO);
    check_once("wrap", wrap_unsorted_csr, SPRY_CSR);
    check_once("wrap", wrap_unsorted_csc, SPRY_CSC);
}

Test(allocation, convert) {
    check_formats("sum duplicates", sum_duplicates);
    check_formats("sort rows", sort_rows);
    check_formats("sort columns", sort_columns);
    check_formats("from csr", from_csr);
    check_formats("from csc", from_csc);
    check_formats("to csr", to_csr);
}

Test(allocation, choice) {
    check_once("choice", from_csr, SPRY_AUTO);
    check_once("measured choice", convert_measured, SPRY_AUTO);
}

Test(allocation, ranking) {
    write_profile();
    check_once("load profile", load_profile, SPRY_CSR);
    check_once("prediction", predict, SPRY_CSR);
    check_once("prediction by profile", predict_by_profile, SPRY_CSR);
    check_once("measured ranking", rank_measured, SPRY_AUTO);
    check_once("draft profile", draft_profile, SPRY_CSR);
    cr_expect_eq(unlink(profile_path), 0);
}

Test(allocation, cast) {
    check_formats("cast", cast);
}

Test(allocation, transpose) {
    check_formats("transpose", transpose);
}

Test(allocation, copy) {
    check_formats("copy", copy);
}

Test(allocation, validate) {
    check_formats("validate", validate);
}

Test(allocation, update) {
    check_formats("update", update);
}

Test(allocation, write) {
    check_formats("write", write_null);
}

Test(allocation, substitute) {
    check_formats("substitute", substitute);
}

Test(allocation, multiply) {
    check_formats("multiply", multiply);
}

Test(allocation, multiply_many) {
    check_formats("multiply many", multiply_many);
}

Test(allocation, read) {
    check_once("read", read_text, SPRY_COO);
    write_texts();
    check_once("read a file", read_file, SPRY_COO);
    check_once("read a compressed file", read_packed, SPRY_COO);
    check_once("read a descriptor", read_descriptor, SPRY_COO);
    check_once("read a pipe", read_pipe, SPRY_COO);
    remove_texts();
}

/* A context made without an allocator that can give back is refused. */
Test(allocation, half_an_allocator) {
    struct counting counting;
    counting_start(&counting);
    counting.allocator.release = NULL;
    spry_context_options options = {.allocator = &counting.allocator};
    spry_context *context;
    cr_expect_eq(spry_context_create(&context, &options), SPRY_ERROR_ARGUMENT);
    cr_expect_null(context);
}

/* A product with the context that built the matrix asks for nothing. On a device one that scatters does, unless
   its workspace was reserved. */
Test(allocation, products_ask_for_nothing) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 3);
    struct list list = test_scenario("power law")->make();
    struct vector x = vector_new(SPRY_F64, list.cols, 0), y = vector_new(SPRY_F64, list.rows, 0);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int op = 0; op < SPRY_OP_COUNT; op++) {
            struct built built;
            cr_assert_eq(build(context, &list, (spry_format)format, SPRY_F64, SPRY_I32, CONVERTED, &built),
                         SPRY_OK);
            if (test_backend() != SPRY_CPU)
                cr_expect_eq(spry_reserve(context, built.matrix, (spry_op)op), SPRY_OK);
            counting_refuse(&counting, 1);
            cr_expect_eq(spry_spmv(context, (spry_op)op, 1, built.matrix, x_there.data, 0, y_there.data),
                         SPRY_OK);
            cr_expect_not(counting.refused, "%s asked for memory", spry_format_name((spry_format)format));
            counting_refuse(&counting, 0);
            built_free(&built);
        }
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
    list_free(&list);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}
