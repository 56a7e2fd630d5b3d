/* SPDX-License-Identifier: BSD-3-Clause */
/* MKL's older CSR routines against what their documentation says, on dense matrices: TEST_BITS is 32 or 64, and MKL_ILP64 may be
   defined. With the argument "keep", in an environment with SPRY_MKL_KEEP=1: what is promised by that. */
#define _DEFAULT_SOURCE
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <spry/mkl.h>

#if TEST_BITS == 32
typedef float val_t;
#define MKL(name) mkl_s##name
#define CSPBLAS(name) mkl_cspblas_s##name
#define TOLERANCE 1e-3
#define LOWER_NAME mkl_scsrgemv_
#define UPPER_NAME MKL_SCSRGEMV
#else
typedef double val_t;
#define MKL(name) mkl_d##name
#define CSPBLAS(name) mkl_cspblas_d##name
#define TOLERANCE 1e-10
#define LOWER_NAME mkl_dcsrgemv_
#define UPPER_NAME MKL_DCSRGEMV
#endif

enum { MOST = 12, ROOM = 3 * MOST * MOST };

static int failures;
static void expect(int good, const char *what, int line) {
    if (!good)
        fprintf(stderr, "mkl.c:%d: %s\n", line, what);
    failures += !good;
}
#define EXPECT(what) expect(what, #what, __LINE__)

/* The last error, and how many there were. */
static int told, told_argument;
static char told_routine[64];
static void listen(const char *routine, int argument, const char *sentence) {
    told++;
    told_argument = argument;
    snprintf(told_routine, sizeof told_routine, "%s", routine);
    if (!*sentence)
        failures++;
}

static unsigned seed = 1;
static int below(int n) {
    seed = seed * 1103515245 + 12345;
    return (int)(seed >> 16) % n;
}
static val_t number(void) {
    return (val_t)(below(2001) - 1000) / 500;
}

/* A random matrix in the arrays of a caller, and dense. */
struct matrix {
    int rows, cols;
    MKL_INT idx[ROOM], begin[MOST + 1], end[MOST];
    val_t val[ROOM];
    double dense[MOST][MOST];
};

static void fill(struct matrix *a, int rows, int cols, int base, int gaps, int diagonal) {
    int k = 0;
    memset(a, 0, sizeof *a);
    a->rows = rows;
    a->cols = cols;
    for (int i = 0; i < rows; i++) {
        a->begin[i] = k + base;
        for (int j = cols - 1; j >= 0; j--) { /* columns fall, which CSR allows */
            const int on_it = diagonal && i == j;
            if (!on_it && below(3))
                continue;
            a->idx[k] = j + base;
            a->val[k] = on_it ? 8 + number() : number();
            a->dense[i][j] = (double)a->val[k++];
        }
        a->end[i] = k + base;
        for (int gap = gaps ? below(3) : 0; gap > 0; gap--) {
            a->idx[k] = -1;
            a->val[k++] = (val_t)NAN;
        }
    }
    a->begin[rows] = k + base;
}

/* What matdescra makes of an entry of the dense matrix: entry (i, j) of A. */
static double described(const struct matrix *a, const char *d, int i, int j) {
    const int kind = toupper(d[0]), lower = toupper(d[1]) == 'L', unit = toupper(d[2]) == 'U';
    if (kind == 'G')
        return a->dense[i][j];
    if (i == j)
        return kind == 'A' ? 0 : unit ? 1 : a->dense[i][j];
    if (kind == 'D')
        return 0;
    if (lower ? j < i : j > i)
        return a->dense[i][j];
    return kind == 'T' ? 0 : kind == 'A' ? -a->dense[j][i] : a->dense[j][i];
}

static double of_op(const struct matrix *a, const char *d, int transposed, int i, int j) {
    return transposed ? described(a, d, j, i) : described(a, d, i, j);
}

static int near(double a, double b) {
    return fabs(a - b) <= TOLERANCE * (1 + fabs(b));
}

/* op(A) X for `n` columns, whose values lie `row` and `col` apart. */
static int is_product(const struct matrix *a, const char *d, int transposed, int n, double alpha,
                      const val_t *x, int x_row, int x_col, double beta, const val_t *before, const val_t *y,
                      int y_row, int y_col) {
    const int rows = transposed ? a->cols : a->rows, cols = transposed ? a->rows : a->cols;
    int good = 1;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < n; c++) {
            double sum = 0;
            for (int j = 0; j < cols; j++)
                sum += of_op(a, d, transposed, i, j) * (double)x[j * x_row + c * x_col];
            sum = alpha * sum + (beta != 0 ? beta * (double)before[i * y_row + c * y_col] : 0);
            good &= near((double)y[i * y_row + c * y_col], sum);
        }
    return good;
}

static void random_values(val_t *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = number();
}

static void one_product(int keep) {
    static struct matrix a;
    static val_t x[4 * ROOM], y[4 * ROOM], before[4 * ROOM];
    const char kinds[] = "GSHTADgshtad", *ops[] = {"N", "T", "C", "n", "t"};
    const int square = below(2), gaps = below(2), kind = kinds[below(12)];
    const MKL_INT m = 1 + below(MOST), k = square || strchr("SHAsha", kind) ? m : 1 + below(MOST),
                  n = 1 + below(4);
    const char d[] = {(char)kind, "LU"[below(2)], "NU"[below(2)],
                      "FC"[below(2)]}; /* no zero behind it, as in Fortran */
    const char *op = ops[below(5)];
    const int base = d[3] == 'F', transposed = toupper(*op) != 'N', xs = transposed ? m : k,
              ys = transposed ? k : m;
    const val_t alpha = (val_t)(below(4) - 1), beta = (val_t)(below(3) - 1);
    fill(&a, m, k, base, gaps, 0);
    const MKL_INT *end = gaps ? a.end : a.begin + 1;
    random_values(x, 4 * ROOM);
    random_values(before, 4 * ROOM);
    if (beta == 0)
        before[0] = (val_t)NAN;
    if (keep)
        EXPECT(spry_mkl_promise(a.val) == 0);
    memcpy(y, before, sizeof y);
    MKL(csrmv)(op, &m, &k, &alpha, d, a.val, a.idx, a.begin, end, x, &beta, y);
    EXPECT(is_product(&a, d, transposed, 1, (double)alpha, x, 1, 1, (double)beta, before, y, 1, 1));
    memcpy(y, before, sizeof y);
    const MKL_INT ldb = (base ? xs : n) + below(3), ldc = (base ? ys : n) + below(3);
    const int bi = base ? 1 : (int)ldb, bj = base ? (int)ldb : 1, ci = base ? 1 : (int)ldc,
              cj = base ? (int)ldc : 1;
    MKL(csrmm)(op, &m, &n, &k, &alpha, d, a.val, a.idx, a.begin, end, x, &ldb, &beta, y, &ldc);
    EXPECT(is_product(&a, d, transposed, (int)n, (double)alpha, x, bi, bj, (double)beta, before, y, ci, cj));
    EXPECT(!memcmp(y + 2 * ROOM, before + 2 * ROOM, 2 * ROOM * sizeof *y)); /* and nothing else */
    if (keep) {
        EXPECT(spry_mkl_kept() == 1); /* both are of one matrix */
        spry_mkl_forget(a.val);
        EXPECT(spry_mkl_kept() == 0);
    }
}

static void one_of_three_arrays(void) {
    static struct matrix a;
    val_t x[MOST], y[MOST];
    const int base = below(2), unit = below(2), lower = below(2), transposed = below(2);
    const MKL_INT m = 1 + below(MOST);
    const char *op = transposed ? "T" : "N",
               d[] = {'T', lower ? 'L' : 'U', unit ? 'U' : 'N', base ? 'F' : 'C'};
    fill(&a, m, m, base, 0, 1);
    random_values(x, MOST);
    (base ? MKL(csrgemv) : CSPBLAS(csrgemv))(op, &m, a.val, a.begin, a.idx, x, y);
    EXPECT(is_product(&a, "GLNF", transposed, 1, 1, x, 1, 1, 0, y, y, 1, 1));
    if (unit) /* or solutions grow without bounds */
        for (int k = 0; k < a.begin[m] - base; k++)
            a.val[k] /= 16;
    for (int i = 0; unit && i < m; i++)
        for (int j = 0; j < m; j++)
            a.dense[i][j] /= 16;
    (base ? MKL(csrtrsv) : CSPBLAS(csrtrsv))(d + 1, op, d + 2, &m, a.val, a.begin, a.idx, x, y);
    EXPECT(is_product(&a, d, transposed, 1, 1, y, 1, 1, 0, x, x, 1, 1));
}

static const MKL_INT two = 2, minus = -1;
static MKL_INT ptr[] = {1, 3, 5}, idx[] = {1, 2, 1, 2};
static val_t val[] = {1, 2, 3, 4}, x[] = {1, 10}, y[4];
static const val_t one = 1, zero = 0;

static void refuse(int argument, const char *routine, int line) {
    expect(told == 1 && told_argument == argument && !strcmp(told_routine, routine) && y[0] == 9 && y[1] == 9,
           "refused, and y as it was", line);
    told = 0;
}
#define REFUSED(argument, name, call)                                                                        \
    (y[0] = y[1] = 9, call, refuse(argument, TEST_BITS == 32 ? "mkl_s" name : "mkl_d" name, __LINE__))

static void test_errors(void) {
    spry_mkl_on_error(listen);
#define MV(op, m, k, d) MKL(csrmv)(op, m, k, &one, d, val, idx, ptr, ptr + 1, x, &zero, y)
    REFUSED(1, "csrmv", MV("Q", &two, &two, "GLNF"));
    REFUSED(2, "csrmv", MV("N", &minus, &two, "GLNF"));
    REFUSED(3, "csrmv", MV("N", &two, &minus, "GLNF"));
    REFUSED(5, "csrmv", MV("N", &two, &two, "XLNF"));
    REFUSED(5, "csrmv", MV("N", &two, &two, ""));
    REFUSED(5, "csrmv", MV("N", &two, &two, "TXNF"));
    REFUSED(5, "csrmv", MV("N", &two, &two, "DLXF"));
#define MM(n, d, ldb, ldc)                                                                                   \
    MKL(csrmm)("N", &two, n, &two, &one, d, val, idx, ptr, ptr + 1, x, ldb, &zero, y, ldc)
    const MKL_INT small = 1, three = 3;
    for (int k = 0; k < 2; k++) /* a symmetric matrix that is not square */
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            const char *d = symmetric ? "SLNF" : "ALNF";
            const MKL_INT *other = k ? &small : &three;
            REFUSED(3, "csrmv", MV("N", &two, other, d));
            REFUSED(4, "csrmm",
                    MKL(csrmm)("N", &two, &two, other, &one, d, val, idx, ptr, ptr + 1, x, &three, &zero, y,
                               &three));
        }
    REFUSED(3, "csrmm", MM(&minus, "GLNF", &two, &two));
    REFUSED(6, "csrmm", MM(&two, "SXNF", &two, &two));
    REFUSED(12, "csrmm", MM(&two, "GLNF", &small, &two));
    REFUSED(15, "csrmm", MM(&two, "GLNC", &two, &small));
    REFUSED(2, "csrgemv", MKL(csrgemv)("N", &minus, val, ptr, idx, x, y));
    REFUSED(1, "csrtrsv", MKL(csrtrsv)("X", "N", "N", &two, val, ptr, idx, x, y));
    REFUSED(3, "csrtrsv", MKL(csrtrsv)("L", "N", "X", &two, val, ptr, idx, x, y));
    const val_t singular[] = {0, 2, 3, 4};
    MKL(csrtrsv)("L", "N", "N", &two, singular, ptr, idx, x, y);
    EXPECT(told == 1 && told_argument == 5 && !isfinite(y[0])); /* and the result shows it */
    told = 0;
    idx[3] = 3; /* seen where a copy is made */
    EXPECT(spry_mkl_promise(val) == 0);
    REFUSED(0, "csrmv", MV("N", &two, &two, "GLNF"));
    spry_mkl_forget(val);
    idx[3] = 2;
    MV("N", &two, &two, "G"); /* a short description counts from 1 */
    EXPECT(told == 0 && y[0] == 21 && y[1] == 43);
    const MKL_INT none = 0;
    y[0] = 9;
    MM(&none, "GLNF", &two, &two);
    MM(&none, "SLNC", &none, &none);
    EXPECT(told == 0 && y[0] == 9);
    MKL(csrmv)("N", &none, &two, &one, "GLNF", val, idx, ptr, ptr + 1, x, &zero, y);
    EXPECT(told == 0 && y[0] == 9);
    MKL(csrmv)("N", &two, &none, &one, "GLNF", val, idx, ptr, ptr, x, &zero, y); /* rows without entries */
    EXPECT(told == 0 && y[0] == 0 && y[1] == 0);
    LOWER_NAME("T", &two, val, ptr, idx, x, y);
    EXPECT(y[0] == 31 && y[1] == 42);
    UPPER_NAME("N", &two, val, ptr, idx, x, y);
    EXPECT(y[0] == 21 && y[1] == 43);
}

/* Values that change are seen, but for those that were promised to stay. */
static void test_promises(int by_environment) {
    val_t own[] = {1, 2, 3, 4};
    const val_t *const first = own;
    if (!by_environment)
        EXPECT(spry_mkl_promise(first) == 0);
    MKL(csrgemv)("N", &two, own, ptr, idx, x, y);
    own[0] = 101;
    MKL(csrgemv)("N", &two, own, ptr, idx, x, y);
    EXPECT(y[0] == 21 && spry_mkl_kept() == 1);
    MKL(csrgemv)("T", &two, own, ptr, idx, x, y); /* the transpose is another copy, made now */
    EXPECT(y[0] == 131 && spry_mkl_kept() == 2);
    spry_mkl_forget(first);
    EXPECT(spry_mkl_kept() == 0);
    MKL(csrgemv)("N", &two, own, ptr, idx, x, y);
    EXPECT(y[0] == 121);
    own[0] = 1;
    MKL(csrgemv)("N", &two, own, ptr, idx, x, y);
    EXPECT(y[0] == (by_environment ? 121 : 21)); /* forgetting does not end what the environment says */
    spry_mkl_forget(NULL);
    EXPECT(spry_mkl_kept() == 0);
}

/* Many entries and columns: each column is what it is alone. */
static void test_large(void) {
    enum { N = 5000, COLUMNS = 4 };
    static MKL_INT begin[N + 1], columns[3 * N];
    static val_t values[3 * N], from[COLUMNS * N], to[COLUMNS * N], alone[N];
    const MKL_INT n = N, several = COLUMNS;
    const val_t half = (val_t)0.5;
    random_values(values, 3 * N);
    random_values(from, COLUMNS * N);
    for (int base = 0; base < 2; base++)
        for (int transposed = 0; transposed < 2; transposed++) {
            const char *op = transposed ? "T" : "N", *d = base ? "GLNF" : "GLNC";
            for (int i = 0; i <= N; i++)
                begin[i] = 3 * i + base;
            for (int k = 0; k < 3 * N; k++)
                columns[k] = (k / 3 + 17 * (k % 3)) % N + base;
            const MKL_INT ld = base ? n : several;
            memset(to, 0, sizeof to);
            MKL(csrmm)
            (op, &n, &several, &n, &half, d, values, columns, begin, begin + 1, from, &ld, &one, to, &ld);
            for (int c = 0; c < COLUMNS; c++) {
                static val_t column[N];
                int good = 1;
                for (int i = 0; i < N; i++)
                    column[i] = from[base ? c * N + i : i * COLUMNS + c];
                MKL(csrmv)(op, &n, &n, &half, d, values, columns, begin, begin + 1, column, &zero, alone);
                for (int i = 0; i < N; i++)
                    good &= near((double)to[base ? c * N + i : i * COLUMNS + c], (double)alone[i]);
                EXPECT(good);
            }
        }
}

/* A child of fork multiplies as its parent did, which had a team of threads. Seconds after which it counts as hanging. */
static void test_fork(void) {
    enum { N = 20000, PATIENCE = 60 };
    static MKL_INT begin[N + 1], columns[3 * N];
    static val_t values[3 * N], from[N], to[N], again[N];
    const MKL_INT n = N;
    random_values(values, 3 * N);
    random_values(from, N);
    for (int i = 0; i <= N; i++)
        begin[i] = 3 * i;
    for (int k = 0; k < 3 * N; k++)
        columns[k] = (k / 3 + 17 * (k % 3)) % N;
    MKL(csrmv)("N", &n, &n, &one, "GLNC", values, columns, begin, begin + 1, from, &zero, to);
    const pid_t child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        MKL(csrmv)("N", &n, &n, &one, "GLNC", values, columns, begin, begin + 1, from, &zero, again);
        _exit(memcmp(again, to, sizeof to) ? 1 : 0);
    }
    int ended = 1;
    EXPECT(child > 0 && waitpid(child, &ended, 0) == child && ended == 0);
}

/* More matrices than are kept: all products are right. */
static void test_many(void) {
    static val_t values[SPRY_MKL_MOST + 10][4];
    for (int i = 0; i < SPRY_MKL_MOST + 10; i++) {
        memcpy(values[i], val, sizeof val);
        values[i][0] = (val_t)i;
        EXPECT(spry_mkl_promise(values[i]) == 0);
        MKL(csrgemv)("N", &two, values[i], ptr, idx, x, y);
        EXPECT(y[0] == (val_t)(20 + i));
    }
    EXPECT(spry_mkl_kept() == SPRY_MKL_MOST);
    spry_mkl_forget(NULL);
}

/* Threads that multiply, promise and forget at once. */
static void *work(void *number) {
    const int mine = *(int *)number;
    val_t own[] = {(val_t)mine, 2, 3, 4}, to[2];
    for (int round = 0; round < 200; round++) {
        if (round % 3 == 0 && spry_mkl_promise(own))
            return number;
        for (int i = 0; i < 3; i++) {
            MKL(csrgemv)("N", &two, own, ptr, idx, x, to);
            if (to[0] != (val_t)(20 + mine) || to[1] != 43)
                return number;
        }
        spry_mkl_forget(own);
    }
    return NULL;
}

static void test_threads(void) {
    pthread_t thread[4];
    int numbers[4];
    for (int i = 0; i < 4; i++) {
        numbers[i] = i;
        if (pthread_create(&thread[i], NULL, work, &numbers[i]))
            exit(failures ? 1 : 77);
    }
    for (int i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        EXPECT(!wrong);
    }
}

/* Promises, copies and forgetting get their turn while threads multiply without a pause, so that there is always a product
   under way. */
enum { BUSY_ROWS = 20000, BUSY_THREADS = 4, BUSY_BEFORE = 100, BUSY_PATIENCE = 60 };
static MKL_INT busy_begin[BUSY_ROWS + 1], busy_columns[3 * BUSY_ROWS];
static val_t busy_values[3 * BUSY_ROWS], busy_from[BUSY_ROWS];
static atomic_bool busy_ends;
static atomic_int busy_products;

static void *multiply_on_and_on(void *to) {
    const MKL_INT n = BUSY_ROWS;
    while (!atomic_load(&busy_ends)) {
        MKL(csrmv)
        ("N", &n, &n, &one, "GLNC", busy_values, busy_columns, busy_begin, busy_begin + 1, busy_from, &zero,
         to);
        atomic_fetch_add(&busy_products, 1);
    }
    return NULL;
}

static void test_busy(void) {
    static val_t to[BUSY_THREADS][BUSY_ROWS];
    pthread_t thread[BUSY_THREADS];
    random_values(busy_values, 3 * BUSY_ROWS);
    random_values(busy_from, BUSY_ROWS);
    for (int i = 0; i <= BUSY_ROWS; i++)
        busy_begin[i] = 3 * i;
    for (int k = 0; k < 3 * BUSY_ROWS; k++)
        busy_columns[k] = (k / 3 + 7 * (k % 3) * (k / 11)) % BUSY_ROWS;
    EXPECT(spry_mkl_promise(busy_values) == 0);
    for (int i = 0; i < BUSY_THREADS; i++)
        if (pthread_create(&thread[i], NULL, multiply_on_and_on, to[i]))
            exit(failures ? 1 : 77);
    alarm(BUSY_PATIENCE);
    while (atomic_load(&busy_products) < BUSY_BEFORE)
        usleep(1000);
    for (int round = 0; round < 20; round++) {
        EXPECT(spry_mkl_promise(val) == 0);
        MKL(csrgemv)("N", &two, val, ptr, idx, x, y);
        EXPECT(spry_mkl_kept() >= 1);
        spry_mkl_forget(val);
    }
    alarm(0);
    atomic_store(&busy_ends, true);
    for (int i = 0; i < BUSY_THREADS; i++)
        pthread_join(thread[i], NULL);
    spry_mkl_forget(NULL);
}

/* The header has each routine under each name, and so has the library. */
#define NAMES(lower, upper) (name *)lower, (name *)lower##_, (name *)upper
static void test_names(void) {
    typedef void name(void);
    name *const names[] = {
        NAMES(mkl_scsrmv, MKL_SCSRMV),
        NAMES(mkl_dcsrmv, MKL_DCSRMV),
        NAMES(mkl_scsrmm, MKL_SCSRMM),
        NAMES(mkl_dcsrmm, MKL_DCSRMM),
        NAMES(mkl_scsrgemv, MKL_SCSRGEMV),
        NAMES(mkl_dcsrgemv, MKL_DCSRGEMV),
        NAMES(mkl_cspblas_scsrgemv, MKL_CSPBLAS_SCSRGEMV),
        NAMES(mkl_cspblas_dcsrgemv, MKL_CSPBLAS_DCSRGEMV),
        NAMES(mkl_scsrtrsv, MKL_SCSRTRSV),
        NAMES(mkl_dcsrtrsv, MKL_DCSRTRSV),
        NAMES(mkl_cspblas_scsrtrsv, MKL_CSPBLAS_SCSRTRSV),
        NAMES(mkl_cspblas_dcsrtrsv, MKL_CSPBLAS_DCSRTRSV),
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        EXPECT(names[i] != NULL);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "keep")) {
        test_promises(1);
        return failures ? 1 : 0;
    }
    for (int i = 0; i < 2000; i++)
        one_product(i % 4 == 0);
    for (int i = 0; i < 500; i++)
        one_of_three_arrays();
    test_errors();
    test_names();
    test_promises(0);
    test_many();
    test_large();
    test_fork();
    test_threads();
    test_busy();
    return failures ? 1 : 0;
}
