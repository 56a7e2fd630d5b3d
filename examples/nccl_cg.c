/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson's equation by conjugate gradients on all GPUs of a machine, a thread and a share of the rows each, with NCCL
   between them:
       cc nccl_cg.c $(pkg-config --cflags --libs spry) -I$CUDA/include -L$CUDA/lib64 -lnccl -lcudart -lm -pthread -o nccl_cg
       nccl_cg [POINTS-A-SIDE [GPUS]]
   With a process each, as over several machines, ncclUniqueId and the lists of halos come to the others by MPI. */
#define _POSIX_C_SOURCE 200809L
#include <cuda_runtime_api.h>
#include <math.h>
#include <nccl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <spry/spry.h>

enum { MOST_GPUS = 16 };

/* What a thread has; all arrays but the lists are on its GPU. */
struct part {
    int rank;
    spry_context *context;
    ncclComm_t comm;
    cudaStream_t main, side; /* the context's, and one for what travels */
    cudaEvent_t packed, arrived;
    spry_matrix *inner, *outer, *select; /* the last has a row for each value that is sent */
    spry_halo *halo;
    int64_t own, to_begin[MOST_GPUS + 1]; /* rows; where what goes to each GPU begins */
    double *sent, *halo_x;
    int64_t sums; /* that the host has asked for */
    pthread_t thread;
};

static int gpus;
static int64_t side, first[MOST_GPUS + 1]; /* rows of each */
static struct part parts[MOST_GPUS];
static ncclUniqueId id;
static pthread_barrier_t all;

/* One thread that cannot go on ends all. */
static void end_all(int rank, const char *what, const char *why) {
    fprintf(stderr, "GPU %d: %s: %s\n", rank, what, why);
    _Exit(EXIT_FAILURE);
}

static void check(struct part *part, spry_status status) {
    if (status != SPRY_OK)
        end_all(part->rank, spry_status_string(status),
                part->context ? spry_message(part->context) : "no context");
}

static void check_cuda(struct part *part, cudaError_t error) {
    if (error != cudaSuccess)
        end_all(part->rank, "CUDA", cudaGetErrorString(error));
}

static void check_nccl(struct part *part, ncclResult_t result) {
    if (result != ncclSuccess)
        end_all(part->rank, "NCCL", ncclGetErrorString(result));
}

static void *allocate(int64_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        end_all(-1, "host", "out of memory");
    return memory;
}

static double *device_array(struct part *part, int64_t count) {
    void *array;
    check(part, spry_array_new(part->context, (size_t)count * sizeof(double), &array));
    return array;
}

/* ---- rows ---- */

/* A matrix of the host comes to the GPU, with 32-bit indices. */
static spry_matrix *bring(struct part *part, spry_context *host, spry_matrix *matrix) {
    spry_matrix *narrow, *there, *fast;
    if (spry_cast(host, matrix, SPRY_F64, SPRY_I32, &narrow) != SPRY_OK)
        end_all(part->rank, "host", spry_message(host));
    spry_matrix_destroy(matrix);
    check(part, spry_matrix_copy(part->context, narrow, &there));
    spry_matrix_destroy(narrow);
    check(part, spry_convert(part->context, there, SPRY_AUTO, NULL, &fast));
    spry_matrix_destroy(there);
    return fast;
}

/* The rows of the 5-point Laplacian that this GPU has. */
static void make_rows(struct part *part, spry_context *host) {
    static const int dx[] = {0, -1, 0, 1, 0}, dy[] = {-1, 0, 0, 0, 1};
    int64_t *ptr = allocate(part->own, sizeof *ptr), *idx = allocate(5 * part->own, sizeof *idx), nnz = 0;
    double *val = allocate(5 * part->own, sizeof *val);
    spry_csr arrays = {.ptr = ptr, .idx = idx, .val = val};
    spry_matrix *rows, *inner, *outer;
    for (int64_t i = 0; i < part->own; i++) {
        const int64_t row = first[part->rank] + i;
        for (int k = 0; k < 5; k++) {
            int64_t u = row % side + dx[k], v = row / side + dy[k];
            if (u >= 0 && u < side && v >= 0 && v < side) {
                idx[nnz] = v * side + u;
                val[nnz++] = k == 2 ? 4.0 : -1.0;
            }
        }
        ptr[i + 1] = nnz;
    }
    if (spry_wrap_csr(host, SPRY_F64, SPRY_I64, part->own, first[gpus], &arrays, &rows) != SPRY_OK ||
        spry_halo_create(host, rows, gpus, first, part->rank, &inner, &outer, &part->halo) != SPRY_OK)
        end_all(part->rank, "host", spry_message(host));
    part->inner = bring(part, host, inner);
    part->outer = bring(part, host, outer);
    spry_matrix_destroy(rows);
    free(ptr);
    free(idx);
    free(val);
}

/* What others' halos ask of this GPU, one after the other, as a matrix that picks it out of x. */
static void plan_exchange(struct part *part, spry_context *host) {
    for (int r = 0; r < gpus; r++) {
        const int64_t *begin = spry_halo_begin(parts[r].halo);
        part->to_begin[r + 1] = part->to_begin[r] + begin[part->rank + 1] - begin[part->rank];
    }
    const int64_t count = part->to_begin[gpus];
    int64_t *ptr = allocate(count, sizeof *ptr), *idx = allocate(count, sizeof *idx), k = 0;
    double *val = allocate(count, sizeof *val);
    for (int r = 0; r < gpus; r++) {
        const int64_t *begin = spry_halo_begin(parts[r].halo), *column = spry_halo_columns(parts[r].halo);
        for (int64_t c = begin[part->rank]; c < begin[part->rank + 1]; c++, k++) {
            ptr[k] = k;
            idx[k] = column[c] - first[part->rank];
            val[k] = 1.0;
        }
    }
    ptr[count] = count;
    spry_csr arrays = {.ptr = ptr, .idx = idx, .val = val};
    spry_matrix *wrapped;
    if (spry_wrap_csr(host, SPRY_F64, SPRY_I64, count, part->own, &arrays, &wrapped) != SPRY_OK)
        end_all(part->rank, "host", spry_message(host));
    part->select = bring(part, host, wrapped);
    part->sent = device_array(part, count);
    part->halo_x = device_array(part, spry_halo_count(part->halo));
    free(ptr);
    free(idx);
    free(val);
}

/* ---- what the solver calls: work for the stream, the same each time, so that it may be recorded ---- */

static void exchange(struct part *part) {
    const int64_t *from = spry_halo_begin(part->halo);
    check_cuda(part, cudaEventRecord(part->packed, part->main));
    check_cuda(part, cudaStreamWaitEvent(part->side, part->packed, 0));
    check_nccl(part, ncclGroupStart());
    for (int r = 0; r < gpus; r++) {
        const size_t to_count = (size_t)(part->to_begin[r + 1] - part->to_begin[r]),
                     from_count = (size_t)(from[r + 1] - from[r]);
        if (to_count > 0)
            check_nccl(part, ncclSend(part->sent + part->to_begin[r], to_count, ncclDouble, r, part->comm,
                                      part->side));
        if (from_count > 0)
            check_nccl(part,
                       ncclRecv(part->halo_x + from[r], from_count, ncclDouble, r, part->comm, part->side));
    }
    check_nccl(part, ncclGroupEnd());
    check_cuda(part, cudaEventRecord(part->arrived, part->side));
}

/* y = A x: the own columns while the others' values travel. */
static spry_status multiply(spry_context *context, void *user, const void *x, void *y) {
    struct part *part = user;
    spry_status status = spry_spmv(context, SPRY_N, 1.0, part->select, x, 0.0, part->sent);
    if (status)
        return status;
    exchange(part);
    status = spry_spmv(context, SPRY_N, 1.0, part->inner, x, 0.0, y);
    check_cuda(part, cudaStreamWaitEvent(part->main, part->arrived, 0));
    return status ? status : spry_spmv(context, SPRY_N, 1.0, part->outer, part->halo_x, 1.0, y);
}

/* Sums over all GPUs, a few scalars at a time, where they are. */
static spry_status add_up(spry_context *context, void *user, double *values, int count) {
    struct part *part = user;
    part->sums++;
    cudaStream_t stream = spry_context_stream(context);
    return ncclAllReduce(values, values, (size_t)count, ncclDouble, ncclSum, part->comm, stream) ==
                   ncclSuccess
               ? SPRY_OK
               : SPRY_ERROR_RANKS;
}

/* ---- the solve ---- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* *took: seconds. */
static spry_solve_result solve(struct part *part, const double *b, double *x, double *took) {
    spry_precond_options how = {.size = sizeof how, .kind = SPRY_JACOBI};
    spry_solver_options options = {.size = sizeof options,
                                   .method = SPRY_CG,
                                   .relative = 1e-10,
                                   .sum = add_up,
                                   .sum_user = part,
                                   .sum_capturable = 1};
    spry_operator a = {
        .size = sizeof a, .n = part->own, .type = SPRY_F64, .apply = multiply, .user = part, .capturable = 1};
    spry_solve_result result = {.size = sizeof result};
    spry_precond *jacobi;
    spry_solver *solver;
    check(part, spry_precond_create(part->context, part->inner, &how, &jacobi));
    spry_operator m = spry_operator_of_precond(jacobi);
    check(part, spry_solver_create(part->context, &a, &m, &options, &solver));
    pthread_barrier_wait(&all);
    *took = seconds();
    check(part, spry_solve(solver, b, x, &result));
    *took = seconds() - *took;
    spry_solver_destroy(solver);
    spry_precond_destroy(jacobi);
    return result;
}

/* b = A x for the x of ones, and how far the solution is from that. */
static spry_solve_result solve_for_ones(struct part *part, double *error, double *took) {
    const size_t bytes = (size_t)part->own * sizeof(double);
    double *ones = allocate(part->own, sizeof *ones), *b = device_array(part, part->own),
           *x = device_array(part, part->own);
    for (int64_t i = 0; i < part->own; i++)
        ones[i] = 1.0;
    check(part, spry_array_put(part->context, x, ones, bytes));
    check(part, multiply(part->context, part, x, b));
    spry_solve_result result = solve(part, b, x, took);
    check(part, spry_array_get(part->context, x, ones, bytes));
    for (int64_t i = 0; i < part->own; i++)
        *error = fmax(*error, fabs(ones[i] - 1.0));
    spry_array_free(part->context, b, bytes);
    spry_array_free(part->context, x, bytes);
    free(ones);
    return result;
}

static void open_part(struct part *part) {
    spry_context_options options = {.size = sizeof options, .backend = SPRY_CUDA, .device = part->rank};
    check(part, spry_context_create(&part->context, &options));
    check_cuda(part, cudaSetDevice(part->rank));
    part->main = spry_context_stream(part->context);
    check_cuda(part, cudaStreamCreateWithFlags(&part->side, cudaStreamNonBlocking));
    check_cuda(part, cudaEventCreateWithFlags(&part->packed, cudaEventDisableTiming));
    check_cuda(part, cudaEventCreateWithFlags(&part->arrived, cudaEventDisableTiming));
    check_nccl(part, ncclCommInitRank(&part->comm, gpus, id, part->rank));
}

static void close_part(struct part *part) {
    spry_array_free(part->context, part->sent, (size_t)part->to_begin[gpus] * sizeof(double));
    spry_array_free(part->context, part->halo_x, (size_t)spry_halo_count(part->halo) * sizeof(double));
    spry_matrix_destroy(part->select);
    spry_matrix_destroy(part->outer);
    spry_matrix_destroy(part->inner);
    spry_halo_destroy(part->halo);
    check_nccl(part, ncclCommDestroy(part->comm));
    check_cuda(part, cudaEventDestroy(part->packed));
    check_cuda(part, cudaEventDestroy(part->arrived));
    check_cuda(part, cudaStreamDestroy(part->side));
    spry_context_destroy(part->context);
}

static void *run(void *argument) {
    struct part *part = argument;
    spry_context *host;
    double error = 0.0, took;
    open_part(part);
    check(part, spry_context_create(&host, NULL));
    part->own = first[part->rank + 1] - first[part->rank];
    make_rows(part, host);
    pthread_barrier_wait(&all); /* the halos of all are there */
    plan_exchange(part, host);
    spry_context_destroy(host);
    spry_solve_result result = solve_for_ones(part, &error, &took);
    if (part->rank == 0)
        printf(
            "%d GPUs: %s after %lld iterations, for which the host called %lld sums, |b - A x| / |b| = %.1e, "
            "largest error of the first %.1e, %.3f s, %.1f us an iteration\n",
            gpus, spry_outcome_string(result.outcome), (long long)result.iterations, (long long)part->sums,
            result.residual / result.norm_b, error, took, 1e6 * took / (double)result.iterations);
    pthread_barrier_wait(&all); /* nobody needs the halos any more */
    close_part(part);
    return result.outcome == SPRY_CONVERGED ? part : NULL;
}

int main(int argc, char **argv) {
    char reason[256];
    int here = spry_cuda_devices(reason, sizeof reason);
    side = argc > 1 ? atoi(argv[1]) : 1000;
    gpus = argc > 2 ? atoi(argv[2]) : here < MOST_GPUS ? here : MOST_GPUS;
    if (here == 0) {
        fprintf(stderr, "no GPU: %s\n", reason);
        return EXIT_FAILURE;
    }
    if (side < 1 || side > 30000 || gpus < 1 || gpus > here || gpus > MOST_GPUS) {
        fprintf(stderr, "usage: nccl_cg [POINTS-A-SIDE [GPUS]], with %d GPUs here\n", here);
        return EXIT_FAILURE;
    }
    for (int r = 0; r <= gpus; r++)
        first[r] = side * side * r / gpus;
    check_nccl(&parts[0], ncclGetUniqueId(&id));
    pthread_barrier_init(&all, NULL, (unsigned)gpus);
    int converged = 1;
    for (int r = 0; r < gpus; r++) {
        parts[r].rank = r;
        if (pthread_create(&parts[r].thread, NULL, run, &parts[r]) != 0)
            end_all(r, "host", "no thread");
    }
    for (int r = 0; r < gpus; r++) {
        void *good = NULL;
        pthread_join(parts[r].thread, &good);
        converged &= good != NULL;
    }
    pthread_barrier_destroy(&all);
    return converged ? EXIT_SUCCESS : EXIT_FAILURE;
}
