/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that was compiled with the headers beside it and runs with the library of today: it reads, converts, chooses,
 * multiplies and solves, with options of each kind, and looks at the results. What the library knows and its headers do not,
 * formats above all, it comes across in rankings and tables, and uses as it finds it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spry/spry.h>

static int faults;

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void expect(int holds, const char *condition, int line) {
    if (!holds)
        printf("line %d: %s\n", line, condition);
    faults += !holds;
}

/* Ends the program where it could not go on. */
static void must(spry_context *context, spry_status status) {
    if (status == SPRY_OK)
        return;
    printf("%s: %s\n", spry_status_string(status), spry_message(context));
    exit(EXIT_FAILURE);
}

/* ---- a matrix ---- */

enum { N = 500, MOST_TEXT = 100000 };

static double entry(int i, int j) {
    return i == j ? 4.0 + i % 3 : i - j == 1 || j - i == 1 ? -1.0 : i - j == 40 || j - i == 40 ? -0.5 : 0.0;
}

/* The lower triangle, as a file has a symmetric matrix. */
static void write_text(char *text) {
    int count = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            count += entry(i, j) != 0.0;
    text += sprintf(text, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", N, N, count);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            if (entry(i, j) != 0.0)
                text += sprintf(text, "%d %d %g\n", i + 1, j + 1, entry(i, j));
}

static spry_matrix *read_matrix(spry_context *context) {
    static char text[MOST_TEXT];
    spry_read_options options = {.size = sizeof options, .index_set = 1, .index = SPRY_I64};
    spry_file_info info = {.size = sizeof info};
    spry_matrix *matrix;
    write_text(text);
    must(context, spry_read_memory(context, "text", text, strlen(text), &options, &matrix, &info));
    EXPECT(info.size == sizeof info && info.symmetry == SPRY_SYMMETRIC && info.rows == N);
    EXPECT(info.bytes == strlen(text));
    EXPECT(spry_matrix_format(matrix) == SPRY_COO && spry_matrix_type(matrix) == SPRY_F64);
    EXPECT(spry_matrix_index(matrix) == SPRY_I64 && spry_matrix_rows(matrix) == N);
    return matrix;
}

/* ---- products ---- */

static double x_at(int i) {
    return 1.0 + (i % 7) / 8.0;
}

static double product_at(int i) {
    double sum = 0.0;
    for (int j = 0; j < N; j++)
        sum += entry(i, j) * x_at(j);
    return sum;
}

/* The products y = 2 A x + y / 2 and, as A is symmetric, the same with Aᵀ, and with two columns. */
static void check_products(spry_context *context, const spry_matrix *matrix) {
    double x[2 * N], y[2 * N];
    for (int op = SPRY_N; op <= SPRY_T; op++)
        for (int columns = 1; columns <= 2; columns++) {
            for (int i = 0; i < columns * N; i++) {
                x[i] = x_at(i / columns);
                y[i] = 6.0;
            }
            const spry_view of_x = spry_view_of_rows(x, N, columns, columns),
                            of_y = spry_view_of_rows(y, N, columns, columns);
            must(context, columns == 1 ? spry_spmv(context, (spry_op)op, 2.0, matrix, x, 0.5, y)
                                       : spry_spmm(context, (spry_op)op, 2.0, matrix, &of_x, 0.5, &of_y));
            for (int i = 0; i < columns * N; i++)
                EXPECT(fabs(y[i] - 2.0 * product_at(i / columns) - 3.0) < 1e-11);
        }
}

/* A matrix in whatever format, which the headers need not know. */
static void check_matrix(spry_context *context, const spry_matrix *matrix) {
    spry_format format = spry_matrix_format(matrix);
    const char *name = spry_format_name(format);
    spry_matrix *csr, *copy;
    EXPECT(strcmp(name, "?") != 0 && strcmp(spry_format_title(format), "?") != 0);
    EXPECT(spry_format_by_name(name) == format);
    EXPECT(spry_matrix_nnz(matrix) <= spry_matrix_slots(matrix) && spry_matrix_bytes(matrix) > 0);
    EXPECT(spry_kernel_describe(spry_kernel_for(matrix, SPRY_N)).format == format);
    must(context, spry_validate(context, matrix, 0));
    check_products(context, matrix);
    must(context, spry_convert(context, matrix, SPRY_CSR, NULL, &csr));
    must(context, spry_matrix_copy(context, matrix, &copy));
    check_products(context, csr);
    check_products(context, copy);
    must(context, spry_update_values(context, copy, csr));
    check_products(context, copy);
    spry_matrix_destroy(csr);
    spry_matrix_destroy(copy);
}

/* ---- conversions ---- */

static void check_conversions(spry_context *context, const spry_matrix *coo) {
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_convert_options options = {
            .size = sizeof options, .duplicates = SPRY_REFUSE, .fill_limit = 100, .hyb_quantile = 0.5};
        spry_matrix *made;
        must(context, spry_convert(context, coo, (spry_format)format, &options, &made));
        EXPECT((int)spry_matrix_format(made) == format);
        check_matrix(context, made);
        spry_matrix_destroy(made);
    }
    for (int measure = 0; measure <= 100; measure += 100) {
        spry_convert_options options = {.size = sizeof options, .products = 1e9, .measure = measure};
        spry_matrix *made;
        must(context, spry_convert(context, coo, SPRY_AUTO, &options, &made));
        check_matrix(context, made);
        spry_matrix_destroy(made);
    }
}

/* ---- the ranking ---- */

static int is_in(const spry_ranking *ranking, int format) {
    for (int i = 0; i < spry_ranking_count(ranking); i++)
        if ((int)spry_ranking_choice(ranking, i)->format == format)
            return 1;
    return 0;
}

static void check_choice(spry_context *context, const spry_matrix *csr, const spry_ranking *ranking,
                         int place) {
    const spry_choice *choice = spry_ranking_choice(ranking, place);
    double cost = 0.0;
    char text[500];
    spry_matrix *made;
    spry_explain(ranking, place, text, sizeof text);
    printf("%s\n", text);
    EXPECT(text[0] != '\0' && strcmp(spry_format_name(choice->format), "?") != 0);
    for (int i = 0; i < SPRY_TERM_MOST; i++)
        cost += choice->cost[i];
    EXPECT(fabs(cost - choice->seconds) <= 1e-9 * cost);
    if (!choice->possible)
        return;
    EXPECT(spry_kernel_describe(choice->kernel).format == choice->format && choice->bytes > 0.0);
    must(context, spry_convert(context, csr, choice->format, NULL, &made));
    check_matrix(context, made);
    spry_matrix_destroy(made);
}

static void check_ranking(spry_context *context, const spry_matrix *csr) {
    spry_select_options options = {
        .size = sizeof options, .measure = 1, .products = 1000, .memory_limit = (size_t)1 << 30};
    spry_ranking *ranking;
    must(context, spry_select(context, csr, &options, &ranking));
    EXPECT(spry_ranking_products(ranking) == 1000 && spry_ranking_measured(ranking));
    EXPECT(spry_ranking_statistics(ranking)->nnz == spry_matrix_nnz(csr));
    EXPECT(spry_ranking_statistics(ranking)->lengths.max == 5);
    EXPECT(spry_ranking_count(ranking) >= SPRY_FORMAT_COUNT);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        EXPECT(is_in(ranking, format));
    for (int i = 0; i < spry_ranking_count(ranking); i++)
        check_choice(context, csr, ranking, i);
    EXPECT(!spry_ranking_choice(ranking, spry_ranking_count(ranking)));
    spry_ranking_destroy(ranking);
}

static void check_statistics(spry_context *context, const spry_matrix *csr) {
    spry_statistics statistics = {.size = sizeof statistics};
    spry_row_lengths lengths;
    must(context, spry_matrix_statistics(context, csr, &statistics));
    must(context, spry_row_length_stats(context, csr, &lengths));
    EXPECT(statistics.size == sizeof statistics && statistics.rows == N && statistics.bandwidth > 0.0);
    EXPECT(memcmp(&statistics.lengths, &lengths, sizeof lengths) == 0);
}

/* ---- tables ---- */

static void check_tables(const spry_context *context) {
    int runs = 0;
    for (size_t i = 0; i < spry_kernel_count(); i++) {
        spry_kernel_info info = spry_kernel_describe(spry_kernel_at(i));
        EXPECT(strcmp(spry_format_name(info.format), "?") != 0 && info.name[0] && info.needs);
        runs += spry_kernel_runs(context, spry_kernel_at(i));
    }
    EXPECT(runs > 0);
    for (size_t i = 0; i < spry_algorithm_count(); i++) {
        spry_algorithm_info info = spry_algorithm_describe(spry_algorithm_at(i));
        EXPECT(info.name[0] && info.needs && strcmp(spry_number_name(info.number), "?") != 0);
    }
}

static void check_values_that_are_none(void) {
    EXPECT(spry_matrix_format(NULL) == SPRY_NO_FORMAT && spry_matrix_type(NULL) == SPRY_NO_TYPE);
    EXPECT(spry_matrix_index(NULL) == SPRY_NO_INDEX && spry_format_by_name("none") == SPRY_NO_FORMAT);
    EXPECT(spry_method_by_name("none") == SPRY_NO_METHOD && spry_precond_by_name("none") == SPRY_NO_PRECOND);
    spry_kernel_info kernel = spry_kernel_describe(NULL);
    EXPECT(kernel.format == SPRY_NO_FORMAT && kernel.op == SPRY_NO_OP && kernel.backend == SPRY_NO_BACKEND);
    spry_algorithm_info algorithm = spry_algorithm_describe(NULL);
    EXPECT(algorithm.primitive == SPRY_NO_PRIMITIVE && algorithm.number == SPRY_NO_NUMBER);
}

/* ---- solvers ---- */

static spry_status multiply(spry_context *context, void *matrix, const void *x, void *y) {
    return spry_spmv(context, SPRY_N, 1.0, matrix, x, 0.0, y);
}

static void check_solve(spry_context *context, const spry_operator *a, const spry_operator *precond,
                        spry_method method) {
    double b[N], x[N];
    spry_solver_options options = {
        .size = sizeof options, .method = method, .relative = 1e-12, .iterations = 1000, .history = 1};
    spry_solve_result result = {.size = sizeof result};
    spry_solver *solver;
    for (int i = 0; i < N; i++)
        b[i] = product_at(i);
    must(context, spry_solver_create(context, a, precond, &options, &solver));
    must(context, spry_solve(solver, b, x, &result));
    EXPECT(result.size == sizeof result && result.outcome == SPRY_CONVERGED && result.iterations > 0);
    EXPECT(result.residual <= 1e-12 * result.norm_b && result.history[result.iterations] >= 0.0);
    for (int i = 0; i < N; i++)
        EXPECT(fabs(x[i] - x_at(i)) < 1e-9);
    spry_solver_destroy(solver);
}

static void check_solves(spry_context *context, spry_matrix *matrix) {
    const spry_operator a = spry_operator_of_matrix(matrix);
    const spry_operator own = {
        .size = sizeof own, .n = N, .type = SPRY_F64, .apply = multiply, .user = matrix};
    EXPECT(a.size == sizeof a && a.n == N && a.matrix == matrix);
    for (int method = 0; method < SPRY_METHOD_COUNT; method++)
        for (int kind = 0; kind < SPRY_PRECOND_COUNT; kind++) {
            spry_precond_options options = {
                .size = sizeof options, .kind = (spry_precond_kind)kind, .degree = 3};
            spry_precond *precond;
            must(context, spry_precond_create(context, matrix, &options, &precond));
            const spry_operator m = spry_operator_of_precond(precond);
            check_solve(context, &own, &m, (spry_method)method);
            check_solve(context, &a, NULL, (spry_method)method);
            spry_precond_destroy(precond);
        }
}

int main(void) {
    spry_context_options options = {.size = sizeof options, .threads = 2, .disable = "avx512", .grain = 16};
    spry_context *context;
    spry_matrix *csr;
    must(NULL, spry_context_create(&context, &options));
    EXPECT(spry_context_threads(context) == 2 && spry_context_backend(context) == SPRY_CPU);
    spry_matrix *coo = read_matrix(context);
    must(context, spry_convert(context, coo, SPRY_CSR, NULL, &csr));
    check_conversions(context, coo);
    check_ranking(context, csr);
    check_statistics(context, csr);
    check_tables(context);
    check_values_that_are_none();
    check_solves(context, csr);
    spry_matrix_destroy(coo);
    spry_matrix_destroy(csr);
    spry_context_destroy(context);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
