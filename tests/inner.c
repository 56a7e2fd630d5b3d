/* SPDX-License-Identifier: BSD-3-Clause */
/* What cannot be brought about from outside, asked of functions inside the library, with whose archive this is linked:
   numbers that no file here could have, systems that do not tell or refuse, processors' caches, units of the environment. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/blocks.h"
#include "analysis/diagonals.h"
#include "analysis/stencils.h"
#include "analysis/strata.h"
#include "analysis/work.h"
#include "convert/fill_limit.h"
#include "core/backend.h"
#include "core/cpu.h"
#include "core/scatter.h"
#include "core/team.h"
#include "formats/ell.h"
#include "io/body.h"
#include "io/stream.h"
#include "support/backend.h"
#include "support/build.h"
#include "support/hidden.h"
#include "support/products.h"
#include "support/scenarios.h"

/* ---- functions of the system that this program takes the place of ---- */

/* Whether files that describe the first processor's caches are others: level by level, null where there is none. */
static bool caches_are_others;
static const char *caches[4];

FILE *fopen(const char *path, const char *mode) {
    static const char prefix[] = "/sys/devices/system/cpu/cpu0/cache/index";
    FIND(fopen);
    if (!caches_are_others || strncmp(path, prefix, strlen(prefix)) != 0)
        return real(path, mode);
    const char *text = caches[path[strlen(prefix)] - '0'];
    if (!text)
        errno = ENOENT;
    return text ? fmemopen((void *)(uintptr_t)text, strlen(text), "r") : NULL;
}

static bool attributes_fail;
static size_t stack_asked_for;

int pthread_attr_init(pthread_attr_t *attributes) {
    FIND(pthread_attr_init);
    return attributes_fail ? ENOMEM : real(attributes);
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) {
    FIND(pthread_attr_setstacksize);
    stack_asked_for = bytes;
    return real(attributes, bytes);
}

static atomic_int threads_begun;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *),
                   void *argument) {
    FIND(pthread_create);
    atomic_fetch_add(&threads_begun, 1);
    return real(thread, attributes, begin, argument);
}

/* ---- processors ---- */

Test(processor, caches) {
    caches_are_others = true;
    cr_expect_eq(spry_cpu_cache_bytes(), (size_t)8 << 20);
    cr_expect_eq(spry_cpu_inner_bytes(), (size_t)1 << 20);
    caches[2] = "512K\n";
    cr_expect_eq(spry_cpu_cache_bytes(), (size_t)512 << 10);
    cr_expect_eq(spry_cpu_inner_bytes(), (size_t)512 << 10);
    caches[3] = "32768K\n";
    cr_expect_eq(spry_cpu_cache_bytes(), (size_t)32 << 20);
    caches[2] = caches[3] = "unknown\n";
    cr_expect_eq(spry_cpu_cache_bytes(), (size_t)8 << 20);
    cr_expect_eq(spry_cpu_inner_bytes(), (size_t)1 << 20);
    caches_are_others = false;
}

/* ---- teams ---- */

#define TEAM 3

static void skip_without_threads(void) {
    if (omp_get_thread_limit() < TEAM)
        cr_skip_test("OMP_THREAD_LIMIT allows for %d threads", omp_get_thread_limit());
}

static void *ask_for_team(void *granted) {
    *(int *)granted = spry_team(TEAM);
    return NULL;
}

/* What a thread is granted that has had no team. */
static int team_of_new_thread(void) {
    pthread_t thread;
    int granted = 0;
    cr_assert_eq(pthread_create(&thread, NULL, ask_for_team, &granted), 0);
    pthread_join(thread, NULL);
    return granted;
}

Test(team, threads_without_attributes) {
    skip_without_threads();
    attributes_fail = true;
    int granted = team_of_new_thread();
    attributes_fail = false;
    cr_expect_eq(granted, 1);
    cr_expect_eq(team_of_new_thread(), TEAM);
}

Test(team, units_of_stacks) {
    skip_without_threads();
    static const struct {
        const char *text;
        size_t bytes;
    } sizes[] = {{"131072b", 131072},         {"262144 B", 262144},    {"512", (size_t)512 << 10},
                 {"384k", (size_t)384 << 10}, {" 256  K", 256 << 10},  {"3m", (size_t)3 << 20},
                 {"2M", (size_t)2 << 20},     {"1G", (size_t)1 << 30}, {"1 g", (size_t)1 << 30}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        setenv("OMP_STACKSIZE", sizes[i].text, 1);
        stack_asked_for = 0;
        team_of_new_thread();
        cr_expect_eq(stack_asked_for, sizes[i].bytes, "\"%s\": %zu bytes", sizes[i].text, stack_asked_for);
    }
    unsetenv("OMP_STACKSIZE");
    setenv("GOMP_STACKSIZE", "640", 1);
    team_of_new_thread();
    cr_expect_eq(stack_asked_for, (size_t)640 << 10);
}

/* What is no number, or too large a one, is as if it were not there. */
Test(team, stacks_of_no_size) {
    skip_without_threads();
    static const char *const texts[] = {"", "much", "0", "18446744073709551615", "17179869184G"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        setenv("OMP_STACKSIZE", texts[i], 1);
        cr_expect_eq(team_of_new_thread(), TEAM, "\"%s\"", texts[i]);
        cr_expect_eq(stack_asked_for, 0, "\"%s\": %zu bytes", texts[i], stack_asked_for);
    }
}

/* Every layout of a matrix, multiplied by it and by its transpose. */
static void use_everywhere(spry_context *context, const struct list *list) {
    struct built csr = built_of(context, list, SPRY_CSR, SPRY_F64, SPRY_I32);
    double *x = calloc((size_t)(list->rows + list->cols), sizeof *x),
           *y = calloc((size_t)(list->rows + list->cols), sizeof *y);
    cr_assert(x && y);
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++) {
        static const spry_convert_options any = {
            .size = sizeof any, .duplicates = SPRY_KEEP, .fill_limit = INFINITY};
        spry_matrix *matrix;
        cr_assert_eq(spry_convert(context, csr.matrix, (spry_format)format, &any, &matrix), SPRY_OK);
        for (int op = 0; op < SPRY_OP_COUNT; op++)
            cr_expect_eq(spry_spmv(context, (spry_op)op, 1, matrix, x, 0, y), SPRY_OK);
        spry_matrix_destroy(matrix);
    }
    free(x);
    free(y);
    built_free(&csr);
}

/* GCC's runtime ends threads that a team leaves out and starts them again for the next: however much work there is, it is one
   thread's or a whole team's. */
Test(team, is_always_the_same) {
    skip_without_threads();
    spry_context *context;
    cr_assert_eq(spry_context_create(&context, &(spry_context_options){.size = sizeof(spry_context_options),
                                                                       .threads = TEAM,
                                                                       .grain = 64}),
                 SPRY_OK);
    for (int round = 0; round < 2; round++) {
        const int before = threads_begun;
        for (size_t s = 0; s < test_scenario_count; s++) {
            if (test_scenarios[s].large || test_scenarios[s].special_x)
                continue;
            struct list list = test_scenarios[s].make();
            use_everywhere(context, &list);
            list_free(&list);
        }
        cr_expect(round == 0 ? threads_begun > before : threads_begun == before, "%d threads were begun",
                  threads_begun - before);
    }
    spry_context_destroy(context);
}

/* More threads take longer to call: they want more work. */
Test(team, large_ones_want_more_work) {
    const spry_context few = {.grain = 1000, .threads = 2}, many = {.grain = 1000, .threads = 64};
    cr_expect_eq(spry_part_count(&few, 999), 1);
    cr_expect_eq(spry_part_count(&few, 1000), 2);
    cr_expect_eq(spry_part_count(&many, 2999), 1);
    cr_expect_eq(spry_part_count(&many, 3000), 64);
    cr_expect_eq(spry_part_count(&(spry_context){.grain = 1, .threads = 8}, 3), 3);
}

/* ---- matrices ---- */

Test(matrix, owns_so_many_arrays) {
    spry_context *context = test_context(1);
    spry_matrix *matrix;
    void *array;
    cr_assert_eq(spry_matrix_new(context, SPRY_ELL, SPRY_F64, SPRY_I32, 1, 1, 0, &matrix), SPRY_OK);
    for (int i = 0; i < SPRY_MAX_OWNED; i++)
        cr_expect_eq(spry_matrix_array(context, matrix, 1, 8, &array), SPRY_OK);
    cr_expect_eq(spry_matrix_array(context, matrix, 1, 8, &array), SPRY_ERROR_UNSUPPORTED);
    cr_expect_null(array);
    cr_expect(strstr(spry_message(context), "owns more than"), "%s", spry_message(context));
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

/* What comes from the hub is sorted: finishing it need not look at its indices again. A copy is as its source is. */
Test(matrix, made_from_csr_is_known_to_be_sorted) {
    static const spry_convert_options options;
    static const spry_format formats[] = {SPRY_COO, SPRY_CSR, SPRY_CSC, SPRY_SELL};
    spry_context *context = test_context(2);
    struct list list = list_new(3, 3);
    list_add(&list, 0, 2, 1);
    list_add(&list, 0, 1, 1);
    struct built unsorted;
    spry_matrix *csr, *copy;
    cr_assert_eq(build(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32, WRAPPED_FROM_0, &unsorted), SPRY_OK);
    cr_assert_eq(spry_convert(context, unsorted.matrix, SPRY_CSR, NULL, &csr), SPRY_OK);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const struct spry_format_code *traits = spry_traits_of(csr, formats[f]);
        static const int64_t parameter[SPRY_STORAGE_PARAMETERS];
        spry_matrix *made;
        cr_assert_eq(spry_matrix_new(context, formats[f], SPRY_F64, SPRY_I32, 3, 3, 2, &made), SPRY_OK);
        if (traits->parameters > 0)
            traits->configure(context, parameter, made);
        cr_assert_eq(spry_convert_code(csr, formats[f])->from_csr(context, csr, &options, made), SPRY_OK);
        cr_expect(made->sorted, "%s", spry_format_name(formats[f]));
        cr_expect_eq(made->row_sorted, formats[f] == SPRY_COO);
        spry_matrix_destroy(made);
    }
    for (int sorted = 0; sorted < 2; sorted++) {
        cr_assert_eq(spry_matrix_copy_unfinished(context, sorted ? csr : unsorted.matrix, &copy), SPRY_OK);
        cr_expect_eq(copy->sorted, sorted);
        spry_matrix_destroy(copy);
    }
    spry_matrix_destroy(csr);
    built_free(&unsorted);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- what a sample says of blocks ---- */

/* What it says of rows of so many neighbours and one entry elsewhere, behind column `behind`, `step` columns from that of the row before. How
   many entries there are. */
static int64_t look_at_neighbours(spry_context *context, int64_t rows, int64_t neighbours, int64_t behind,
                                  int64_t step, struct spry_block_counts *counts) {
    struct list list = list_new(rows, rows);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < neighbours; j++)
            list_add(&list, i, j, 1);
        list_add(&list, i, behind + i * step % (rows - behind), 1);
    }
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    const int64_t entries = csr.matrix->nnz;
    spry_look_at_blocks(csr.matrix, counts);
    built_free(&csr);
    list_free(&list);
    return entries;
}

/* Of rows of seven neighbours and one entry elsewhere, seven of eight entries are in full blocks of 8 × 7. */
Test(blocks, sample_takes_all_places_of_a_row) {
    spry_context *context = test_context(1);
    for (int64_t rows = 6000; rows <= 96000; rows *= 4) {
        struct spry_block_counts counts;
        look_at_neighbours(context, rows, 7, 20, 37, &counts);
        const double full = (double)counts.of[spry_block_number(8, 7)].full / (double)counts.entries;
        cr_expect(fabs(full - 7.0 / 8) < 0.12, "%d rows: %g", (int)rows, full);
    }
    spry_context_destroy(context);
}

/* Four rows of sixty neighbours each, and one entry elsewhere in each row, which takes a block of its own: 15 blocks of 4 × 4 and four
   more. One in 61 entries makes a fifth of the blocks. */
Test(blocks, sample_sees_the_few_that_lie_apart) {
    spry_context *context = test_context(1);
    for (int64_t rows = 1000; rows <= 64000; rows *= 4) {
        struct spry_block_counts counts;
        const int64_t entries = look_at_neighbours(context, rows, 60, 64, 149, &counts);
        const double blocks = spry_estimate_blocks(&counts, entries, 4, 4).blocks,
                     expected = 19.0 * (double)rows / 4;
        cr_expect(fabs(blocks / expected - 1) < 0.15, "%d rows: %g blocks of %g", (int)rows, blocks,
                  expected);
    }
    spry_context_destroy(context);
}

/* Sixteen long rows of one slice, which the sample misses, lie on no more diagonals than reach into the matrix, far fewer than they have
   entries. */
Test(diagonals, of_a_few_long_rows) {
    const int64_t rows = 3200, first = 1600;
    spry_context *context = test_context(1);
    struct list list = list_new(rows, rows);
    struct spry_features features;
    spry_matrix *dia;
    for (int64_t i = 0; i < rows; i++) {
        list_add(&list, i, i, 1);
        for (int64_t j = 0; i >= first && i < first + 16 && j < 1000; j++)
            if (3 * j != i)
                list_add(&list, i, 3 * j, 1);
    }
    list_sort(&list);
    struct built csr = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(spry_analyse(context, csr.matrix, &features), SPRY_OK);
    cr_assert_eq(features.shapes.longest, 1, "the sample has such a row");
    cr_assert_eq(spry_convert(context, csr.matrix, SPRY_DIA, NULL, &dia), SPRY_OK, "%s",
                 spry_message(context));
    const double expected = spry_expected_diagonals(&features).diagonals, found = (double)dia->dia.diagonals;
    cr_expect(fabs(expected / found - 1) < 0.15, "%g diagonals of %g", expected, found);
    spry_matrix_destroy(dia);
    built_free(&csr);
    list_free(&list);
    spry_context_destroy(context);
}

/* Each in its share, and at places that no period agrees with; shares up to as many places as a matrix can have. */
Test(strata, windows_lie_in_their_shares) {
    static const int64_t shares[] = {32, 33, 1000, (int64_t)1 << 40, INT64_MAX / 64};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        const int64_t share = shares[s], length = 32;
        int64_t different = 0;
        for (int64_t w = 0; w < 32; w++) {
            const int64_t at = spry_window_in_share(w, share, length) - w * share;
            cr_expect(at >= 0 && at <= share - length, "%g of %g", (double)at, (double)share);
            different += at != spry_window_in_share(0, share, length);
        }
        cr_expect(different >= (share == length       ? 0
                                : share == length + 1 ? 8
                                                      : 28),
                  "%d of %g", (int)different, (double)share);
    }
}

/* All rows of a sample differ, and are shorter than others that it has missed: so do all entries of the matrix. */
Test(stencils, sample_of_rows_that_differ) {
    struct spry_features features = {.rows = 100000, .nnz = 900000, .alike_rows = SPRY_ROW_SAMPLE};
    uint64_t key[SPRY_ROW_SAMPLE];
    int64_t length[SPRY_ROW_SAMPLE];
    double kinds, entries;
    for (int64_t s = 0; s < SPRY_ROW_SAMPLE; s++) {
        key[s] = spry_hash(s);
        length[s] = s % 3;
    }
    const struct spry_alike alike = spry_count_alike(SPRY_ROW_SAMPLE, key, length);
    spry_expected_kinds(&features, &alike, &kinds, &entries);
    cr_expect_float_eq(kinds, (double)features.rows, 1e-6, "%g", kinds);
    cr_expect_float_eq(entries, (double)features.nnz, 1e-6, "%g", entries);
    /* Those of the first rows of windows are not counted. */
    entries = spry_expected_first_entries(&features, &alike);
    cr_expect_float_eq(entries, (double)features.nnz, 0.01 * (double)features.nnz, "%g", entries);
}

/* ---- products that are planned when they are first asked for ---- */

#define PATIENCE 60

static pid_t child; /* of fork; in it, anything but 0 */

/* Even shares of rows. When the matrix is half planned, a child is begun, which multiplies by it too. */
static void cut_and_fork(const spry_matrix *matrix, struct spry_split *split) {
    for (int p = 0; p <= split->parts; p++)
        split->cut[p] = (struct spry_cut){spry_share(matrix->rows, p, split->parts), 0};
    if (child)
        return;
    child = fork();
    if (child)
        return;
    child = -1;
    alarm(PATIENCE);
    _exit(spry_scatter_split(matrix, SPRY_T)->parts == TEAM ? EXIT_SUCCESS : EXIT_FAILURE);
}

static struct spry_window own_row(const spry_matrix *matrix, const struct spry_cut *begin) {
    (void)matrix;
    return (struct spry_window){begin->unit, 1};
}

Test(plan, of_a_child_that_was_begun_meanwhile) {
    spry_context *context = test_context(TEAM);
    spry_matrix *matrix;
    int status = -1;
    cr_assert_eq(spry_matrix_new(context, SPRY_CSR, SPRY_F64, SPRY_I32, 100, 100, 100, &matrix), SPRY_OK);
    cr_assert_eq(spry_plan_scatter(context, matrix, SPRY_T, cut_and_fork, own_row), SPRY_OK);
    cr_expect_eq(spry_scatter_split(matrix, SPRY_T)->parts, TEAM);
    cr_assert_gt(child, 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    spry_matrix_destroy(matrix);
    spry_context_destroy(context);
}

/* Where a part reaches back to what is an earlier one's, it needs a window: of a band, one piece of it. */
Test(plan, windows_of_a_band_are_where_its_parts_meet) {
    enum { ROWS = 900, NEAR = ROWS / TEAM / 8 };
    spry_context *context = test_context(TEAM);
    struct list list = list_new(ROWS, ROWS);
    int64_t end = 0, windows = 0;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = i > 0 ? i - 1 : 0; j < ROWS && j <= i + 1; j++)
            list_add(&list, i, j, 1);
    struct built band = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    const struct spry_scatter_split *split = spry_scatter_split(band.matrix, SPRY_T);
    cr_assert_eq(split->parts, TEAM);
    for (int p = 0; p < TEAM; p++) {
        const struct spry_scatter_part *part = &split->part[p];
        cr_expect_eq(part->own.first, end, "part %d", p);
        cr_expect(p == 0 ? part->window.count == 0 : part->window.count > 0 && part->window.count < NEAR,
                  "part %d has a window of %d", p, (int)part->window.count);
        end += part->own.count;
        windows += part->window.count;
    }
    cr_expect_eq(end, ROWS);
    cr_expect_eq(split->scratch, (size_t)windows * sizeof(double));
    built_free(&band);
    list_free(&list);
    spry_context_destroy(context);
}

/* The row that the second thread's part of a sorted SELL matrix begins with. */
static int64_t second_part(int64_t rows) {
    spry_context *context = test_context(2);
    struct list list = list_new(rows, rows);
    uint64_t seed = 5;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0, length = 1 + test_below(&seed, 15); k < length; k++)
            list_add(&list, i, (i + 3 * k) % rows, 1);
    list_sort(&list);
    struct built built = built_of(context, &list, SPRY_SELL, SPRY_F64, SPRY_I32);
    const spry_sell *sell = &built.matrix->sell;
    const struct spry_split *split = &built.matrix->plan.split[SPRY_N];
    cr_assert_eq(sell->window, 512);
    cr_assert_eq(split->parts, 2);
    const int64_t row = split->cut[1].unit * sell->height;
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
    return row;
}

/* Threads do not share a window's lines of y, unless one would have much more to do. */
Test(plan, parts_of_sell_end_with_windows) {
    cr_expect_eq(second_part(960), 512);
    cr_expect_eq(second_part(1100), 512);
    cr_expect_eq(second_part(2900), 1536);
    const int64_t within = second_part(700);
    cr_expect(within > 0 && within < 512, "row %d", (int)within);
}

/* Rows of 2 to 6 entries, most of them of 2, and one of so many. */
static struct list spilling_rows(int64_t rows, int64_t longest) {
    struct list list = list_new(rows, rows);
    uint64_t seed = 5;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t few = i % 5 == 0 ? 2 + test_below(&seed, 5) : 2, length = i == rows / 7 ? longest : few;
        for (int64_t k = 0; k < length; k++)
            list_add(&list, i, (i + k) % rows, test_value(&seed));
    }
    list_sort(&list);
    return list;
}

/* Threads multiply by whole rows of both parts of HYB, where no row is too long for them to have as much to do. */
Test(plan, parts_of_hyb_are_whole_rows) {
    enum { ROWS = 4000 };
    spry_context *context = test_context(TEAM);
    for (int64_t longest = 6; longest < ROWS; longest += ROWS - 100) {
        struct list list = spilling_rows(ROWS, longest);
        struct built built = built_of(context, &list, SPRY_HYB, SPRY_F64, SPRY_I32);
        const struct spry_split *split = &built.matrix->plan.split[SPRY_N];
        const spry_matrix *coo = built.matrix->hyb.coo;
        const int32_t *row = coo->coo.row;
        cr_assert_gt(coo->nnz, 0);
        cr_assert_eq(split->parts, longest == 6 ? TEAM : 0);
        for (int p = 1; p < split->parts; p++) {
            const struct spry_cut *cut = &split->cut[p];
            cr_expect(cut->unit > split->cut[p - 1].unit && cut->unit % SPRY_ELL_BLOCK == 0);
            cr_expect(row[cut->entry - 1] < cut->unit && row[cut->entry] >= cut->unit, "part %d", p);
        }
        expect_products(context, built.matrix, &list, longest == 6 ? "even" : "with a long row");
        built_free(&built);
        list_free(&list);
    }
    spry_context_destroy(context);
}

static spry_status refuse_copy(spry_context *context, void *to, const void *from, size_t bytes) {
    (void)to, (void)from;
    return spry_fail(context, SPRY_ERROR_DEVICE, "%zu bytes are not copied", bytes);
}

/* As on a device: that of the last pointer is the first read of the caller's arrays. */
Test(matrix, pointers_that_cannot_be_read) {
    static int32_t ptr[] = {0, 1}, idx[] = {0};
    static double val[] = {1};
    spry_context *context = test_context(1);
    const struct spry_backend_code *code = context->code;
    struct spry_backend_code failing = *code;
    failing.copy = refuse_copy;
    context->code = &failing;
    spry_matrix *csr = (spry_matrix *)ptr, *csc = csr; /* must be overwritten */
    cr_expect_eq(spry_wrap_csr(context, SPRY_F64, SPRY_I32, 1, 1, &(spry_csr){ptr, idx, val, 0}, &csr),
                 SPRY_ERROR_DEVICE);
    cr_expect_eq(spry_wrap_csc(context, SPRY_F64, SPRY_I32, 1, 1, &(spry_csc){ptr, idx, val, 0}, &csc),
                 SPRY_ERROR_DEVICE);
    cr_expect_str_eq(spry_message(context), "4 bytes are not copied");
    cr_expect(!csr && !csc);
    context->code = code;
    spry_context_destroy(context);
}

/* ---- files ---- */

Test(files, index_type_by_entries) {
    static const struct {
        int64_t entries;
        spry_index_type index, settled;
    } cases[] = {{0, SPRY_I32, SPRY_I32},
                 {INT32_MAX, SPRY_I32, SPRY_I32},
                 {(int64_t)INT32_MAX + 1, SPRY_I32, SPRY_I32P64},
                 {(int64_t)INT32_MAX + 1, SPRY_I32P64, SPRY_I32P64},
                 {(int64_t)INT32_MAX + 1, SPRY_I64, SPRY_I64}};
    spry_context *context = test_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int is_set = 0; is_set < 2; is_set++) {
            spry_index_type index = cases[i].index;
            bool refused = is_set && cases[i].settled != index;
            cr_expect_eq(spry_settle_index(context, "a.mtx", cases[i].entries, is_set, &index),
                         refused ? SPRY_ERROR_OVERFLOW : SPRY_OK, "%zu", i);
            cr_expect_eq(index, is_set ? cases[i].index : cases[i].settled, "%zu", i);
        }
    cr_expect_str_eq(spry_message(context), "a.mtx: 2147483648 entries do not fit i32 pointers");
    spry_context_destroy(context);
}

/* Of a large file that unpacks to more than 256 MiB, a hundred times what was taken of it is still given. */
Test(files, unpacked_by_ratio) {
    static const char text[] = "text";
    static unsigned char block[STREAM_BLOCK];
    char got[sizeof text];
    for (int over = 0; over < 2; over++) {
        int ends[2];
        cr_assert_eq(pipe(ends), 0);
        cr_assert_eq(write(ends[1], text, sizeof text), (ssize_t)sizeof text);
        close(ends[1]);
        struct stream stream = {.file = ends[0], .block = block};
        cr_assert(spry_stream_open(&stream));
        stream.taken = 4 << 20;
        stream.given = (uint64_t)(over ? 401 : 300) << 20;
        cr_expect_eq(spry_stream_read(&stream, got, sizeof got), over ? -1 : (ptrdiff_t)sizeof text);
        cr_expect_eq(stream.too_large, over);
        spry_stream_close(&stream);
        close(ends[0]);
    }
}

/* ---- formats ---- */

Test(inner, rows_longer_than_an_index) {
    spry_context *context = test_context(1);
    cr_expect_eq(spry_check_longest(context, SPRY_I32P64, INT32_MAX), SPRY_OK);
    cr_expect_eq(spry_check_longest(context, SPRY_I32P64, (int64_t)INT32_MAX + 1), SPRY_ERROR_OVERFLOW);
    cr_expect(strstr(spry_message(context), "a row of 2147483648 entries does not fit i32p64"), "%s",
              spry_message(context));
    spry_context_destroy(context);
}

Test(inner, parts_of_hyb_that_lack_an_entry) {
    spry_context *context = test_context(1);
    struct list list = list_new(2, 2);
    list_add(&list, 0, 1, 1);
    struct built built = built_of(context, &list, SPRY_HYB, SPRY_F64, SPRY_I32);
    built.matrix->nnz = 2;
    cr_expect_eq(spry_validate(context, built.matrix, 0), SPRY_ERROR_INVALID);
    cr_expect(strstr(spry_message(context), "entries, expected 2"), "%s", spry_message(context));
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

Test(inner, tables_of_sizes_that_lie) {
    static const int64_t counts[] = {INT64_MIN, 0, 257, INT64_MAX};
    const spry_storage storage = {.format = SPRY_CSR, .values = SPRY_VALUES_DICT8};
    spry_context *context = test_context(1);
    struct list list = list_new(2, 2);
    list_add(&list, 0, 1, 1);
    spry_matrix *coded;
    struct built built = built_of(context, &list, SPRY_CSR, SPRY_F64, SPRY_I32);
    cr_assert_eq(spry_convert_to(context, built.matrix, &storage, NULL, &coded), SPRY_OK);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        coded->table.count = counts[i];
        cr_expect_eq(spry_validate(context, coded, 0), SPRY_ERROR_INVALID);
        cr_expect(strstr(spry_message(context), "different values, outside 1 … 256"), "%s",
                  spry_message(context));
    }
    coded->table.count = 1;
    cr_expect_eq(spry_validate(context, coded, 0), SPRY_OK, "%s", spry_message(context));
    spry_matrix_destroy(coded);
    built_free(&built);
    list_free(&list);
    spry_context_destroy(context);
}

/* ---- profiles ---- */

static const char *machine_name;

static int machine(const spry_context *context, char *name, size_t size) {
    snprintf(name, size, "%s", machine_name);
    return context->threads;
}

/* What a context says that it predicts by, on a machine of that name with AVX-512. */
static void expect_profile(const char *name, int threads, const char *words) {
    spry_context *context = test_context(threads);
    struct spry_backend_code code = *context->code;
    const struct spry_backend_code *own = context->code;
    machine_name = name;
    code.machine = machine;
    context->code = &code;
    context->cpu_features = SPRY_CPU_AVX2 | SPRY_CPU_AVX512;
    cr_expect_str_eq(spry_profile_machine(context), words);
    context->code = own;
    spry_context_destroy(context);
}

Test(inner, profiles_are_made_to_fit) {
    expect_profile("AuthenticAMD family 25 model 17", 2, "AuthenticAMD family 25 model 17");
    expect_profile("AuthenticAMD family 25 model 97", 2, "AuthenticAMD family 25 model 17 (nearest)");
    expect_profile("AuthenticAMD family 25 model 17", 8,
                   "AuthenticAMD family 25 model 17 (2 threads fitted to 8)");
    expect_profile("GenuineIntel family 6 model 143", 16, "GenuineIntel family 6 model 207 (nearest)");
    expect_profile("GenuineIntel family 6 model 143", 1,
                   "GenuineIntel family 6 model 207 (nearest, 2 threads fitted to 1)");
}
