/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves that are watched, limited and cancelled. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/systems.h"

Test(solve, limit) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(30, 0, 0), SPRY_CSR, SPRY_F64);
        for (int64_t limit = 1; limit < 100; limit += 33) {
            spry_solver_options options = {.size = sizeof options,
                                           .method = method,
                                           .relative = 1e-14,
                                           .iterations = limit,
                                           .restart = 20};
            spry_solve_result result = system_solve(&system, NULL, &options);
            cr_expect_eq(result.outcome, SPRY_LIMIT, "%s %d: %s", spry_method_name(method), (int)limit,
                         spry_outcome_string(result.outcome));
            cr_expect_eq(result.iterations, limit, "%s: %d, not %d", spry_method_name(method),
                         (int)result.iterations, (int)limit);
            cr_expect_float_eq(result.residual, result.estimate, 1e-6 * result.norm_b);
        }
        system_free(&system);
    }
    spry_context_destroy(context);
}

struct seen {
    int64_t next, stop;
    double last, norms[2000];
};

static int watch(void *user, int64_t iteration, double residual) {
    struct seen *seen = user;
    cr_expect_eq(iteration, seen->next);
    seen->norms[seen->next++] = seen->last = residual;
    return seen->next > seen->stop;
}

Test(solve, history_and_monitor_agree) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(25, 0, 0), SPRY_CSR, SPRY_F64);
        struct seen seen = {.stop = 5000};
        spry_solver_options options = {.size = sizeof options,
                                       .method = method,
                                       .history = 1,
                                       .iterations = 1000,
                                       .monitor = watch,
                                       .user = &seen};
        spry_solver *solver = system_solver(&system, NULL, &options);
        spry_solve_result result = {.size = sizeof result};
        cr_assert_eq(spry_solve(solver, b_of(&system), x_of(&system), &result), SPRY_OK);
        cr_expect_eq(result.outcome, SPRY_CONVERGED);
        cr_expect_eq(seen.next, result.iterations + 1, "%s: %d, %d", spry_method_name(method), (int)seen.next,
                     (int)result.iterations);
        cr_expect_float_eq(seen.norms[0], result.norm_b, 1e-12 * result.norm_b);
        cr_expect(seen.last <= 1e-8 * result.norm_b);
        cr_expect_eq(memcmp(seen.norms, result.history, (size_t)seen.next * sizeof(double)), 0);
        spry_solver_destroy(solver);
        system_free(&system);
    }
    spry_context_destroy(context);
}

Test(solve, cancelled) {
    spry_context *context = test_context(2);
    FOR_METHODS(method) {
        struct system system = system_new(context, grid_list(60, 0, 0), SPRY_CSR, SPRY_F64);
        struct seen seen = {.stop = 25};
        spry_solver_options options = {.size = sizeof options,
                                       .method = method,
                                       .relative = 1e-14,
                                       .monitor = watch,
                                       .user = &seen,
                                       .restart = 64};
        spry_solve_result result = system_solve(&system, NULL, &options);
        cr_expect_eq(result.outcome, SPRY_CANCELLED, "%s: %s", spry_method_name(method),
                     spry_outcome_string(result.outcome));
        cr_expect_eq(seen.next, 26);
        cr_expect(result.residual < 0.9 * result.norm_b, "%s: %g", spry_method_name(method), result.residual);
        system_free(&system);
    }
    spry_context_destroy(context);
}
