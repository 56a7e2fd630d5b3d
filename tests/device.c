/* SPDX-License-Identifier: BSD-3-Clause */
/* A device that fails, at each operation of each call once, and what belongs to another device: a status and a message
   come back, nothing leaks. On a stand-in (support/standin.h). */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/build.h"
#include "support/counting.h"
#include "support/scenarios.h"
#include "support/squares.h"
#include "support/standin.h"
#include "support/vector.h"

/* What calls work with: a symmetric matrix whose diagonal outweighs the rest, in all formats, and vectors. `host` has
   it too, in another context. */
struct inputs {
    struct counting counting;
    spry_context *context, *host;
    struct built on_device[SPRY_FORMAT_COUNT], on_host;
    struct placed x, y;
    int64_t n;
};

static struct inputs *inputs_new(void) {
    struct inputs *inputs = calloc(1, sizeof *inputs);
    cr_assert(inputs);
    counting_start(&inputs->counting);
    spry_context_options options = test_options();
    options.threads = 2;
    options.allocator = options.device_allocator = &inputs->counting.allocator;
    inputs->context = test_context_with(&options);
    cr_assert_eq(spry_context_create(&inputs->host, NULL), SPRY_OK);
    struct list square = test_square("plane")->make(), list = list_mirrored(&square);
    inputs->n = list.rows;
    struct vector x = vector_new(SPRY_F64, inputs->n, 1);
    vector_random(&x, 3);
    inputs->x = placed_new(inputs->context, x.data, (size_t)inputs->n * sizeof(double), 0);
    inputs->y = placed_new(inputs->context, x.data, (size_t)inputs->n * sizeof(double), 0);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        inputs->on_device[format] = built_of(inputs->context, &list, (spry_format)format, SPRY_F64, SPRY_I32);
    inputs->on_host = built_of(inputs->host, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    vector_free(&x);
    list_free(&square);
    list_free(&list);
    return inputs;
}

static void inputs_free(struct inputs *inputs) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        built_free(&inputs->on_device[format]);
    built_free(&inputs->on_host);
    placed_free(&inputs->x);
    placed_free(&inputs->y);
    spry_context_destroy(inputs->host);
    spry_context_destroy(inputs->context);
    cr_expect_eq(inputs->counting.live_blocks, 0);
    cr_expect_not(inputs->counting.misused);
    free(inputs);
}

/* One call, or some that go together; `which` is one of its variants. A matrix that it makes goes to *result. */
typedef spry_status operation(struct inputs *inputs, int which, spry_matrix **result);

/* Fails the operations of the device that a call makes, one after the other, or each so many. */
static void check_some(const char *name, operation *work, int which, int step) {
    struct inputs *inputs = inputs_new();
    bool failed = true;
    for (int n = 1; n < 1000 && failed; n += step) {
        spry_matrix *result = NULL;
        standin_fail(n);
        spry_status status = work(inputs, which, &result);
        failed = standin_failed();
        standin_fail(0);
        cr_expect_eq(status, failed ? SPRY_ERROR_DEVICE : SPRY_OK, "%s %d, operation %d: %s, %s", name, which,
                     n, spry_status_string(status), spry_message(inputs->context));
        cr_expect(status == SPRY_OK || !result, "%s %d, operation %d: a result", name, which, n);
        cr_expect(!failed || spry_message(inputs->context)[0] || spry_message(inputs->host)[0],
                  "%s %d, operation %d: no message", name, which, n);
        spry_matrix_destroy(result);
    }
    cr_expect_not(failed, "%s %d goes on without end", name, which);
    inputs_free(inputs);
}

static void check(const char *name, operation *work, int which) {
    check_some(name, work, which, 1);
}

/* With measuring, of how many storages `which` says. Where cases are few, each fifth operation fails: a product is repeated many
   times. */
static void check_measured(const char *name, operation *work, int count) {
    for (int which = 0; which < count; which++)
        check_some(name, work, which, which > 0 && test_has_few_cases() ? 5 : 1);
}

static void check_each(const char *name, operation *work, int count) {
    for (int which = 0; which < count; which++)
        check(name, work, which);
}

/* ---- storage ---- */

static spry_status from_csr(struct inputs *inputs, int which, spry_matrix **result) {
    return spry_convert(inputs->context, inputs->on_device[SPRY_CSR].matrix, (spry_format)which, NULL,
                        result);
}

static spry_status to_csr(struct inputs *inputs, int which, spry_matrix **result) {
    return spry_convert(inputs->context, inputs->on_device[which].matrix, SPRY_CSR, NULL, result);
}

static spry_status by_choice(struct inputs *inputs, int measure, spry_matrix **result) {
    spry_convert_options options = {.size = sizeof options, .measure = measure};
    return spry_convert(inputs->context, inputs->on_device[SPRY_COO].matrix, SPRY_AUTO, &options, result);
}

static spry_status to_device(struct inputs *inputs, int which, spry_matrix **result) {
    (void)which;
    return spry_matrix_copy(inputs->context, inputs->on_host.matrix, result);
}

static spry_status to_host(struct inputs *inputs, int which, spry_matrix **result) {
    return spry_matrix_copy(inputs->host, inputs->on_device[which].matrix, result);
}

static spry_status cast(struct inputs *inputs, int which, spry_matrix **result) {
    return spry_cast(inputs->context, inputs->on_device[which].matrix, SPRY_F32, SPRY_I64, result);
}

static spry_status transpose(struct inputs *inputs, int which, spry_matrix **result) {
    return spry_transpose(inputs->context, inputs->on_device[which].matrix, result);
}

static spry_status update(struct inputs *inputs, int which, spry_matrix **result) {
    (void)result;
    return spry_update_values(inputs->context, inputs->on_device[which].matrix,
                              inputs->on_device[SPRY_CSR].matrix);
}

static spry_status wrap_csr(struct inputs *inputs, int which, spry_matrix **result) {
    (void)which;
    const spry_csr *csr = spry_matrix_csr(inputs->on_device[SPRY_CSR].matrix);
    return spry_wrap_csr(inputs->context, SPRY_F64, SPRY_I32, inputs->n, inputs->n, csr, result);
}

Test(device, fails_in_conversions) {
    check_each("from csr", from_csr, SPRY_FORMAT_COUNT);
    check_each("to csr", to_csr, SPRY_FORMAT_COUNT);
    check_measured("choice", by_choice, 3);
    check_each("cast", cast, SPRY_FORMAT_COUNT);
    check_each("transpose", transpose, SPRY_FORMAT_COUNT);
}

Test(device, fails_in_copies) {
    check("to the device", to_device, 0);
    check_each("to the host", to_host, SPRY_FORMAT_COUNT);
    check_each("update", update, SPRY_FORMAT_COUNT);
    check("wrap", wrap_csr, 0);
}

/* ---- files ---- */

static spry_status read_text(struct inputs *inputs, int which, spry_matrix **result) {
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 1 5\n";
    (void)which;
    return spry_read_memory(inputs->context, "text", text, sizeof text - 1, NULL, result, NULL);
}

static spry_status write_null(struct inputs *inputs, int which, spry_matrix **result) {
    (void)result;
    return spry_write(inputs->context, "/dev/null", inputs->on_device[which].matrix);
}

Test(device, fails_in_files) {
    check("read", read_text, 0);
    check_each("write", write_null, SPRY_FORMAT_COUNT);
}

/* ---- choice ---- */

static spry_status rank(struct inputs *inputs, int measure, spry_matrix **result) {
    spry_select_options options = {.size = sizeof options, .measure = measure};
    spry_ranking *ranking;
    (void)result;
    spry_status status = spry_select(inputs->context, inputs->on_device[SPRY_CSR].matrix, &options, &ranking);
    spry_ranking_destroy(ranking);
    return status;
}

static spry_status count_lengths(struct inputs *inputs, int which, spry_matrix **result) {
    const spry_matrix *csr = inputs->on_device[SPRY_CSR].matrix;
    spry_row_lengths lengths;
    spry_statistics statistics = {.size = sizeof statistics};
    (void)result;
    return which ? spry_matrix_statistics(inputs->context, csr, &statistics)
                 : spry_row_length_stats(inputs->context, csr, &lengths);
}

Test(device, fails_in_choices) {
    check_measured("ranking", rank, 3);
    check_each("lengths", count_lengths, 2);
}

/* ---- products and vectors ---- */

static spry_status multiply(struct inputs *inputs, int which, spry_matrix **result) {
    const spry_matrix *matrix = inputs->on_device[which].matrix;
    spry_context *context = inputs->context;
    double dot;
    (void)result;
    spry_status status = spry_spmv(context, SPRY_N, 1, matrix, inputs->x.data, 0.5, inputs->y.data);
    if (!status)
        status = spry_spmv(context, SPRY_T, 0, matrix, inputs->x.data, 0.5, inputs->y.data);
    if (!status)
        status = spry_reserve(context, matrix, SPRY_T);
    return status ? status
                  : spry_spmv_dot(context, matrix, inputs->x.data, inputs->y.data, inputs->x.data, &dot);
}

/* Two columns, row by row: brought together and taken apart where there is no kernel for many. */
static spry_status multiply_many(struct inputs *inputs, int which, spry_matrix **result) {
    const spry_matrix *matrix = inputs->on_device[which].matrix;
    void *x, *y;
    const size_t bytes = 2 * (size_t)inputs->n * sizeof(double);
    (void)result;
    spry_status status = spry_array_new(inputs->context, bytes, &x);
    if (status)
        return status;
    status = spry_array_new(inputs->context, bytes, &y);
    if (!status) {
        const spry_view from = spry_view_of_rows(x, inputs->n, 2, 2),
                        to = spry_view_of_rows(y, inputs->n, 2, 2);
        status = spry_spmm(inputs->context, SPRY_N, 1, matrix, &from, 0.5, &to);
    }
    spry_array_free(inputs->context, y, bytes);
    spry_array_free(inputs->context, x, bytes);
    return status;
}

static spry_status multiply_scaled(struct inputs *inputs, int which, spry_matrix **result) {
    spry_scaled *scaled = NULL;
    (void)result;
    spry_status status = spry_scaled_create(inputs->context, inputs->on_device[which].matrix, inputs->x.data,
                                            inputs->x.data, &scaled);
    if (!status)
        status = spry_scaled_spmv(inputs->context, SPRY_N, 1, scaled, inputs->x.data, 1, inputs->y.data);
    spry_scaled_destroy(scaled);
    return status;
}

static spry_status place(struct inputs *inputs, int which, spry_matrix **result) {
    double value = which;
    void *array;
    (void)result;
    spry_status status = spry_array_new(inputs->context, sizeof value, &array);
    if (!status)
        status = spry_array_put(inputs->context, array, &value, sizeof value);
    if (!status)
        status = spry_array_get(inputs->context, array, &value, sizeof value);
    spry_array_free(inputs->context, array, sizeof value);
    return status ? status : spry_synchronize(inputs->context);
}

static spry_status multiply_nothing(struct inputs *inputs, int which, spry_matrix **result) {
    static const int32_t pointers[1];
    spry_csr csr = {.ptr = (void *)(uintptr_t)pointers};
    spry_matrix *empty = NULL;
    (void)which, (void)result;
    spry_status status = spry_wrap_csr(inputs->context, SPRY_F64, SPRY_I32, 0, 3, &csr, &empty);
    if (!status)
        status = spry_spmv(inputs->context, SPRY_T, 1, empty, NULL, 0, inputs->y.data);
    spry_matrix_destroy(empty);
    return status;
}

Test(device, fails_in_products) {
    check_each("product", multiply, SPRY_FORMAT_COUNT);
    check_each("products", multiply_many, SPRY_FORMAT_COUNT);
    check_each("scaled product", multiply_scaled, SPRY_FORMAT_COUNT);
    check("array", place, 7);
    check("product without rows", multiply_nothing, 0);
}

/* ---- solvers ---- */

static spry_status solve(struct inputs *inputs, int which, spry_matrix **result) {
    spry_operator a = spry_operator_of_matrix(inputs->on_device[SPRY_CSR].matrix);
    spry_solver_options options = {.size = sizeof options, .method = (spry_method)which, .history = 1};
    spry_solver *solver = NULL;
    (void)result;
    spry_status status = spry_solver_create(inputs->context, &a, NULL, &options, &solver);
    if (!status)
        status = spry_solve(solver, inputs->x.data, inputs->y.data, NULL);
    spry_solver_destroy(solver);
    return status;
}

/* Where a solver has a copy of values, it takes new ones. */
static spry_status solve_again(struct inputs *inputs, int which, spry_matrix **result) {
    spry_matrix *matrix = inputs->on_device[which].matrix;
    spry_operator a = spry_operator_of_matrix(matrix);
    spry_solver *solver = NULL;
    (void)result;
    spry_status status = spry_solver_create(inputs->context, &a, NULL, NULL, &solver);
    if (!status)
        status = spry_update_values(inputs->context, matrix, inputs->on_device[SPRY_CSR].matrix);
    if (!status)
        status = spry_solve(solver, inputs->x.data, inputs->y.data, NULL);
    spry_solver_destroy(solver);
    return status;
}

static spry_status precondition(struct inputs *inputs, int which, spry_matrix **result) {
    const spry_matrix *matrix = inputs->on_device[SPRY_CSR].matrix;
    spry_precond_options options = {.size = sizeof options, .kind = (spry_precond_kind)which};
    spry_precond *precond = NULL;
    (void)result;
    spry_status status = spry_precond_create(inputs->context, matrix, &options, &precond);
    if (!status)
        status = spry_precond_update(inputs->context, precond, matrix);
    if (!status)
        status = spry_precond_apply(inputs->context, precond, inputs->x.data, inputs->y.data);
    spry_precond_destroy(precond);
    return status;
}

static spry_status substitute(struct inputs *inputs, int which, spry_matrix **result) {
    spry_trsv *trsv = NULL;
    (void)result;
    spry_status status = spry_trsv_create(inputs->context, inputs->on_device[SPRY_CSC].matrix, SPRY_LOWER,
                                          (spry_op)which, 0, &trsv);
    if (!status)
        status = spry_trsv_solve(inputs->context, trsv, inputs->x.data, inputs->y.data);
    spry_trsv_destroy(trsv);
    return status;
}

Test(device, fails_in_solvers) {
    check_each("method", solve, SPRY_METHOD_COUNT);
    check("solver of hyb", solve_again, SPRY_HYB);
    check("solver of stencils", solve_again, SPRY_STENCIL);
    check_each("preconditioner", precondition, SPRY_PRECOND_COUNT);
    check_each("triangle", substitute, SPRY_OP_COUNT);
}

/* The unit matrix, which counts how often it is applied. */
struct counted {
    int64_t n;
    int applied;
};

static spry_status apply_counted(spry_context *context, void *user, const void *x, void *y) {
    struct counted *counted = user;
    (void)context;
    memcpy(y, x, (size_t)counted->n * sizeof(double));
    counted->applied++;
    return SPRY_OK;
}

/* Iterations past the last one of a solve to this tolerance. CG applies once before the first, GMRES once behind its one cycle. */
static int applied_for_nothing(struct inputs *inputs, spry_method method, double tolerance) {
    struct counted counted = {.n = inputs->n};
    spry_operator a = spry_operator_of_matrix(inputs->on_device[SPRY_CSR].matrix),
                  m = {.size = sizeof m,
                       .n = inputs->n,
                       .type = SPRY_F64,
                       .apply = apply_counted,
                       .user = &counted,
                       .capturable = 1};
    spry_solver_options options = {
        .size = sizeof options, .method = method, .relative = tolerance, .restart = 64};
    spry_solver *solver;
    spry_solve_result result = {.size = sizeof result};
    cr_assert_eq(spry_solver_create(inputs->context, &a, &m, &options, &solver), SPRY_OK);
    counted.applied = 0;
    cr_assert_eq(spry_solve(solver, inputs->x.data, inputs->y.data, &result), SPRY_OK);
    cr_assert_eq(result.outcome, SPRY_CONVERGED);
    spry_solver_destroy(solver);
    return counted.applied - (int)result.iterations - 1;
}

/* The host looks in time: one application more in each solve is all that it may take. */
Test(device, applies_little_for_nothing) {
    struct inputs *inputs = inputs_new();
    for (double tolerance = 1e-4; tolerance > 1e-13; tolerance /= 10) {
        cr_expect_leq(applied_for_nothing(inputs, SPRY_CG, tolerance), 1, "to %g: %d", tolerance,
                      applied_for_nothing(inputs, SPRY_CG, tolerance));
        cr_expect_leq(applied_for_nothing(inputs, SPRY_GMRES, tolerance), 1, "gmres to %g: %d", tolerance,
                      applied_for_nothing(inputs, SPRY_GMRES, tolerance));
    }
    inputs_free(inputs);
}

/* What a solver has recorded of its iterations is played again, but for a preconditioner with new values, which may have moved. */
Test(device, records_again_after_an_update) {
    struct inputs *inputs = inputs_new();
    const spry_matrix *matrix = inputs->on_device[SPRY_CSR].matrix;
    const spry_precond_options ilu0 = {.size = sizeof ilu0, .kind = SPRY_ILU0};
    spry_precond *precond;
    spry_solver *solver;
    cr_assert_eq(spry_precond_create(inputs->context, matrix, &ilu0, &precond), SPRY_OK);
    const spry_operator a = spry_operator_of_matrix(matrix), m = spry_operator_of_precond(precond);
    cr_assert_eq(spry_solver_create(inputs->context, &a, &m, NULL, &solver), SPRY_OK);
    long before = standin_recorded();
    for (int time = 0; time < 3; time++) {
        cr_assert_eq(spry_solve(solver, inputs->x.data, inputs->y.data, NULL), SPRY_OK);
        cr_expect(time == 1 ? standin_recorded() == before : standin_recorded() > before, "time %d", time);
        before = standin_recorded();
        if (time == 1)
            cr_assert_eq(spry_precond_update(inputs->context, precond, matrix), SPRY_OK);
    }
    spry_solver_destroy(solver);
    spry_precond_destroy(precond);
    inputs_free(inputs);
}

/* ---- in the wrong place ---- */

static void expect_refused(spry_context *context, spry_status status, const char *words) {
    cr_expect_eq(status, SPRY_ERROR_ARGUMENT, "%s: %s", words, spry_status_string(status));
    cr_expect(strstr(spry_message(context), words), "%s", spry_message(context));
}

Test(device, matrix_of_another) {
    struct inputs *inputs = inputs_new();
    spry_context *host = inputs->host;
    spry_matrix *there = inputs->on_device[SPRY_CSR].matrix, *here = inputs->on_host.matrix, *made;
    spry_operator a = spry_operator_of_matrix(there);
    spry_row_lengths lengths;
    spry_ranking *ranking;
    spry_solver *solver;
    spry_precond *precond;
    spry_trsv *trsv;
    spry_scaled *scaled;
    double value[2];
    const char *words = "the matrix is on cuda device 0, the context on cpu device 0";
    expect_refused(host, spry_convert(host, there, SPRY_ELL, NULL, &made), words);
    expect_refused(host, spry_cast(host, there, SPRY_F32, SPRY_I32, &made), words);
    expect_refused(host, spry_transpose(host, there, &made), words);
    expect_refused(host, spry_update_values(host, there, here), words);
    expect_refused(host, spry_update_values(host, here, there), words);
    expect_refused(host, spry_validate(host, there, 0), words);
    expect_refused(host, spry_write(host, "/dev/null", there), words);
    expect_refused(host, spry_spmv(host, SPRY_N, 1, there, value, 0, value), words);
    expect_refused(host, spry_spmv_dot(host, there, value, value, value, value), words);
    expect_refused(host, spry_reserve(host, there, SPRY_N), words);
    expect_refused(host, spry_row_length_stats(host, there, &lengths), words);
    expect_refused(host, spry_select(host, there, NULL, &ranking), words);
    expect_refused(host, spry_solver_create(host, &a, NULL, NULL, &solver), words);
    expect_refused(host,
                   spry_precond_create(
                       host, there, &(spry_precond_options){.size = sizeof(spry_precond_options)}, &precond),
                   words);
    expect_refused(host, spry_trsv_create(host, there, SPRY_LOWER, SPRY_N, 0, &trsv), words);
    expect_refused(host, spry_scaled_create(host, there, NULL, value, &scaled), words);
    inputs_free(inputs);
}

Test(device, preparations_of_another) {
    struct inputs *inputs = inputs_new();
    const spry_matrix *matrix = inputs->on_device[SPRY_CSR].matrix;
    double *x = inputs->x.data, *y = inputs->y.data;
    spry_precond *precond;
    spry_trsv *trsv;
    spry_scaled *scaled;
    cr_assert_eq(spry_scaled_create(inputs->context, matrix, x, NULL, &scaled), SPRY_OK);
    cr_assert_eq(spry_precond_create(inputs->context, matrix,
                                     &(spry_precond_options){.size = sizeof(spry_precond_options)}, &precond),
                 SPRY_OK);
    cr_assert_eq(spry_trsv_create(inputs->context, matrix, SPRY_LOWER, SPRY_N, 0, &trsv), SPRY_OK);
    expect_refused(inputs->host, spry_precond_apply(inputs->host, precond, x, y),
                   "the preconditioner is on cuda device 0, the context on cpu device 0");
    expect_refused(inputs->host, spry_trsv_solve(inputs->host, trsv, x, y),
                   "the triangle is on cuda device 0, the context on cpu device 0");
    expect_refused(inputs->host, spry_scaled_spmv(inputs->host, SPRY_N, 1, scaled, x, 0, y),
                   "spry_scaled_spmv: the matrix is on cuda device 0, the context on cpu device 0");
    const spry_operator a = spry_operator_of_matrix(inputs->on_host.matrix),
                        m = spry_operator_of_precond(precond), s = spry_operator_of_scaled(scaled);
    spry_solver *solver;
    expect_refused(inputs->host, spry_solver_create(inputs->host, &a, &m, NULL, &solver),
                   "spry_solver_create: the preconditioner is on cuda device 0, the context on cpu device 0");
    expect_refused(inputs->host, spry_solver_create(inputs->host, &s, NULL, NULL, &solver),
                   "spry_solver_create: the matrix is on cuda device 0, the context on cpu device 0");
    spry_scaled_destroy(scaled);
    spry_precond_destroy(precond);
    spry_trsv_destroy(trsv);
    inputs_free(inputs);
}

Test(device, array_out_of_reach) {
    struct inputs *inputs = inputs_new();
    const spry_csr *csr = spry_matrix_csr(inputs->on_device[SPRY_CSR].matrix);
    spry_matrix *matrix;
    standin_hide(csr->val);
    expect_refused(inputs->context,
                   spry_wrap_csr(inputs->context, SPRY_F64, SPRY_I32, inputs->n, inputs->n, csr, &matrix),
                   "array 3 is in memory of the host");
    cr_expect_null(matrix);
    spry_scaled *scaled;
    standin_hide(inputs->x.data);
    expect_refused(inputs->context,
                   spry_scaled_create(inputs->context, inputs->on_device[SPRY_CSR].matrix, NULL,
                                      inputs->x.data, &scaled),
                   "the right factor is in memory of the host");
    cr_expect_null(scaled);
    const spry_operator a = spry_operator_of_matrix(inputs->on_device[SPRY_CSR].matrix),
                        m = {.size = sizeof m, .n = inputs->n, .type = SPRY_F64, .diagonal = inputs->x.data};
    spry_solver *solver;
    expect_refused(inputs->context, spry_solver_create(inputs->context, &a, &m, NULL, &solver),
                   "a diagonal is in memory of the host");
    cr_expect_null(solver);
    standin_hide(NULL);
    inputs_free(inputs);
}

/* A profile of this very device is taken as it is; another one is fitted to its memory. */
Test(device, profile_of_its_own) {
    static const struct {
        const char *machine;
        int processors;
        const char *profile;
    } cases[] = {{"NVIDIA H200", 132, "NVIDIA H200"},
                 {"NVIDIA H200", 16, "NVIDIA H200 (adapted to 1000 GB/s)"},
                 {"another", 132, "NVIDIA H200 (adapted to 1000 GB/s)"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        standin_name(cases[i].machine, cases[i].processors);
        spry_context *context = test_context(1);
        cr_expect_str_eq(spry_profile_machine(context), cases[i].profile);
        spry_context_destroy(context);
    }
}

/* Entries that are refused, in a matrix of two rows, are brought to the host to be named. */
static spry_status name_entry(struct inputs *inputs, int which, spry_matrix **result) {
    static const int32_t pointers[] = {0, 2, 4}, columns[] = {0, 1, 0, 1};
    static const double no_diagonal[] = {0, 1, 1, 0}, not_definite[] = {1, 2, 2, 1};
    spry_csr csr = {.ptr = (void *)(uintptr_t)pointers,
                    .idx = (void *)(uintptr_t)columns,
                    .val = (void *)(uintptr_t)(which == 0 ? no_diagonal : not_definite)};
    spry_precond_options options = {.size = sizeof options, .kind = which == 0 ? SPRY_JACOBI : SPRY_IC0};
    spry_matrix *matrix = NULL;
    spry_precond *precond = NULL;
    (void)result;
    spry_status status = spry_wrap_csr(inputs->context, SPRY_F64, SPRY_I32, 2, 2, &csr, &matrix);
    if (!status)
        status = spry_precond_create(inputs->context, matrix, &options, &precond);
    spry_precond_destroy(precond);
    spry_matrix_destroy(matrix);
    return status == SPRY_ERROR_INVALID && which == 0 ? SPRY_OK : status;
}

Test(device, fails_while_entries_are_refused) {
    check("jacobi", name_entry, 0);
    check("ic0 with shifts", name_entry, 1);
}

Test(device, says_what_memory_is_left) {
    struct inputs *inputs = inputs_new();
    void *array;
    counting_refuse(&inputs->counting, 1);
    cr_expect_eq(spry_array_new(inputs->context, 1000, &array), SPRY_ERROR_MEMORY);
    cr_expect_null(array);
    cr_expect_str_eq(spry_message(inputs->context),
                     "no memory for 1.00 kB (1000 items of 1 bytes): the device has 12.3 MB left");
    inputs_free(inputs);
}

Test(device, without_such_a_number) {
    spry_context *context;
    spry_context_options options = {.size = sizeof options, .backend = SPRY_CUDA, .device = 1};
    cr_expect_eq(spry_context_create(&context, &options), SPRY_ERROR_ARGUMENT);
    cr_expect_null(context);
}
