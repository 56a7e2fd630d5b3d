/* SPDX-License-Identifier: BSD-3-Clause */
/* A x = b by conjugate gradients on any number of processes, each with some rows of A, for the x of ones:
       mpicc mpi_cg.c $(pkg-config --cflags --libs spry) -lm -o mpi_cg
       mpiexec -n RANKS mpi_cg [POINTS-A-SIDE | FILE.mtx] [stop RANK | nan RANK]
   A is Poisson's matrix on a square grid, of which each process makes its own rows, or a symmetric positive definite
   one from a file. The last two words show how all processes end when one of them fails: with a message and a status,
   and none waits. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spry/spry.h>

/* What a process has. */
struct part {
    int rank, ranks;
    int64_t *first; /* rows, and values of x, of each: first[r] to first[r + 1] - 1 */
    spry_context *context;
    spry_matrix *inner, *outer;
    spry_halo *halo;
    /* How many values go to each process and come from it, and where they begin in `sent` and `halo_x`. */
    int *to, *from, *to_begin, *from_begin;
    int64_t *sent_row; /* which of this process's values are sent */
    double *sent, *halo_x;
    MPI_Request *request;
    int64_t products, stop_at; /* so many, and the one that fails; 0: none */
};

/* One process that cannot go on ends all: others may be waiting for it. (MPI's own errors do that by themselves.) */
static void end_all(const char *what, const char *why) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d: %s%s%s\n", rank, what, *why ? ": " : "", why);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void check(spry_context *context, spry_status status) {
    if (status != SPRY_OK)
        end_all(spry_status_string(status), context ? spry_message(context) : "");
}

static void *allocate(int64_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        end_all("out of memory", "");
    return memory;
}

/* ---- rows ---- */

/* As many rows for each, to one. */
static void deal_out(struct part *part, int64_t rows) {
    part->first = allocate(part->ranks + 1, sizeof *part->first);
    for (int r = 0; r <= part->ranks; r++)
        part->first[r] = rows / part->ranks * r + (r < rows % part->ranks ? r : rows % part->ranks);
}

static int64_t own_rows(const struct part *part) {
    return part->first[part->rank + 1] - part->first[part->rank];
}

/* From rows with the columns of the whole matrix to what this process multiplies by, in the formats that should be
   fastest. */
static void take_apart(struct part *part, const spry_csr *rows) {
    spry_context *context = part->context;
    spry_matrix *wrapped, *wide[2], **result[2] = {&part->inner, &part->outer};
    check(context, spry_wrap_csr(context, SPRY_F64, SPRY_I64, own_rows(part), part->first[part->ranks], rows,
                                 &wrapped));
    check(context, spry_halo_create(context, wrapped, part->ranks, part->first, part->rank, &wide[0],
                                    &wide[1], &part->halo));
    spry_matrix_destroy(wrapped);
    for (int i = 0; i < 2; i++) {
        spry_matrix *narrow;
        check(context, spry_cast(context, wide[i], SPRY_F64, SPRY_I32, &narrow));
        check(context, spry_convert(context, narrow, SPRY_AUTO, NULL, result[i]));
        spry_matrix_destroy(narrow);
        spry_matrix_destroy(wide[i]);
    }
}

/* The 5-point Laplacian of a grid of side × side points: this process's rows alone. */
static void make_rows(struct part *part, int64_t side) {
    static const int dx[] = {0, -1, 0, 1, 0}, dy[] = {-1, 0, 0, 0, 1};
    deal_out(part, side * side);
    const int64_t own = own_rows(part);
    int64_t *ptr = allocate(own, sizeof *ptr), *idx = allocate(5 * own, sizeof *idx), nnz = 0;
    double *val = allocate(5 * own, sizeof *val);
    for (int64_t i = 0; i < own; i++) {
        const int64_t row = part->first[part->rank] + i;
        for (int k = 0; k < 5; k++) {
            int64_t u = row % side + dx[k], v = row / side + dy[k];
            if (u >= 0 && u < side && v >= 0 && v < side) {
                idx[nnz] = v * side + u;
                val[nnz++] = k == 2 ? 4.0 : -1.0;
            }
        }
        ptr[i + 1] = nnz;
    }
    take_apart(part, &(spry_csr){.ptr = ptr, .idx = idx, .val = val});
    free(ptr);
    free(idx);
    free(val);
}

/* The simplest way: each process reads the whole file, and keeps its rows. */
static void read_rows(struct part *part, const char *path) {
    spry_context *context = part->context;
    spry_matrix *stored, *csr, *whole;
    check(context, spry_read(context, path, NULL, &stored, NULL));
    check(context, spry_convert(context, stored, SPRY_CSR, NULL, &csr));
    spry_matrix_destroy(stored);
    check(context, spry_cast(context, csr, SPRY_F64, SPRY_I64, &whole));
    spry_matrix_destroy(csr);
    if (spry_matrix_rows(whole) != spry_matrix_cols(whole))
        end_all(path, "the matrix is not square");
    deal_out(part, spry_matrix_rows(whole));

    const spry_csr *arrays = spry_matrix_csr(whole);
    const int64_t own = own_rows(part), *ptr = (const int64_t *)arrays->ptr + part->first[part->rank];
    int64_t *mine = allocate(own, sizeof *mine);
    for (int64_t i = 0; i <= own; i++)
        mine[i] = ptr[i] - ptr[0];
    take_apart(part, &(spry_csr){.ptr = mine,
                                 .idx = (int64_t *)arrays->idx + ptr[0],
                                 .val = (double *)arrays->val + ptr[0]});
    free(mine);
    spry_matrix_destroy(whole);
}

/* ---- communication ---- */

/* Where each of some groups begins, and where the last one ends. */
static int *begins(const int *count, int groups) {
    int *begin = allocate(groups + 1, sizeof *begin);
    for (int g = 0; g < groups; g++) {
        if (begin[g] > INT32_MAX - count[g])
            end_all("more values travel than MPI counts", "");
        begin[g + 1] = begin[g] + count[g];
    }
    return begin;
}

/* Tell the others what is needed of them, and hear what they need. */
static void plan_exchange(struct part *part) {
    const int ranks = part->ranks;
    const int64_t *begin = spry_halo_begin(part->halo);
    part->from = allocate(ranks, sizeof *part->from);
    part->to = allocate(ranks, sizeof *part->to);
    part->request = allocate(2 * ranks, sizeof *part->request);
    for (int r = 0; r < ranks; r++) {
        if (begin[r + 1] - begin[r] > INT32_MAX)
            end_all("more values travel than MPI counts", "");
        part->from[r] = (int)(begin[r + 1] - begin[r]);
    }
    MPI_Alltoall(part->from, 1, MPI_INT, part->to, 1, MPI_INT, MPI_COMM_WORLD);
    part->from_begin = begins(part->from, ranks);
    part->to_begin = begins(part->to, ranks);
    part->halo_x = allocate(part->from_begin[ranks], sizeof *part->halo_x);
    part->sent = allocate(part->to_begin[ranks], sizeof *part->sent);
    part->sent_row = allocate(part->to_begin[ranks], sizeof *part->sent_row);
    MPI_Alltoallv(spry_halo_columns(part->halo), part->from, part->from_begin, MPI_INT64_T, part->sent_row,
                  part->to, part->to_begin, MPI_INT64_T, MPI_COMM_WORLD);
    for (int k = 0; k < part->to_begin[ranks]; k++)
        part->sent_row[k] -= part->first[part->rank];
}

/* Returns how many requests are under way. */
static int begin_exchange(struct part *part, const double *x) {
    int pending = 0;
    for (int r = 0; r < part->ranks; r++)
        if (part->from[r] > 0)
            MPI_Irecv(part->halo_x + part->from_begin[r], part->from[r], MPI_DOUBLE, r, 0, MPI_COMM_WORLD,
                      &part->request[pending++]);
    for (int k = 0; k < part->to_begin[part->ranks]; k++)
        part->sent[k] = x[part->sent_row[k]];
    for (int r = 0; r < part->ranks; r++)
        if (part->to[r] > 0)
            MPI_Isend(part->sent + part->to_begin[r], part->to[r], MPI_DOUBLE, r, 0, MPI_COMM_WORLD,
                      &part->request[pending++]);
    return pending;
}

/* y = A x: the own columns while the others' values travel. */
static spry_status multiply(spry_context *context, void *user, const void *x, void *y) {
    struct part *part = user;
    if (++part->products == part->stop_at)
        return SPRY_ERROR_UNSUPPORTED;
    int pending = begin_exchange(part, x);
    spry_status status = spry_spmv(context, SPRY_N, 1.0, part->inner, x, 0.0, y);
    MPI_Waitall(pending, part->request, MPI_STATUSES_IGNORE);
    return status ? status : spry_spmv(context, SPRY_N, 1.0, part->outer, part->halo_x, 1.0, y);
}

/* The one thing that the solver asks for: sums over all processes, a few scalars at a time. MPI gives all of them the
   same bits. */
static spry_status add_up(spry_context *context, void *user, double *values, int count) {
    (void)context, (void)user;
    int error = MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return error == MPI_SUCCESS ? SPRY_OK : SPRY_ERROR_RANKS;
}

/* ---- the solve ---- */

static spry_solve_result solve(struct part *part, const double *b, double *x) {
    spry_context *context = part->context;
    spry_precond_options how = {.size = sizeof how, .kind = SPRY_JACOBI};
    spry_solver_options options = {
        .size = sizeof options, .method = SPRY_CG, .relative = 1e-10, .sum = add_up, .sum_user = part};
    spry_operator a = {
        .size = sizeof a, .n = own_rows(part), .type = SPRY_F64, .apply = multiply, .user = part};
    spry_solve_result result = {.size = sizeof result};
    spry_precond *jacobi;
    spry_solver *solver;
    check(context,
          spry_precond_create(context, part->inner, &how, &jacobi)); /* the diagonal is in the inner part */
    spry_operator m = spry_operator_of_precond(jacobi);
    check(context, spry_solver_create(context, &a, &m, &options, &solver));
    check(context, spry_solve(solver, b, x, &result));
    spry_solver_destroy(solver);
    spry_precond_destroy(jacobi);
    return result;
}

static spry_solve_result solve_for_ones(struct part *part, double breaks, double *error) {
    const int64_t own = own_rows(part);
    double *b = allocate(own, sizeof *b), *x = allocate(own, sizeof *x), largest = 0.0;
    for (int64_t i = 0; i < own; i++)
        x[i] = 1.0;
    check(part->context, multiply(part->context, part, x, b));
    b[0] += breaks;
    spry_solve_result result = solve(part, b, x);
    for (int64_t i = 0; i < own; i++)
        largest = fmax(largest, fabs(x[i] - 1.0));
    MPI_Allreduce(&largest, error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    free(b);
    free(x);
    return result;
}

static void release(struct part *part) {
    spry_matrix_destroy(part->inner);
    spry_matrix_destroy(part->outer);
    spry_halo_destroy(part->halo);
    spry_context_destroy(part->context);
    void *arrays[] = {part->first,    part->to,   part->from,   part->to_begin, part->from_begin,
                      part->sent_row, part->sent, part->halo_x, part->request};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

int main(int argc, char **argv) {
    struct part part = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &part.ranks);
    char *end = NULL;
    const char *source = argc > 1 ? argv[1] : "100";
    const long side = strtol(source, &end, 10);
    const int me = argc > 3 && atoi(argv[3]) == part.rank;
    if (argc == 3 || argc > 4 || (*end == '\0' && (side < 1 || side > 1000000)))
        end_all("usage: mpi_cg [POINTS-A-SIDE | FILE.mtx] [stop RANK | nan RANK]", "");
    part.stop_at = me && strcmp(argv[2], "stop") == 0 ? 5 : 0;

    check(NULL, spry_context_create(&part.context, NULL));
    if (*end == '\0')
        make_rows(&part, side);
    else
        read_rows(&part, source);
    plan_exchange(&part);
    double error, breaks = me && strcmp(argv[2], "nan") == 0 ? NAN : 0.0;
    spry_solve_result result = solve_for_ones(&part, breaks, &error);
    if (part.rank == 0)
        printf("%d ranks: %s after %lld iterations, |b - A x| / |b| = %.1e, largest error %.1e\n", part.ranks,
               spry_outcome_string(result.outcome), (long long)result.iterations,
               result.residual / result.norm_b, error);
    /* Where this fails, another rank may be the first to end, and mpiexec then ends this one. */
    fflush(stdout);
    release(&part);
    MPI_Finalize();
    return result.outcome == SPRY_CONVERGED ? EXIT_SUCCESS : EXIT_FAILURE; /* the same on all */
}
