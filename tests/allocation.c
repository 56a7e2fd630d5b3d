/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of every operation on matrices is refused once, in turn: a status comes back, nothing leaks. */
#include <criterion/criterion.h>

#include "support/counting.h"
#include "support/refusals.h"
#include "support/scenarios.h"
#include "support/vector.h"

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

/* -1, 2, -1 in each row, where every third is multiplied by `factor`. */
static struct list second_differences(double factor) {
    struct list list = list_new(30, 30);
    for (int64_t i = 0; i < list.rows; i++)
        for (int64_t j = i > 0 ? i - 1 : 0; j < list.cols && j <= i + 1; j++)
            list_add(&list, i, j, (i == j ? 2 : -1) * (i % 3 == 1 ? factor : 1));
    return list;
}

/* Stencils that new values tell apart. Whatever comes of it, the matrix is as it was or as it should be, in a context that has
   all the memory it wants. */
static spry_status update_stencils(spry_context *context, const struct inputs *inputs, spry_format format,
                                   spry_matrix **result) {
    struct list before = second_differences(1), after = second_differences(4);
    spry_matrix *matrix;
    struct built csr = built_of(inputs->context, &before, SPRY_CSR, SPRY_F64, SPRY_I32),
                 other = built_of(inputs->context, &after, SPRY_CSR, SPRY_F64, SPRY_I32);
    (void)result;
    spry_status status = spry_convert(context, csr.matrix, format, NULL, &matrix);
    if (!status) {
        status = spry_update_values(context, matrix, other.matrix);
        cr_expect(equals_list(inputs->context, matrix, status ? &before : &after));
        cr_expect_eq(spry_spmv(inputs->context, SPRY_N, 1, matrix, inputs->x.data, 0, inputs->y.data),
                     SPRY_OK);
        cr_expect_eq(spry_synchronize(inputs->context), SPRY_OK, "%s", spry_message(inputs->context));
    }
    spry_matrix_destroy(matrix);
    built_free(&csr);
    built_free(&other);
    list_free(&before);
    list_free(&after);
    return status;
}

static spry_status multiply(spry_context *context, const struct inputs *inputs, spry_format format,
                            spry_matrix **result) {
    const spry_matrix *matrix = inputs->from[format].matrix;
    (void)result;
    spry_status status = spry_spmv(context, SPRY_N, 1, matrix, inputs->x.data, 0, inputs->y.data);
    return status ? status : spry_spmv(context, SPRY_T, 1, matrix, inputs->x.data, 0, inputs->y.data);
}

static spry_status multiply_scaled(spry_context *context, const struct inputs *inputs, spry_format format,
                                   spry_matrix **result) {
    spry_scaled *scaled;
    (void)result;
    spry_status status =
        spry_scaled_create(context, inputs->from[format].matrix, inputs->x.data, inputs->x.data, &scaled);
    if (!status)
        status = spry_scaled_spmv(context, SPRY_T, 1, scaled, inputs->x.data, 0, inputs->y.data);
    spry_scaled_destroy(scaled);
    return status;
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

static spry_status write_null(spry_context *context, const struct inputs *inputs, spry_format format,
                              spry_matrix **result) {
    (void)result;
    return spry_write(context, "/dev/null", inputs->from[format].matrix);
}

/* What there is to do with a matrix whose values are in a table. */
static spry_status use_table(spry_context *context, const struct inputs *inputs, spry_matrix *coded) {
    const spry_matrix *csr = inputs->from[SPRY_CSR].matrix;
    spry_matrix *copy = NULL;
    spry_status status = spry_update_values(context, coded, csr);
    if (!status)
        status = spry_validate(context, coded, 0);
    for (int op = 0; op < SPRY_OP_COUNT && !status; op++)
        status = spry_spmv(context, (spry_op)op, 1, coded, inputs->x.data, 0, inputs->y.data);
    if (!status)
        status = spry_matrix_copy(context, coded, &copy);
    spry_matrix_destroy(copy);
    return status;
}

static spry_status keep_in_table(spry_context *context, const struct inputs *inputs, spry_format format,
                                 spry_matrix **result) {
    const spry_storage storage = {
        .format = format, .values = SPRY_VALUES_DICT16, .columns = SPRY_COLUMNS_NARROW};
    spry_matrix *coded;
    (void)result;
    spry_status status = spry_convert_to(context, inputs->from[SPRY_CSR].matrix, &storage, NULL, &coded);
    if (!status)
        status = use_table(context, inputs, coded);
    spry_matrix_destroy(coded);
    return status;
}

/* The value that is too many is sought. */
static spry_status overfill_table(spry_context *context, const struct inputs *inputs, spry_format format,
                                  spry_matrix **result) {
    const spry_storage storage = {.format = format, .values = SPRY_VALUES_CONSTANT};
    spry_status status = spry_convert_to(context, inputs->from[SPRY_CSR].matrix, &storage, NULL, result);
    return status == SPRY_ERROR_UNSUPPORTED ? SPRY_OK : status;
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
    check_once("update to other stencils", update_stencils, SPRY_STENCIL);
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

Test(allocation, multiply_scaled) {
    check_formats("multiply scaled", multiply_scaled);
}

Test(allocation, multiply_many) {
    check_formats("multiply many", multiply_many);
}

Test(allocation, tables) {
    static const spry_format formats[] = {SPRY_CSR, SPRY_CSC, SPRY_SELL};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        check_once("keep in a table", keep_in_table, formats[f]);
        check_once("overfill a table", overfill_table, formats[f]);
    }
}

/* A context made without an allocator that can give back is refused. */
Test(allocation, half_an_allocator) {
    struct counting counting;
    counting_start(&counting);
    counting.allocator.release = NULL;
    spry_context_options options = {.size = sizeof options, .allocator = &counting.allocator};
    spry_context *context;
    cr_expect_eq(spry_context_create(&context, &options), SPRY_ERROR_ARGUMENT);
    cr_expect_null(context);
}

/* A product asks for nothing: not in the context that built the matrix, where it gathers, and where it scatters, not in one
   that has reserved its workspace. */
Test(allocation, products_ask_for_nothing) {
    struct counting counting;
    counting_start(&counting);
    spry_context *context = counting_context(&counting, 3);
    struct list list = test_scenario("power law")->make();
    struct vector x = vector_new(SPRY_F64, list.cols, 0), y = vector_new(SPRY_F64, list.rows, 0);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y),
                  left = vector_place(context, &y), right = vector_place(context, &x);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int op = 0; op < SPRY_OP_COUNT; op++) {
            spry_scaled *scaled;
            struct built built = built_of(context, &list, (spry_format)format, SPRY_F64, SPRY_I32);
            if (op == (format == SPRY_CSC ? SPRY_N : SPRY_T))
                cr_expect_eq(spry_reserve(context, built.matrix, (spry_op)op), SPRY_OK);
            cr_assert_eq(spry_scaled_create(context, built.matrix, left.data, right.data, &scaled), SPRY_OK);
            if (op == SPRY_T) /* for its passes */
                cr_expect_eq(spry_scaled_spmv(context, SPRY_T, 1, scaled, x_there.data, 1, y_there.data),
                             SPRY_OK);
            counting_refuse(&counting, 1);
            cr_expect_eq(spry_spmv(context, (spry_op)op, 1, built.matrix, x_there.data, 0, y_there.data),
                         SPRY_OK);
            cr_expect_eq(spry_scaled_spmv(context, (spry_op)op, 1, scaled, x_there.data, 1, y_there.data),
                         SPRY_OK);
            cr_expect_not(counting.refused, "%s asked for memory", spry_format_name((spry_format)format));
            counting_refuse(&counting, 0);
            spry_scaled_destroy(scaled);
            built_free(&built);
        }
    placed_free(&x_there);
    placed_free(&y_there);
    placed_free(&left);
    placed_free(&right);
    vector_free(&x);
    vector_free(&y);
    list_free(&list);
    spry_context_destroy(context);
    cr_expect_eq(counting.live_blocks, 0);
}
