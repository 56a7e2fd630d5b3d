/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/argument.h"
#include "common/source_options.h"

enum {
    KEY_ABS = 256,
    KEY_BLOCK,
    KEY_COLOURS,
    KEY_COMPARE,
    KEY_DEGREE,
    KEY_ENTRIES,
    KEY_HISTORY,
    KEY_INNER,
    KEY_JSON,
    KEY_NO_PLOT,
    KEY_OMEGA,
    KEY_PLOT,
    KEY_POWER,
    KEY_PROFILE,
    KEY_REPEAT,
    KEY_RESTART,
    KEY_RHS,
    KEY_SHIFT,
    KEY_SINGLE,
    KEY_SWEEPS,
    KEY_TIME_LIMIT
};

static const struct argp_option known[] = {
    {"solver", 's', "cg|minres|bicgstab|gmres|normal", 0,
     "Method, and no other (without: one after the other, until one converges)", 0},
    {"precond", 'p', "NAME", 0,
     "The only preconditioner to try: none, jacobi, block-jacobi, ssor, ilu0, ic0, chebyshev, fsai or "
     "equilibrate "
     "(without: those that suit the method)",
     0},
    {"compare", KEY_COMPARE, NULL, 0, "Solve with each method and preconditioner; print a table", 0},
    {"output", 'o', "FILE", 0,
     "Write the solution to FILE (Matrix Market, one column); - is standard output: the report then goes "
     "to standard error",
     0},
    {"tol", 'e', "T", 0, "Converged when the residual is at most T times the norm of b (1e-8; 1e-5 for f32)",
     0},
    {"abs", KEY_ABS, "T", 0, "Converged when the norm of the residual is at most T", 0},
    {"max-iterations", 'n', "N", 0, "Most iterations of a method (10000)", 0},
    {"time-limit", KEY_TIME_LIMIT, "S", 0, "Most seconds of a method (none; with --compare 10)", 0},
    {"restart", KEY_RESTART, "M", 0, "gmres: vectors before it restarts, to 64 (30)", 0},
    {"block", KEY_BLOCK, "N", 0, "block-jacobi: rows of a block, to 32 (8)", 0},
    {"omega", KEY_OMEGA, "W", 0, "ssor: relaxation, over 0 and under 2 (1)", 0},
    {"degree", KEY_DEGREE, "N", 0, "chebyshev: products in each application, to 100 (4)", 0},
    {"inner", KEY_INNER, "NAME", 0,
     "What chebyshev is a polynomial over: jacobi, block-jacobi, ssor, ilu0, ic0 or fsai (jacobi)", 0},
    {"sweeps", KEY_SWEEPS, "N", 0,
     "ssor, ilu0, ic0: Jacobi sweeps in the place of each triangular solve, to 100 (0: none, it is exact)",
     0},
    {"single", KEY_SINGLE, NULL, 0, "Make and apply the preconditioner in f32", 0},
    {"colours", KEY_COLOURS, NULL, 0, "ssor, ilu0, ic0: take the rows in the order of colours", 0},
    {"power", KEY_POWER, "N", 0, "fsai: pattern of the matrix (1), or of its square (2)", 0},
    {"entries", KEY_ENTRIES, "N", 0, "fsai: entries of a row, to 64 (32)", 0},
    {"shift", KEY_SHIFT, "S", 0,
     "ilu0, ic0, fsai: add S times each diagonal entry to it before factoring (0)", 0},
    {"rhs", KEY_RHS, "exact|ones|random|FILE", 0, "Right-hand side (exact: A times a known solution)", 0},
    {"format", 'f', "auto|NAME", 0,
     "Format to multiply in:" ARGUMENT_FORMATS
     " (auto: the fastest); with parameters and codes as in sell:32:1024",
     0},
    {"profile", KEY_PROFILE, "FILE", 0,
     "Machine profile to choose the format by (the calibrated one, else the library's own)", 0},
    {"backend", 'b', "cpu|cuda", 0, "Where to solve (cpu)", 0},
    {"threads", 'j', "N", 0, "Threads (all that this process may run on)", 0},
    {"repeat", KEY_REPEAT, "N", 0, "Solve N times and report the median time (1)", 0},
    {"history", KEY_HISTORY, NULL, 0, "Report the residual of every iteration", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object a matrix, each on one line", 0},
    {"plot", KEY_PLOT, NULL, 0, "Plot the residual, while it falls if that goes to a terminal (default)", 0},
    {"no-plot", KEY_NO_PLOT, NULL, 0, "Do not plot", 0},
    {0},
};

/* ---- values of options ---- */

const char *method_name(int method) {
    return method == METHOD_NORMAL ? "normal" : spry_method_name((spry_method)method);
}

const char *precond_name(int precond) {
    return precond == PRECOND_NONE          ? "none"
           : precond == PRECOND_EQUILIBRATE ? "equilibrate"
                                            : spry_precond_name((spry_precond_kind)precond);
}

/* What chebyshev may be a polynomial over: each of the library's preconditioners but itself. */
static spry_precond_kind inner_kind(int choice) {
    return (spry_precond_kind)(choice < SPRY_CHEBYSHEV ? choice : choice + 1);
}

static const char *inner_name(int choice) {
    return precond_name(inner_kind(choice));
}

static spry_storage read_storage(const char *name, struct argp_state *state) {
    return strcmp(name, "auto") == 0 ? (spry_storage){.format = SPRY_AUTO}
                                     : argument_storage("format", name, state);
}

static void read_rhs(const char *text, struct solve_options *options) {
    static const char *const names[] = {[RHS_EXACT] = "exact", [RHS_ONES] = "ones", [RHS_RANDOM] = "random"};
    options->rhs = RHS_EXACT;
    while (options->rhs < RHS_FILE && strcmp(text, names[options->rhs]) != 0)
        options->rhs++;
    options->rhs_file = text;
}

/* ---- argp ---- */

/* The numbers. Returns false for a key that is none of theirs. */
static bool read_number(int key, const char *value, struct solve_options *options, struct argp_state *state) {
    switch (key) {
    case 'e':
        options->solver.relative = argument_number("tol", value, 0.0, INFINITY, state);
        return true;
    case KEY_ABS:
        options->solver.absolute = argument_number("abs", value, 0.0, INFINITY, state);
        return true;
    case 'n':
        options->solver.iterations = argument_count("max-iterations", value, 1, INT64_MAX / 16, state);
        return true;
    case KEY_RESTART:
        options->solver.restart = (int)argument_count("restart", value, 1, 64, state);
        return true;
    case KEY_BLOCK:
        options->precond.block = (int)argument_count("block", value, 1, 32, state);
        return true;
    case KEY_OMEGA:
        options->precond.omega = argument_number("omega", value, 0.0, 2.0, state);
        return true;
    case KEY_DEGREE:
        options->precond.degree = (int)argument_count("degree", value, 1, 100, state);
        return true;
    case KEY_POWER:
        options->precond.power = (int)argument_count("power", value, 1, 2, state);
        return true;
    case KEY_ENTRIES:
        options->precond.entries = (int)argument_count("entries", value, 1, 64, state);
        return true;
    case KEY_SHIFT:
        options->precond.shift = argument_share("shift", value, state);
        return true;
    case KEY_SWEEPS:
        options->precond.sweeps = (int)argument_count("sweeps", value, 0, 100, state);
        return true;
    case KEY_REPEAT:
        options->repeat = (int)argument_count("repeat", value, 1, SOLVE_REPEATS, state);
        return true;
    case KEY_TIME_LIMIT:
        options->time_limit = argument_number("time-limit", value, 0.0, INFINITY, state);
        return true;
    case 'j':
        options->threads = argument_threads(value, state);
        return true;
    default:
        return false;
    }
}

/* The names. Returns false for a key that is none of theirs. */
static bool read_name(int key, char *value, struct solve_options *options, struct argp_state *state) {
    switch (key) {
    case 's':
        options->method = argument_name("solver", value, method_name, METHODS, state);
        options->method_set = true;
        return true;
    case 'p':
        options->precond_kind = argument_name("precond", value, precond_name, PRECONDS, state);
        options->precond_set = true;
        return true;
    case KEY_INNER:
        options->precond.inner =
            inner_kind(argument_name("inner", value, inner_name, SPRY_PRECOND_COUNT - 1, state));
        return true;
    case 'f':
        options->storage = read_storage(value, state);
        return true;
    case 'b':
        options->backend = argument_backend(value, state);
        return true;
    case KEY_PROFILE:
        options->profile = argument_file("--profile", value, state);
        return true;
    case 'o':
        options->output = argument_file("--output", value, state);
        return true;
    case KEY_RHS:
        read_rhs(argument_file("--rhs", value, state), options);
        return true;
    default:
        return false;
    }
}

/* Most seconds of a method in a comparison, unless the command line says. */
#define COMPARE_SECONDS 10.0

/* What holds for what was not given. The library's tolerances are set here, since they are drawn and printed too. */
static void set_defaults(struct solve_options *options) {
    if (options->compare && options->time_limit == 0.0)
        options->time_limit = COMPARE_SECONDS;
    if (options->solver.relative == 0.0 && options->solver.absolute == 0.0)
        options->solver.relative = options->reading.type == SPRY_F32 ? 1e-5 : 1e-8;
}

/* One solution goes to one file, and a comparison has none. */
static void check_together(const struct solve_options *options, struct argp_state *state) {
    if (options->output && options->input_count > 1)
        argp_error(state, "--output: one file cannot hold the solutions of %d matrices",
                   options->input_count);
    if (options->output && options->compare)
        argp_error(state, "--output: --compare keeps no solution to write");
    if (options->compare && (options->history || options->repeat > 1))
        argp_error(state,
                   "--compare: not together with %s: it solves once in each way, and says how each ended",
                   options->history ? "--history" : "--repeat");
    if (options->method_set && options->precond_set && options->method == METHOD_NORMAL &&
        options->precond_kind != PRECOND_NONE && options->precond_kind != PRECOND_EQUILIBRATE)
        argp_error(state, "--precond: the solver 'normal' takes none or equilibrate, not '%s'",
                   precond_name(options->precond_kind));
}

static error_t read_option(int key, char *value, struct argp_state *state) {
    struct solve_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->reading;
        return 0;
    case KEY_HISTORY:
        options->history = true;
        return 0;
    case KEY_SINGLE:
        options->precond.single = 1;
        return 0;
    case KEY_COLOURS:
        options->precond.colours = 1;
        return 0;
    case KEY_COMPARE:
        options->compare = true;
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    case KEY_PLOT:
    case KEY_NO_PLOT:
        options->plot = key == KEY_PLOT;
        return 0;
    case ARGP_KEY_ARG:
        options->inputs[options->input_count++] = argument_file("FILE", value, state);
        return 0;
    case ARGP_KEY_END:
        if (options->input_count == 0)
            argp_error(state, "no FILE was given");
        check_together(options, state);
        set_defaults(options);
        return 0;
    default:
        return read_number(key, value, options, state) || read_name(key, value, options, state)
                   ? 0
                   : ARGP_ERR_UNKNOWN;
    }
}

int solve_options_read(int argc, char **argv, struct solve_options *options) {
    static const struct argp_child children[] = {{&source_options_parser, 0, NULL, 0}, {0}};
    static const struct argp parser = {
        known,
        read_option,
        "FILE...",
        "Solve A x = b for a sparse matrix A, by iteration."
        "\vExit status: 0 when every system converged; 2 when one did not; 1 when one could not be solved at "
        "all; 64 for a wrong command line; 130 after Ctrl-C.",
        children,
        argument_help,
        NULL,
    };
    *options = (struct solve_options){
        .storage = {.format = SPRY_AUTO},
        .repeat = 1,
        .plot = true,
    };
    options->inputs = malloc((size_t)argc * sizeof *options->inputs);
    if (!options->inputs)
        return ENOMEM;
    return argp_parse(&parser, argc, argv, 0, NULL, options);
}
