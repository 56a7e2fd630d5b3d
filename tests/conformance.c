/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every kernel of the table, on every scenario. A new kernel, format or backend is tested by being in
 * the table and in the list of formats: nothing here names one.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/build.h"
#include "support/reference.h"
#include "support/scenarios.h"
#include "support/vector.h"

/* Put beside y, to see writes that go astray. */
#define SENTINEL 1234.5

static const struct {
    double alpha, beta;
} factors[] = {{1, 0}, {0.3, -1}, {-1, 0.5}, {1, 1}, {-0.75, 0.3}, {0, 0.5}, {0, 1}, {0, 0}, {3, 0}};
#define FACTORS (sizeof factors / sizeof factors[0])

/* All factors go with one origin, and few with the others: they do not bear on each other. Teams, which take longer to meet than to
   multiply, have some pairs of factors and one other origin in turn: over nine scenarios, all of them. Large scenarios are there for
   one reason each, and need not be combined with everything. */
#define FEW_FACTORS 2
#define ORIGINS_IF_LARGE TRANSPOSED

/* What the contexts are made with, by backend. Threads mean nothing to a device. */
struct setting {
    int threads;
    bool nondeterministic;
    int in_turn; /* pairs of factors, and other origins too are in turn; 0: all */
    bool all_origins;
    bool if_large;  /* for large scenarios too */
    bool at_length; /* not in brief */
};
static const struct setting on_cpu[] = {{.threads = 1, .all_origins = true, .if_large = true},
                                        {.threads = 2, .in_turn = 1, .at_length = true},
                                        {.threads = 3, .in_turn = 3, .at_length = true},
                                        {.threads = 7, .in_turn = 1, .all_origins = true, .if_large = true}};
static const struct setting on_cuda[] = {{.all_origins = true, .if_large = true},
                                         {.nondeterministic = true, .all_origins = true, .if_large = true}};
static const struct {
    const struct setting *settings;
    size_t count;
} backends[SPRY_BACKEND_COUNT] = {[SPRY_CPU] = {on_cpu, sizeof on_cpu / sizeof *on_cpu},
                                  [SPRY_CUDA] = {on_cuda, sizeof on_cuda / sizeof *on_cuda}};

/* One product, and what it should give. */
struct problem {
    const struct scenario *scenario;
    struct list list;
    spry_value_type type;
    spry_op op;
    struct vector x, poison, before, y, again;
    struct placed x_there, poison_there, y_there; /* where the context works */
    const struct setting *setting;                /* of that context */
    struct reference reference;
};

static void put_special_values(struct vector *x) {
    static const double special[] = {INFINITY, 0.0, NAN, -INFINITY, -0.0};
    for (int64_t i = 0; i < x->count; i += 7)
        vector_set(x, i, special[i / 7 % 5]);
}

static struct problem problem_new(const struct scenario *scenario, spry_value_type type, spry_op op) {
    struct problem problem = {.scenario = scenario, .list = scenario->make(), .type = type, .op = op};
    list_round(&problem.list, type);
    int64_t in = op == SPRY_N ? problem.list.cols : problem.list.rows;
    int64_t out = op == SPRY_N ? problem.list.rows : problem.list.cols;
    problem.x = vector_new(type, in, NAN);
    vector_random(&problem.x, 77);
    if (scenario->special_x)
        put_special_values(&problem.x);
    problem.poison = vector_new(type, in, NAN);
    problem.before = vector_new(type, out, NAN);
    problem.y = vector_new(type, out, SENTINEL);
    problem.again = vector_new(type, out, SENTINEL);
    problem.reference = reference_new(&problem.list, op, &problem.x);
    return problem;
}

static void problem_free(struct problem *problem) {
    list_free(&problem->list);
    vector_free(&problem->x);
    vector_free(&problem->poison);
    vector_free(&problem->before);
    vector_free(&problem->y);
    vector_free(&problem->again);
    reference_free(&problem->reference);
}

static void problem_place(struct problem *problem, spry_context *context, const struct setting *setting) {
    problem->setting = setting;
    problem->x_there = vector_place(context, &problem->x);
    problem->poison_there = vector_place(context, &problem->poison);
    problem->y_there = vector_place(context, &problem->y);
}

static void problem_take_away(struct problem *problem) {
    placed_free(&problem->x_there);
    placed_free(&problem->poison_there);
    placed_free(&problem->y_there);
}

/* With a kernel, or with the one that the library picks when `kernel` is null. */
static spry_status multiply(spry_context *context, const spry_kernel *kernel, const struct problem *problem,
                            double alpha, const spry_matrix *matrix, double beta, struct vector *y) {
    const void *x = alpha == 0 ? problem->poison_there.data : problem->x_there.data;
    void *y_there = problem->y_there.data;
    vector_copy(y, &problem->before);
    spry_status status = vector_put(y, &problem->y_there);
    if (!status && kernel)
        status = spry_spmv_with(context, kernel, alpha, matrix, x, beta, y_there);
    else if (!status)
        status = spry_spmv(context, problem->op, alpha, matrix, x, beta, y_there);
    return status ? status : vector_fetch(y, &problem->y_there);
}

static bool in_any_order(const spry_kernel *kernel, const struct problem *problem,
                         const spry_matrix *matrix) {
    return spry_kernel_describe(kernel ? kernel : spry_kernel_for(matrix, problem->op)).nondeterministic;
}

/* What is wrong with one product, as text; empty when nothing is. */
static void check_product(spry_context *context, const spry_kernel *kernel, struct problem *problem,
                          const spry_matrix *matrix, double alpha, double beta, char *fault, size_t size) {
    fault[0] = '\0';
    if (beta == 0)
        vector_fill(&problem->before, NAN);
    else
        vector_random(&problem->before, 99);
    spry_status status = multiply(context, kernel, problem, alpha, matrix, beta, &problem->y);
    if (status) {
        snprintf(fault, size, "%s: %s", spry_status_string(status), spry_message(context));
        return;
    }
    bool nondeterministic = in_any_order(kernel, problem, matrix);
    problem->reference.flushed = nondeterministic;
    int64_t i = reference_differs(&problem->reference, alpha, beta, &problem->before, &problem->y);
    if (i >= 0)
        snprintf(fault, size, "alpha %g, beta %g: y[%lld] = %g, not %g", alpha, beta, (long long)i,
                 vector_get(&problem->y, i),
                 reference_value(&problem->reference, alpha, beta, &problem->before, i));
    else if (!vector_guarded(&problem->y))
        snprintf(fault, size, "wrote beside y");
    else if (!nondeterministic && (multiply(context, kernel, problem, alpha, matrix, beta, &problem->again) ||
                                   !vector_same_bits(&problem->y, &problem->again)))
        snprintf(fault, size, "a second run gave other bits");
}

/* Faults of a scenario after which more have nothing new to say. */
#define ENOUGH 20

static void report(spry_context *context, const spry_kernel *kernel, const struct problem *problem,
                   const spry_matrix *matrix, enum origin origin, const char *fault) {
    static const char *const origins[ORIGIN_COUNT] = {"converted", "wrapped", "wrapped from 1", "transposed",
                                                      "cast"};
    static int faults;
    cr_expect_fail("%s, %s %s %s %s, %s, %d threads, %s", problem->scenario->name,
                   kernel ? spry_kernel_describe(kernel).name : "spry_spmv",
                   spry_format_name(spry_matrix_format(matrix)), spry_type_name(problem->type),
                   spry_index_name(spry_matrix_index(matrix)), origins[origin], spry_context_threads(context),
                   fault);
    cr_assert(++faults < ENOUGH, "and so on");
}

static size_t scenario_number(const struct problem *problem) {
    return (size_t)(problem->scenario - test_scenarios);
}

/* The pairs of factors for a matrix, the first of them and how many. */
struct turn {
    size_t first, count;
};

static struct turn turn_of(const struct problem *problem, enum origin origin) {
    size_t in_turn = (size_t)problem->setting->in_turn;
    if (test_is_brief() || problem->scenario->large)
        return (struct turn){0, FEW_FACTORS};
    if (in_turn > 0)
        return (struct turn){scenario_number(problem) * in_turn + (size_t)origin, in_turn};
    return (struct turn){0, origin == CONVERTED ? FACTORS : FEW_FACTORS};
}

/* With one kernel and one matrix; stops at the first fault. */
static void check_kernel(spry_context *context, const spry_kernel *kernel, struct problem *problem,
                         const spry_matrix *matrix, enum origin origin) {
    char fault[256] = "";
    const struct turn turn = turn_of(problem, origin);
    for (size_t i = 0; i < turn.count && !fault[0]; i++) {
        const size_t f = (turn.first + i) % FACTORS;
        check_product(context, kernel, problem, matrix, factors[f].alpha, factors[f].beta, fault,
                      sizeof fault);
    }
    if (fault[0])
        report(context, kernel, problem, matrix, origin, fault);
}

/* How often each row of the kernel table was checked by this test, and whether once is enough. */
static int64_t *runs;
static bool once;

static bool is_for(const spry_kernel *kernel, spry_op op, const spry_matrix *matrix) {
    return spry_kernel_describe(kernel).op == op && spry_kernel_takes(kernel, matrix);
}

static void check_matrix(spry_context *context, struct problem *problem, spry_format format,
                         spry_index_type index, enum origin origin) {
    struct built built;
    spry_status status = build(context, &problem->list, format, problem->type, index, origin, &built);
    if (status) {
        cr_expect(status == SPRY_ERROR_TOO_LARGE && problem->scenario->may_be_refused,
                  "%s, building %s: %s: %s", problem->scenario->name, spry_format_name(format),
                  spry_status_string(status), spry_message(context));
    } else {
        check_kernel(context, NULL, problem, built.matrix, origin);
        /* All others have been looked at in a context of that backend that wants an order. */
        for (size_t k = 0; k < spry_kernel_count() && !problem->setting->nondeterministic; k++)
            if (!(once && runs[k]) && is_for(spry_kernel_at(k), problem->op, built.matrix) &&
                spry_kernel_runs(context, spry_kernel_at(k))) {
                check_kernel(context, spry_kernel_at(k), problem, built.matrix, origin);
                runs[k]++;
            }
    }
    built_free(&built);
}

/* Cases are numbered so that a part of a multiple of six has one pair of types, whose kernels are no other pair's. Where
   cases are few, each scenario has one pair, in turn. */
static bool is_in_part(const struct problem *problem, int index) {
    size_t scenario = scenario_number(problem), pairs = SPRY_TYPE_COUNT * SPRY_INDEX_COUNT,
           pair = (size_t)((int)problem->type * SPRY_INDEX_COUNT + index);
    return test_is_in_part(scenario * pairs + pair) && (!test_has_few_cases() || scenario % pairs == pair);
}

/* Whether a kernel for such matrices is still to be run. */
static bool is_wanted(spry_context *context, const struct problem *problem, spry_format format,
                      spry_index_type index) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel_info info = spry_kernel_describe(spry_kernel_at(k));
        if (!runs[k] && info.format == format && info.index == index && info.type == problem->type &&
            info.op == problem->op && test_is_plain(info) && spry_kernel_runs(context, spry_kernel_at(k)))
            return true;
    }
    return false;
}

static bool has_turn(const struct problem *problem, enum origin origin) {
    return problem->setting->in_turn == 0 || origin == CONVERTED ||
           (size_t)origin == 1 + scenario_number(problem) % (ORIGIN_COUNT - 1);
}

static void check_problem(spry_context *context, struct problem *problem, bool as_converted) {
    int origins = as_converted ? 1 : problem->scenario->large ? ORIGINS_IF_LARGE : ORIGIN_COUNT;
    for (int format = 0; format < SPRY_FORMAT_COUNT; format++)
        for (int index = 0; index < SPRY_INDEX_COUNT; index++)
            for (int origin = 0; origin < origins; origin++)
                if (has_origin((spry_format)format, (enum origin)origin) &&
                    has_turn(problem, (enum origin)origin) &&
                    (once ? is_wanted(context, problem, (spry_format)format, (spry_index_type)index)
                          : is_in_part(problem, index)))
                    check_matrix(context, problem, (spry_format)format, (spry_index_type)index,
                                 (enum origin)origin);
}

/* Forget what was run before. */
static void count_runs(bool no_more_than_once) {
    once = no_more_than_once;
    size_t bytes = spry_kernel_count() * sizeof *runs;
    free(runs);
    runs = test_malloc(bytes);
    memset(runs, 0, bytes);
}

static void check_setting(const struct setting *setting, struct problem *problem, bool as_converted) {
    spry_context_options options = test_options();
    options.threads = setting->threads;
    options.nondeterministic = setting->nondeterministic;
    spry_context *context = test_context_with(&options);
    problem_place(problem, context, setting);
    check_problem(context, problem, as_converted || !setting->all_origins);
    problem_take_away(problem);
    spry_context_destroy(context);
}

/* In brief, of those on a CPU each scenario has one, in turn. */
static bool is_tried(size_t number, size_t s) {
    const struct setting *setting = &backends[test_backend()].settings[s];
    const bool in_turn = test_backend() != SPRY_CPU || (number + s) % 2 == 0;
    return (setting->if_large || !test_scenarios[number].large) &&
           (!test_is_brief() || (in_turn && !setting->at_length));
}

static void check_scenario(size_t number) {
    const struct scenario *scenario = &test_scenarios[number];
    spry_backend backend = test_backend();
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int op = 0; op < SPRY_OP_COUNT; op++) {
            struct problem problem = problem_new(scenario, (spry_value_type)type, (spry_op)op);
            for (size_t s = 0; s < backends[backend].count; s++)
                if (is_tried(number, s))
                    check_setting(&backends[backend].settings[s], &problem, test_is_brief());
            problem_free(&problem);
        }
}

ParameterizedTestParameters(conformance, products) {
    static struct scenarios ranges[MOST_SCENARIOS];
    size_t count = test_scenario_ranges(ranges);
    return cr_make_param_array(struct scenarios, ranges, count);
}

ParameterizedTest(struct scenarios *range, conformance, products) {
    count_runs(false);
    for (size_t number = range->first; number < range->end; number++)
        if (test_scenario_is_tried(&test_scenarios[number]))
            check_scenario(number);
}

/* The first row of the table for this type and operation that a context here runs and no scenario did; null: none. */
static const spry_kernel *not_run(spry_context *context, spry_value_type type, spry_op op) {
    for (size_t k = 0; k < spry_kernel_count(); k++) {
        const spry_kernel *kernel = spry_kernel_at(k);
        spry_kernel_info info = spry_kernel_describe(kernel);
        if (info.type == type && info.op == op && test_is_plain(info) && spry_kernel_runs(context, kernel) &&
            !runs[k])
            return kernel;
    }
    return NULL;
}

/* Scenario after scenario, with matrices of all origins, until each kernel had its turn. One that takes no matrix would
   pass all other tests. Those that this machine does not run are named by kernels::all_run_here. Kernels for values in
   a code are the business of tests/codes.c. */
Test(conformance, every_kernel_is_run) {
    spry_context *context = test_context(1);
    count_runs(true);
    for (int type = 0; type < SPRY_TYPE_COUNT; type++)
        for (int op = 0; op < SPRY_OP_COUNT; op++) {
            for (size_t s = 0;
                 s < test_scenario_count && not_run(context, (spry_value_type)type, (spry_op)op); s++) {
                struct problem problem = problem_new(&test_scenarios[s], (spry_value_type)type, (spry_op)op);
                check_setting(&backends[test_backend()].settings[0], &problem, false);
                problem_free(&problem);
            }
            const spry_kernel *kernel = not_run(context, (spry_value_type)type, (spry_op)op);
            if (kernel) {
                spry_kernel_info info = spry_kernel_describe(kernel);
                cr_expect_fail("no scenario runs %s, %s %s, operation %d", info.name,
                               spry_type_name(info.type), spry_index_name(info.index), op);
            }
        }
    spry_context_destroy(context);
}
