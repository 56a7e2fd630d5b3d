/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams that cannot be: threads that the system refuses, and a child of fork, in which all threads but one are gone. Work
 * is done with fewer threads then, with the same bits, and neither ends nor hangs the process. Each case is a process of
 * its own, so this does without Criterion.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <spry/spry.h>

#include "support/tasks.h"

#define SKIPPED 77
#define THREADS 4
/* Points along the side of a grid, and seconds after which a process counts as hanging. */
#define SIDE 60
#define POINTS (SIDE * SIDE)
#define PATIENCE 60

/* AddressSanitizer takes more address space than can be limited. */
#ifdef __has_feature
#define HAS_SHADOW __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW 1
#else
#define HAS_SHADOW 0
#endif

static void must(bool good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "%s\n", what);
    exit(EXIT_FAILURE);
}

/* FNV-1a over what has been computed. */
static void mix(uint64_t *hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
}

/* ---- work that takes teams ---- */

static spry_context *new_context(void) {
    spry_context *context;
    must(!spry_context_create(
             &context,
             &(spry_context_options){.size = sizeof(spry_context_options), .threads = THREADS, .grain = 64}),
         "no context");
    return context;
}

static int add_entry(spry_coo *coo, int k, int row, int col, double value) {
    ((int32_t *)coo->row)[k] = row;
    ((int32_t *)coo->col)[k] = col;
    ((double *)coo->val)[k] = value;
    return k + 1;
}

/* The Laplacian of a grid, in a copy of the library's own. */
static spry_matrix *new_grid(spry_context *context) {
    static int32_t row[5 * POINTS], col[5 * POINTS];
    static double val[5 * POINTS];
    spry_coo coo = {row, col, val, 0};
    spry_matrix *wrapped, *csr = NULL;
    int k = 0;
    for (int p = 0; p < POINTS; p++) {
        k = p >= SIDE ? add_entry(&coo, k, p, p - SIDE, -1 / 3.0) : k;
        k = p % SIDE ? add_entry(&coo, k, p, p - 1, -1 / 7.0) : k;
        k = add_entry(&coo, k, p, p, 1.1);
        k = (p + 1) % SIDE ? add_entry(&coo, k, p, p + 1, -1 / 7.0) : k;
        k = p + SIDE < POINTS ? add_entry(&coo, k, p, p + SIDE, -1 / 3.0) : k;
    }
    must(!spry_wrap_coo(context, SPRY_F64, SPRY_I32, POINTS, POINTS, k, &coo, &wrapped) &&
             !spry_convert(context, wrapped, SPRY_CSR, NULL, &csr),
         spry_message(context));
    spry_matrix_destroy(wrapped);
    return csr;
}

static void multiply(spry_context *context, const spry_matrix *csr, const double *x, uint64_t *hash) {
    static double y[POINTS];
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        spry_matrix *matrix;
        must(!spry_convert(context, csr, (spry_format)format, NULL, &matrix), spry_message(context));
        for (int op = 0; op < SPRY_OP_COUNT; op++) {
            must(!spry_spmv(context, (spry_op)op, 1.5, matrix, x, 0, y), spry_message(context));
            mix(hash, y, sizeof y);
        }
        spry_matrix_destroy(matrix);
    }
}

static void reduce_and_scan(spry_context *context, const double *x, uint64_t *hash) {
    static double y[POINTS];
    static int64_t bin[POINTS], count[9];
    for (int i = 0; i < POINTS; i++)
        bin[i] = i % 9;
    double dot;
    must(!spry_dot(context, SPRY_NUMBER_F64, POINTS, x, x, &dot) &&
             !spry_scan(context, SPRY_EXCLUSIVE, SPRY_NUMBER_F64, POINTS, x, y) &&
             !spry_histogram(context, SPRY_NUMBER_I64, POINTS, bin, 9, count),
         spry_message(context));
    mix(hash, &dot, sizeof dot);
    mix(hash, y, sizeof y);
    mix(hash, count, sizeof count);
}

static void solve(spry_context *context, const spry_matrix *csr, const double *b, uint64_t *hash) {
    static double x[POINTS];
    spry_precond *precond;
    spry_solver *solver;
    memset(x, 0, sizeof x);
    must(!spry_precond_create(
             context, csr, &(spry_precond_options){.size = sizeof(spry_precond_options), .kind = SPRY_ILU0},
             &precond),
         spry_message(context));
    spry_operator a = spry_operator_of_matrix(csr), m = spry_operator_of_precond(precond);
    must(!spry_solver_create(context, &a, &m,
                             &(spry_solver_options){
                                 .size = sizeof(spry_solver_options), .method = SPRY_GMRES, .iterations = 12},
                             &solver) &&
             !spry_solve(solver, b, x, NULL),
         spry_message(context));
    mix(hash, x, sizeof x);
    spry_solver_destroy(solver);
    spry_precond_destroy(precond);
}

/* What comes out of all of it. The matrix may be another context's. */
static uint64_t work(spry_context *context, const spry_matrix *csr) {
    double x[POINTS];
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < POINTS; i++)
        x[i] = 1.0 / (i + 3);
    multiply(context, csr, x, &hash);
    reduce_and_scan(context, x, &hash);
    solve(context, csr, x, &hash);
    return hash;
}

/* The same with a context and a matrix of its own; as a thread, too. */
static void *work_alone(void *hash) {
    spry_context *context = new_context();
    spry_matrix *csr = new_grid(context);
    *(uint64_t *)hash = work(context, csr);
    spry_matrix_destroy(csr);
    spry_context_destroy(context);
    return NULL;
}

/* ---- processes ---- */

static void *end_at_once(void *nothing) {
    return nothing;
}

/* Whether this process can start a thread. */
static bool starts_threads(void) {
    pthread_t thread;
    bool started = pthread_create(&thread, NULL, end_at_once, NULL) == 0;
    if (started)
        pthread_join(thread, NULL);
    return started;
}

/* No more processes and threads for this user: root, whom that limit does not concern, becomes somebody else. */
static void refuse_processes(void) {
    struct rlimit one = {1, 1};
    if (geteuid() == 0 && setuid(65534) != 0)
        _exit(SKIPPED);
    if (setrlimit(RLIMIT_NPROC, &one) != 0 || starts_threads())
        _exit(SKIPPED);
}

/* Less memory than a thread's stack takes, and enough for the work. Returns the limit that there was. */
static struct rlimit refuse_memory(void) {
    const rlim_t spare = 6 << 20;
    unsigned long long pages = 0;
    struct rlimit before = {0, 0}, limit;
    FILE *file = fopen("/proc/self/statm", "r");
    bool known = file && fscanf(file, "%llu", &pages) == 1 && getrlimit(RLIMIT_AS, &before) == 0;
    if (file)
        fclose(file);
    limit = before;
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + spare;
    if (HAS_SHADOW || !known || setrlimit(RLIMIT_AS, &limit) != 0 || starts_threads())
        _exit(SKIPPED);
    return before;
}

/* What a process works with, and where its result goes. */
struct job {
    spry_context *context; /* the parent's */
    const spry_matrix *csr;
    uint64_t *hash, expected; /* 0: by the first */
};

/* The work, where a context of one's own has such a team. */
static void work_with(int team, uint64_t *hash) {
    spry_context *context = new_context();
    must(spry_context_team(context) == team, "a team of another size");
    spry_context_destroy(context);
    work_alone(hash);
}

static void with_a_team(const struct job *job) {
    work_with(THREADS, job->hash);
}

static void without_a_team(const struct job *job) {
    work_with(1, job->hash);
}

/* These two end at once: what runs at the end of a process, such as a search for leaks, could take what they lack. */
static void with_few_processes(const struct job *job) {
    refuse_processes();
    work_alone(job->hash);
    _exit(EXIT_SUCCESS);
}

static void with_little_memory(const struct job *job) {
    refuse_memory();
    work_alone(job->hash);
    _exit(EXIT_SUCCESS);
}

/* Refused threads are asked for again by a new context, and stay, as OpenMP's do. */
static void with_room_again(const struct job *job) {
    struct rlimit before = refuse_memory();
    work_alone(job->hash);
    must(count_threads() == 1, "threads in spite of the limit");
    must(setrlimit(RLIMIT_AS, &before) == 0, "setrlimit");
    work_alone(job->hash);
    must(count_threads() > 1, "no threads although there is room");
}

static void with_what_the_parent_made(const struct job *job) {
    must(spry_context_team(job->context) == 1, "a team in a child whose parent had one");
    *job->hash = work(job->context, job->csr);
}

/* A thread that a child starts can have a team of its own. */
static void *work_in_a_thread(void *hash) {
    work_with(THREADS, hash);
    return NULL;
}

static void in_another_thread(const struct job *job) {
    pthread_t thread;
    must(pthread_create(&thread, NULL, work_in_a_thread, job->hash) == 0, "no thread");
    pthread_join(thread, NULL);
}

/* Run `body` in a child of fork, and compare what it computed. Returns its exit status. */
static int run(const char *name, void (*body)(const struct job *), const struct job *job) {
    int status;
    *job->hash = 0;
    fflush(stdout);
    pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        alarm(PATIENCE);
        body(job);
        exit(EXIT_SUCCESS);
    }
    must(waitpid(child, &status, 0) == child, "waitpid");
    int result = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
    if (result == EXIT_SUCCESS && job->expected && *job->hash != job->expected)
        result = EXIT_FAILURE;
    printf("%s: %s\n", name, result == SKIPPED ? "skipped" : result ? "FAILED" : "good");
    return result;
}

/* A loop of the caller's takes OpenMP's threads before the library takes any. */
static void after_another_loop(const struct job *job) {
    int threads = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : threads)
    threads++;
    must(threads == THREADS, "a loop has another team");
    if (run("a child after another loop", without_a_team, job) ||
        run("a child's thread after another loop", in_another_thread, job))
        exit(EXIT_FAILURE);
}

int main(void) {
    if (omp_get_thread_limit() < THREADS) {
        printf("skipped: OMP_THREAD_LIMIT allows for %d threads\n", omp_get_thread_limit());
        return SKIPPED;
    }
    uint64_t *hash = mmap(NULL, sizeof *hash, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(hash != MAP_FAILED, "mmap");
    struct job job = {.hash = hash};
    /* While nothing has been computed in this process, its children can have teams. */
    int result[8] = {run("unhindered", with_a_team, &job)};
    job.expected = *hash;
    result[1] = run("few processes", with_few_processes, &job);
    result[2] = run("little memory", with_little_memory, &job);
    result[3] = run("room again", with_room_again, &job);
    result[4] = run("another loop", after_another_loop, &job);
    job.context = new_context();
    spry_matrix *csr = new_grid(job.context);
    job.csr = csr;
    must(work(job.context, csr) == job.expected, "other bits than in a child");
    must(spry_context_team(job.context) == THREADS, "no team without limits");
    result[5] = run("a child goes on", with_what_the_parent_made, &job);
    result[6] = run("a child begins anew", without_a_team, &job);
    result[7] = run("a child's thread", in_another_thread, &job);
    spry_matrix_destroy(csr);
    spry_context_destroy(job.context);
    bool failed = false, skipped = false;
    for (int i = 0; i < 8; i++) {
        skipped |= result[i] == SKIPPED;
        failed |= result[i] != EXIT_SUCCESS && result[i] != SKIPPED;
    }
    return failed ? EXIT_FAILURE : skipped ? SKIPPED : EXIT_SUCCESS;
}
