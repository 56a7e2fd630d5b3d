/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/advice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"

/* An error over this is worth a word when the residual is so many times smaller. */
#define LARGE_ERROR 1e-4
#define APART 1e3

static struct advice say(const char *title, const char *format, ...) __attribute__((format(printf, 2, 3)));
static struct advice say(const char *title, const char *format, ...) {
    struct advice advice = {.title = title};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(advice.text, sizeof advice.text, format, arguments);
    va_end(arguments);
    return advice;
}

/* |x − x*| / |x*| is at most the condition number times |b − A x| / |b|, so that number is at least their ratio. Without
   a residual, as where b = 0, there is none. */
static struct advice on_error(const struct run *run) {
    double relative = run->residual > 0.0 ? run->residual / run->system.norm_b : 0.0;
    char condition[64] = "";
    if (!(run->error > LARGE_ERROR && run->error > APART * relative))
        return (struct advice){.title = NULL};
    if (relative > 0.0)
        snprintf(condition, sizeof condition, " (condition number %s or more)",
                 number_tiny(run->error / relative).text);
    return say("note",
               "A x is b to %s, and x is not x* (see error): the matrix is singular, so that other x solve "
               "it too, or ill-conditioned%s, so that small changes of b make large ones of x",
               number_tiny(relative).text, condition);
}

/* Whether the last method is for symmetric matrices, and this one is not. */
static bool needs_symmetry(const struct run *run) {
    const int method = run_last(run)->step.method;
    return !run->choice.traits.symmetric && (method == SPRY_CG || method == SPRY_MINRES);
}

/* The line for a method that the command line named: another one that suits what went wrong. */
static struct advice on_method(const struct run *run) {
    const struct attempt *last = run_last(run);
    if (needs_symmetry(run))
        return say("try", "--solver gmres: %s is for symmetric matrices, and this one is not",
                   method_name(last->step.method));
    if (last->end == SPRY_INDEFINITE)
        return say("try", "--solver minres: it solves symmetric systems that are not positive definite, "
                          "with --precond equilibrate");
    return say("try", "no --solver: methods are then tried one after the other until one converges");
}

static struct advice on_precond(const struct run *run) {
    const struct traits *traits = &run->choice.traits;
    const char *other = !traits->full ? "equilibrate" : traits->symmetric ? "ic0" : "ilu0";
    const struct solve_options *options = run->system.place->options;
    const bool has_factors = options->precond_kind == SPRY_ILU0 || options->precond_kind == SPRY_IC0;
    if (has_factors && options->precond.shift == 0.0)
        return say("try",
                   "--shift 0.1: a larger diagonal makes factors that are less exact, and more stable");
    if (has_factors || strcmp(precond_name(options->precond_kind), other) == 0)
        return say("try", "no --precond: several are then tried");
    return say("try", "--precond %s, or no --precond: several are then tried", other);
}

static struct advice on_nothing_left(const struct run *run) {
    const struct solve_options *options = run->system.place->options;
    if (run_last(run)->end == END_TIME)
        return say("try", "a larger --time-limit: it ended the last of %d attempts", run->attempt_count);
    if (system_is_near(&run->system, run->residual))
        return say("try",
                   "--max-iterations %" PRId64 ", or --tol %.0e: the residual is not far from the tolerance",
                   options->solver.iterations ? 10 * options->solver.iterations : INT64_C(100000),
                   2.0 * run->residual / run->system.norm_b);
    return say("try", "a direct solver (UMFPACK, SuperLU, MUMPS): no method here was near the tolerance; "
                      "--compare shows how each did");
}

static struct advice on_stagnation(const struct run *run) {
    return run->system.place->options->reading.type == SPRY_F32
               ? say("try", "--type f64: f32 has too few digits for this tolerance")
               : say("try", "--tol %.0e: rounding allows no smaller residual here",
                     2.0 * run->residual / run->system.norm_b);
}

/* Nothing that the command line offers solves with such values, but for those that f32 alone does not have. */
static struct advice on_input(const struct run *run) {
    return say("note", "the matrix or the right-hand side has NaN or infinite values%s",
               run->system.place->options->reading.type == SPRY_F32
                   ? ", in f32 also those beyond its range: try --type f64"
                   : "");
}

/* Where the command line set the limit itself. */
static struct advice on_limit(const struct run *run) {
    const int64_t limit = run->system.place->options->solver.iterations;
    return say("try", "--max-iterations %" PRId64 ": the limit of %" PRId64 " ended the last of %d attempt%s",
               limit > INT64_MAX / 10 ? limit : 10 * limit, limit, run->attempt_count,
               run->attempt_count == 1 ? "" : "s");
}

static struct advice on_failure(const struct run *run) {
    const struct solve_options *options = run->system.place->options;
    int end = run_last(run)->end;
    if (end == END_INTERRUPTED)
        return (struct advice){.title = NULL};
    if (end == SPRY_NOT_FINITE && !(run->choice.traits.finite && system_rhs_is_finite(&run->system)))
        return on_input(run);
    if (end == SPRY_STAGNATED && system_is_near(&run->system, run->residual))
        return on_stagnation(run);
    if (options->method_set && (needs_symmetry(run) || (end != SPRY_LIMIT && end != END_TIME)))
        return on_method(run);
    if (options->precond_set)
        return on_precond(run);
    if (end == SPRY_LIMIT && options->solver.iterations > 0)
        return on_limit(run);
    if (options->method_set)
        return on_method(run);
    return on_nothing_left(run);
}

struct advice advice_on(const struct run *run) {
    return run_last(run)->end == SPRY_CONVERGED ? on_error(run) : on_failure(run);
}
