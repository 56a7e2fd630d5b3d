/* SPDX-License-Identifier: BSD-3-Clause */
/* What only CUDA has: two places at once, streams, and products that are captured in a graph and replayed. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/build.h"
#include "support/reference.h"
#include "support/scenarios.h"
#include "support/vector.h"

#define REPLAYS 4

#define MUST(call) cr_assert_eq(call, cudaSuccess, "%s: %s", #call, cudaGetErrorString(cudaPeekAtLastError()))

static spry_context *context;
static struct list list;

static void start(void) {
    context = test_context(1);
    list = test_scenario("power law")->make();
}

static void stop(void) {
    list_free(&list);
    spry_context_destroy(context);
}

static struct built must_build(spry_format format, spry_value_type type) {
    struct built built;
    cr_assert_eq(build(context, &list, format, type, SPRY_I32, CONVERTED, &built), SPRY_OK, "%s",
                 spry_message(context));
    return built;
}

static int64_t inputs(spry_op op) {
    return op == SPRY_N ? list.cols : list.rows;
}

static int64_t outputs(spry_op op) {
    return op == SPRY_N ? list.rows : list.cols;
}

/* Whether y, where the context works, is the product with x. */
static bool is_product(spry_op op, const struct vector *x, const struct placed *y_there) {
    struct vector y = vector_new(x->type, outputs(op), 0);
    struct reference reference = reference_new(&list, op, x);
    bool right = vector_fetch(&y, y_there) == SPRY_OK && reference_differs(&reference, 1, 0, &y, &y) < 0;
    reference_free(&reference);
    vector_free(&y);
    return right;
}

/* ---- graphs ---- */

TestSuite(graph, .init = start, .fini = stop);

static cudaGraphExec_t captured(const spry_matrix *matrix, spry_op op, const void *x, void *y) {
    cudaStream_t stream = spry_context_stream(context);
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    cr_assert_eq(spry_reserve(context, matrix, op), SPRY_OK);
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cr_expect_eq(spry_spmv(context, op, 1, matrix, x, 0, y), SPRY_OK, "%s", spry_message(context));
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&replay, graph, 0));
    MUST(cudaGraphDestroy(graph));
    return replay;
}

/* The values of x change between replays, and other products of the context come between. */
static void check_replays(const spry_matrix *matrix, spry_op op, const spry_matrix *other) {
    spry_value_type type = spry_matrix_type(matrix);
    struct vector x = vector_new(type, inputs(op), 0), y = vector_new(type, outputs(op), 0);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    cudaGraphExec_t replay = captured(matrix, op, x_there.data, y_there.data);
    for (uint64_t seed = 1; seed <= REPLAYS; seed++) {
        vector_random(&x, seed);
        cr_assert_eq(vector_put(&x, &x_there), SPRY_OK);
        cr_assert_eq(spry_spmv(context, op, 1, other, x_there.data, 0, y_there.data), SPRY_OK);
        MUST(cudaGraphLaunch(replay, spry_context_stream(context)));
        cr_expect(is_product(op, &x, &y_there), "%s %s %s, replay %d",
                  spry_format_name(spry_matrix_format(matrix)), spry_type_name(type),
                  op == SPRY_N ? "N" : "T", (int)seed);
    }
    MUST(cudaGraphExecDestroy(replay));
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
}

Test(graph, replayed) {
    for (int type = 0; type < SPRY_TYPE_COUNT; type++) {
        list_round(&list, (spry_value_type)type);
        struct built other = must_build(SPRY_HYB, (spry_value_type)type);
        for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
            struct built built = must_build((spry_format)format, (spry_value_type)type);
            check_replays(built.matrix, SPRY_N, other.matrix);
            check_replays(built.matrix, SPRY_T, other.matrix);
            built_free(&built);
        }
        built_free(&other);
        list_free(&list);
        list = test_scenario("power law")->make();
    }
}

/* The list of a matrix that is scaled by the values of two vectors. */
static struct list scaled_list(const struct list *plain, const struct vector *left,
                               const struct vector *right) {
    struct list scaled = list_copy(plain);
    for (int64_t k = 0; k < scaled.nnz; k++)
        scaled.val[k] *= vector_get(left, scaled.row[k]) * vector_get(right, scaled.col[k]);
    return scaled;
}

/* Factors that are kept apart may have new values between replays. */
static void check_scaled(const spry_matrix *matrix, spry_op op) {
    struct list plain = list;
    struct vector left = vector_new(SPRY_F64, plain.rows, 0), right = vector_new(SPRY_F64, plain.cols, 0),
                  x = vector_new(SPRY_F64, inputs(op), 0), y = vector_new(SPRY_F64, outputs(op), 0);
    struct placed left_there = vector_place(context, &left), right_there = vector_place(context, &right),
                  x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    cudaStream_t stream = spry_context_stream(context);
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    spry_scaled *scaled;
    cr_assert_eq(spry_scaled_create(context, matrix, left_there.data, right_there.data, &scaled), SPRY_OK,
                 "%s", spry_message(context));
    cr_assert_eq(spry_scaled_spmv(context, op, 1, scaled, x_there.data, 0, y_there.data), SPRY_OK);
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cr_expect_eq(spry_scaled_spmv(context, op, 1, scaled, x_there.data, 0, y_there.data), SPRY_OK, "%s",
                 spry_message(context));
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&replay, graph, 0));
    MUST(cudaGraphDestroy(graph));
    for (uint64_t seed = 1; seed <= REPLAYS; seed++) {
        vector_random(&x, seed);
        vector_random(&left, 10 + seed);
        vector_random(&right, 20 + seed);
        cr_assert_eq(vector_put(&x, &x_there), SPRY_OK);
        cr_assert_eq(vector_put(&left, &left_there), SPRY_OK);
        cr_assert_eq(vector_put(&right, &right_there), SPRY_OK);
        MUST(cudaGraphLaunch(replay, stream));
        list = scaled_list(&plain, &left, &right);
        cr_expect(is_product(op, &x, &y_there), "%s, operation %d, replay %d",
                  spry_format_name(spry_matrix_format(matrix)), (int)op, (int)seed);
        list_free(&list);
    }
    list = plain;
    MUST(cudaGraphExecDestroy(replay));
    spry_scaled_destroy(scaled);
    placed_free(&left_there);
    placed_free(&right_there);
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&left);
    vector_free(&right);
    vector_free(&x);
    vector_free(&y);
}

Test(graph, scaled) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        struct built built = must_build((spry_format)format, SPRY_F64);
        check_scaled(built.matrix, SPRY_N);
        check_scaled(built.matrix, SPRY_T);
        built_free(&built);
    }
}

/* Factors in memory of the host. */
Test(graph, factors_that_a_device_does_not_reach) {
    struct built built = must_build(SPRY_CSR, SPRY_F64);
    double *host = test_malloc((size_t)(list.rows + list.cols) * sizeof *host);
    spry_scaled *scaled;
    cr_expect_eq(spry_scaled_create(context, built.matrix, host, NULL, &scaled), SPRY_ERROR_ARGUMENT);
    cr_expect_not_null(strstr(spry_message(context), "the left factor is in memory of the host"), "%s",
                       spry_message(context));
    cr_expect_eq(spry_scaled_create(context, built.matrix, NULL, host, &scaled), SPRY_ERROR_ARGUMENT);
    cr_expect_not_null(strstr(spry_message(context), "the right factor"), "%s", spry_message(context));
    cr_expect_null(scaled);
    free(host);
    built_free(&built);
}

/* Workspace that grows later leaves a graph what it was captured with. */
Test(graph, outlives_growth) {
    struct list small = list, large = test_scenario("tall")->make();
    struct built built = must_build(SPRY_CSR, SPRY_F64);
    struct vector x = vector_new(SPRY_F64, inputs(SPRY_T), 0), y = vector_new(SPRY_F64, outputs(SPRY_T), 0);
    vector_random(&x, 8);
    struct placed x_there = vector_place(context, &x), y_there = vector_place(context, &y);
    cudaGraphExec_t replay = captured(built.matrix, SPRY_T, x_there.data, y_there.data);
    list = list_transposed(&large);
    struct built larger = must_build(SPRY_CSR, SPRY_F64);
    cr_expect_eq(spry_reserve(context, larger.matrix, SPRY_T), SPRY_OK);
    list_free(&list);
    list = small;
    MUST(cudaGraphLaunch(replay, spry_context_stream(context)));
    cr_expect(is_product(SPRY_T, &x, &y_there));
    MUST(cudaGraphExecDestroy(replay));
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
    built_free(&built);
    built_free(&larger);
    list_free(&large);
}

/* Memory cannot be had during capture: the call says what to do before. */
Test(graph, without_workspace) {
    struct built built = must_build(SPRY_CSR, SPRY_F64);
    struct vector zeros = vector_new(SPRY_F64, list.rows + list.cols, 0);
    spry_context *fresh = test_context(1);
    struct placed x = vector_place(fresh, &zeros), y = vector_place(fresh, &zeros);
    cudaGraph_t graph;
    MUST(cudaStreamBeginCapture(spry_context_stream(fresh), cudaStreamCaptureModeThreadLocal));
    cr_expect_eq(spry_spmv(fresh, SPRY_T, 1, built.matrix, x.data, 0, y.data), SPRY_ERROR_DEVICE);
    cr_expect(strstr(spry_message(fresh), "spry_reserve"), "%s", spry_message(fresh));
    MUST(cudaStreamEndCapture(spry_context_stream(fresh), &graph));
    MUST(cudaGraphDestroy(graph));
    cr_expect_eq(spry_reserve(fresh, built.matrix, SPRY_T), SPRY_OK, "%s", spry_message(fresh));
    placed_free(&x);
    placed_free(&y);
    spry_context_destroy(fresh);
    vector_free(&zeros);
    built_free(&built);
}

/* ---- streams and lifetimes ---- */

TestSuite(stream, .init = start, .fini = stop);

static void expect_product(spry_context *where, const spry_matrix *matrix) {
    struct vector x = vector_new(spry_matrix_type(matrix), list.cols, 0);
    struct vector y = vector_new(x.type, list.rows, 0);
    vector_random(&x, 4);
    struct placed x_there = vector_place(where, &x), y_there = vector_place(where, &y);
    cr_expect_eq(spry_spmv(where, SPRY_N, 1, matrix, x_there.data, 0, y_there.data), SPRY_OK, "%s",
                 spry_message(where));
    cr_expect(is_product(SPRY_N, &x, &y_there), "%s", spry_format_name(spry_matrix_format(matrix)));
    placed_free(&x_there);
    placed_free(&y_there);
    vector_free(&x);
    vector_free(&y);
}

Test(stream, of_the_caller) {
    cudaStream_t stream;
    struct built built = must_build(SPRY_CSR, SPRY_F64);
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    spry_context *other = test_context_with(&(spry_context_options){
        .size = sizeof(spry_context_options), .backend = SPRY_CUDA, .stream = stream});
    cr_expect_eq(spry_context_stream(other), stream);
    expect_product(other, built.matrix);
    spry_context_destroy(other);
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaStreamDestroy(stream));
    built_free(&built);
}

Test(stream, matrices_outlive_their_context) {
    spry_context *first = context;
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        context = test_context(1);
        struct built built = must_build((spry_format)format, SPRY_F64);
        spry_context_destroy(context);
        expect_product(first, built.matrix);
        built_free(&built);
    }
    context = first;
}

/* Work that takes a while, and says when it has ended. */
static void take_a_while(void *ended) {
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    *(volatile bool *)ended = true;
}

/* All that may use a matrix is on its own device, whichever the thread works with by then. */
Test(stream, released_while_another_device_is_current) {
    int devices = 0, current = 0;
    volatile bool ended = false;
    MUST(cudaGetDeviceCount(&devices));
    if (devices < 2)
        cr_skip_test("it takes two devices");
    struct built built = must_build(SPRY_CSR, SPRY_F64);
    MUST(cudaLaunchHostFunc(spry_context_stream(context), take_a_while, (void *)(uintptr_t)&ended));
    MUST(cudaSetDevice(1));
    spry_matrix_destroy(built.matrix);
    built.matrix = NULL;
    cr_expect(ended);
    MUST(cudaGetDevice(&current));
    cr_expect_eq(current, 1);
    MUST(cudaSetDevice(0));
    built_free(&built);
}

/* ---- host and device ---- */

TestSuite(places, .init = start, .fini = stop);

static spry_context *on_cpu(void) {
    return test_context_with(&(spry_context_options){
        .size = sizeof(spry_context_options), .backend = SPRY_CPU, .threads = 2, .grain = 1});
}

Test(places, copies_to_and_fro) {
    spry_context *cpu = on_cpu();
    list_sort(&list);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++) {
            struct built built;
            spry_matrix *there, *back;
            cr_assert_eq(
                build(cpu, &list, (spry_format)format, SPRY_F64, (spry_index_type)index, CONVERTED, &built),
                SPRY_OK);
            cr_assert_eq(spry_matrix_copy(context, built.matrix, &there), SPRY_OK, "%s",
                         spry_message(context));
            cr_assert_eq(spry_matrix_copy(cpu, there, &back), SPRY_OK, "%s", spry_message(cpu));
            cr_expect_eq(spry_matrix_backend(there), SPRY_CUDA);
            cr_expect_eq(spry_matrix_backend(back), SPRY_CPU);
            cr_expect_eq(spry_matrix_bytes(there), spry_matrix_bytes(built.matrix));
            cr_expect(equals_list(context, there, &list), "%s there", spry_format_name((spry_format)format));
            cr_expect(equals_list(cpu, back, &list), "%s back", spry_format_name((spry_format)format));
            expect_product(context, there);
            spry_matrix_destroy(there);
            spry_matrix_destroy(back);
            built_free(&built);
        }
    spry_context_destroy(cpu);
}

/* Every call that takes a matrix names the mistake and touches nothing. */
static void expect_refused(spry_context *here, spry_matrix *elsewhere) {
    double x[1] = {0}, y[1] = {0};
    spry_matrix *result;
    spry_row_lengths lengths;
    const spry_kernel *kernel = spry_kernel_for(elsewhere, SPRY_N);
    cr_expect_eq(spry_spmv(here, SPRY_N, 1, elsewhere, x, 0, y), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(here), "spry_matrix_copy"), "%s", spry_message(here));
    cr_expect_neq(spry_spmv_with(here, kernel, 1, elsewhere, x, 0, y), SPRY_OK);
    cr_expect_eq(spry_reserve(here, elsewhere, SPRY_T), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_convert(here, elsewhere, SPRY_COO, NULL, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_cast(here, elsewhere, SPRY_F32, SPRY_I32, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_transpose(here, elsewhere, &result), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_validate(here, elsewhere, 0), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_update_values(here, elsewhere, elsewhere), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_write(here, "/dev/null", elsewhere), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_row_length_stats(here, elsewhere, &lengths), SPRY_ERROR_ARGUMENT);
    cr_expect(strstr(spry_message(here), "spry_matrix_copy"), "%s", spry_message(here));
}

Test(places, matrices_elsewhere_are_refused) {
    spry_context *cpu = on_cpu();
    struct built there = must_build(SPRY_CSR, SPRY_F64), here;
    cr_assert_eq(build(cpu, &list, SPRY_CSR, SPRY_F64, SPRY_I32, CONVERTED, &here), SPRY_OK);
    expect_refused(cpu, there.matrix);
    expect_refused(context, here.matrix);
    built_free(&there);
    built_free(&here);
    spry_context_destroy(cpu);
}

/* Memory of another device is out of reach, unless the program has enabled access to it. */
Test(places, arrays_of_another_device) {
    int devices = 0, can_access = 0;
    void *there;
    spry_matrix *matrix;
    MUST(cudaGetDeviceCount(&devices));
    if (devices < 2)
        cr_skip_test("it takes two devices");
    MUST(cudaSetDevice(1));
    MUST(cudaMalloc(&there, 64));
    MUST(cudaMemset(there, 0, 64));
    MUST(cudaDeviceSynchronize());
    MUST(cudaSetDevice(0));
    const spry_coo coo = {.row = there, .col = there, .val = there};
    cr_expect_eq(spry_wrap_coo(context, SPRY_F64, SPRY_I32, 4, 4, 1, &coo, &matrix), SPRY_ERROR_ARGUMENT);
    cr_expect_not_null(strstr(spry_message(context), "another device"), "%s", spry_message(context));
    MUST(cudaDeviceCanAccessPeer(&can_access, 0, 1));
    if (can_access) {
        MUST(cudaDeviceEnablePeerAccess(1, 0));
        cr_expect_eq(spry_wrap_coo(context, SPRY_F64, SPRY_I32, 4, 4, 1, &coo, &matrix), SPRY_OK, "%s",
                     spry_message(context));
        spry_matrix_destroy(matrix);
    }
    MUST(cudaFree(there));
}

/* What is read through the context is where it works, and from there it is written. */
Test(places, files) {
    static const char text[] =
        "%%MatrixMarket matrix coordinate real general\n2 3 3\n2 1 2.5\n1 3 -1\n2 2 4\n";
    char path[] = "/tmp/spry_cuda_XXXXXX";
    cr_assert_geq(close(mkstemp(path)), 0);
    struct list entries = list_new(2, 3);
    list_add(&entries, 0, 2, -1);
    list_add(&entries, 1, 0, 2.5);
    list_add(&entries, 1, 1, 4);
    spry_matrix *read, *again;
    cr_assert_eq(spry_read_memory(context, "text", text, sizeof text - 1, NULL, &read, NULL), SPRY_OK, "%s",
                 spry_message(context));
    cr_expect_eq(spry_matrix_backend(read), SPRY_CUDA);
    cr_expect(equals_list(context, read, &entries));
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_matrix *written;
        cr_assert_eq(spry_convert(context, read, (spry_format)format, NULL, &written), SPRY_OK);
        cr_assert_eq(spry_write(context, path, written), SPRY_OK, "%s", spry_message(context));
        cr_assert_eq(spry_read(context, path, NULL, &again, NULL), SPRY_OK, "%s", spry_message(context));
        cr_expect(equals_list(context, again, &entries), "%s", spry_format_name((spry_format)format));
        spry_matrix_destroy(written);
        spry_matrix_destroy(again);
    }
    cr_expect_eq(spry_read_memory(context, "text", "nothing", 7, NULL, &again, NULL), SPRY_ERROR_SYNTAX);
    cr_expect(strstr(spry_message(context), "text"), "%s", spry_message(context));
    spry_matrix_destroy(read);
    list_free(&entries);
    remove(path);
}

/* Products that scatter have a reproducible kernel, and a faster one for who does not mind. */
Test(places, order_is_a_choice) {
    spry_context *any = test_context_with(&(spry_context_options){
        .size = sizeof(spry_context_options), .backend = SPRY_CUDA, .nondeterministic = 1});
    spry_context *ordered = context;
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_op scatters = format == SPRY_CSC ? SPRY_N : SPRY_T;
        for (int choice = 0; choice < 2; choice++) {
            context = choice ? any : ordered;
            struct built built = must_build((spry_format)format, SPRY_F32);
            cr_expect_eq(spry_kernel_describe(spry_kernel_for(built.matrix, scatters)).nondeterministic,
                         choice, "%s", spry_format_name((spry_format)format));
            built_free(&built);
        }
    }
    context = ordered;
    spry_context_destroy(any);
}
