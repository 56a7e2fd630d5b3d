/* SPDX-License-Identifier: BSD-3-Clause */
#include "spsolve/chain.h"

/* Kinds of matrices, one bit each. */
enum {
    DEFINITE = 1,  /* symmetric, with a positive diagonal: it may be positive definite */
    SYMMETRIC = 2, /* any other that is symmetric */
    GENERAL = 4,   /* all others */
    ALL = DEFINITE | SYMMETRIC | GENERAL
};

/* Products of a polynomial that are about as many as the passes over vectors in the rest of an iteration of CG. */
#define HIGH_DEGREE 8

/* More rows than a GPU has threads at a time. With fewer a solve is over before a preconditioner of any kind is made. */
#define LARGE ((int64_t)1 << 18)

/* Where to solve. */
enum { ON_CPU = 1 << SPRY_CPU, ON_GPU = 1 << SPRY_CUDA, ANYWHERE = ON_CPU | ON_GPU };

/*
 * The chain. Of the rows for a kind of matrix, each is taken when those before it did not converge, from the best x
 * that they found. With --solver it is all rows of that method, whatever the kind, and a row for no kind is there for
 * that alone; with --precond, the first row of each method, with that preconditioner. Limits and patience hold as long as
 * there is a row after it.
 *
 * On a GPU, of a large matrix, a product in f32 is the cheapest that an iteration has, and all else of it the dearest: so there a
 * polynomial of a high degree comes first, which has few iterations of many products.
 *
 * CG ends at once where the matrix is indefinite, so it costs little to ask. MINRES and the normal equations never break
 * down, also for singular matrices with a solution. The normal equations, which are slow, are the last resort.
 */
static const struct {
    int kinds, backends;
    int64_t least; /* rows that it is for */
    struct step step;
} rows[] = {
    {DEFINITE, ON_GPU, LARGE, {SPRY_CG, SPRY_CHEBYSHEV, 0, 0, 1000, HIGH_DEGREE, true}},
    {DEFINITE, ANYWHERE, 0, {SPRY_CG, SPRY_JACOBI, 0, 0, 2000, 0, false}},
    {DEFINITE, ANYWHERE, 0, {SPRY_CG, SPRY_IC0, 0, 0, 1000, 0, false}},
    {DEFINITE | SYMMETRIC, ANYWHERE, 0, {SPRY_MINRES, PRECOND_EQUILIBRATE, 0, 0, 3000, 0, false}},
    {GENERAL, ANYWHERE, 0, {SPRY_GMRES, SPRY_JACOBI, 0, 500, 150, 0, false}},
    {0, ANYWHERE, 0, {SPRY_BICGSTAB, SPRY_JACOBI, 0, 1000, 300, 0, false}},
    {GENERAL, ANYWHERE, 0, {SPRY_BICGSTAB, SPRY_ILU0, 0, 1000, 400, 0, false}},
    {GENERAL, ANYWHERE, 0, {SPRY_GMRES, SPRY_ILU0, 64, 500, 150, 0, false}},
    {GENERAL, ANYWHERE, 0, {SPRY_BICGSTAB, PRECOND_NONE, 0, 1000, 300, 0, false}},
    {ALL, ANYWHERE, 0, {METHOD_NORMAL, PRECOND_EQUILIBRATE, 0, 0, 0, 0, false}},
};

#define ROWS ((int)(sizeof rows / sizeof *rows))

static int kind_of(const struct traits *traits) {
    if (!traits->symmetric)
        return GENERAL;
    return traits->positive ? DEFINITE : SYMMETRIC;
}

bool step_needs_definite(const struct step *step) {
    return step->method == SPRY_CG;
}

static bool has_method(const struct chain *chain, int method) {
    for (int i = 0; i < chain->count; i++)
        if (chain->step[i].method == method)
            return true;
    return false;
}

/* The normal equations have another matrix: of the preconditioners of A, they take the one that is its scaling. */
static bool fits(int method, int precond) {
    return method != METHOD_NORMAL || precond == PRECOND_NONE || precond == PRECOND_EQUILIBRATE;
}

static bool takes(const struct chain *chain, int row, const struct traits *traits,
                  const struct solve_options *options) {
    const int kind = kind_of(traits);
    const struct step *step = &rows[row].step;
    if (!(rows[row].backends >> options->backend & 1) || traits->rows < rows[row].least)
        return false;
    if (options->method_set ? step->method != options->method : !(rows[row].kinds & kind))
        return false;
    return !options->precond_set ||
           (!has_method(chain, step->method) && fits(step->method, options->precond_kind));
}

/* Jacobi cannot be where the diagonal has zeros, nor with CG where it is not positive. */
static int possible_precond(const struct step *step, const struct traits *traits) {
    bool good = step_needs_definite(step) ? traits->positive : traits->full;
    return step->precond == SPRY_JACOBI && !good ? PRECOND_NONE : step->precond;
}

static void add(struct chain *chain, const struct step *row, const struct traits *traits,
                const struct solve_options *options) {
    struct step *step = &chain->step[chain->count++];
    *step = *row;
    step->precond = options->precond_set ? options->precond_kind : possible_precond(row, traits);
    if (options->solver.restart > 0)
        step->restart = 0;
    if (options->precond_set) {
        step->degree = 0;
        step->single = false;
    }
}

void chain_make(struct chain *chain, const struct traits *traits, const struct solve_options *options) {
    *chain = (struct chain){.count = 0};
    for (int row = 0; row < ROWS; row++)
        if (takes(chain, row, traits, options))
            add(chain, &rows[row].step, traits, options);
    struct step *last = &chain->step[chain->count - 1];
    last->limit = last->patience = 0;
}

/* ---- comparing ---- */

static bool is_worth_comparing(int method, int precond, const struct traits *traits) {
    bool symmetric = method == SPRY_CG || method == SPRY_MINRES;
    if (method == METHOD_NORMAL)
        return precond == PRECOND_EQUILIBRATE;
    if (symmetric != traits->symmetric || (method == SPRY_CG && !traits->positive))
        return false;
    switch (precond) {
    case SPRY_JACOBI:
    case SPRY_BLOCK_JACOBI:
    case SPRY_SSOR:
        return symmetric ? traits->positive : traits->full;
    case SPRY_IC0:
    case SPRY_CHEBYSHEV:
    case SPRY_FSAI:
        return symmetric && traits->positive;
    case SPRY_ILU0:
        return !symmetric && traits->full;
    default:
        return true;
    }
}

int chain_compare(struct step step[COMPARE_MOST], const struct traits *traits,
                  const struct solve_options *options) {
    static const int preconds[] = {PRECOND_NONE,   SPRY_JACOBI, SPRY_BLOCK_JACOBI,
                                   SPRY_SSOR,      SPRY_ILU0,   SPRY_IC0,
                                   SPRY_CHEBYSHEV, SPRY_FSAI,   PRECOND_EQUILIBRATE};
    int count = 0;
    for (int method = 0; method < METHODS; method++)
        for (size_t i = 0; i < sizeof preconds / sizeof *preconds; i++) {
            bool named = options->method_set || options->precond_set;
            bool wanted = (!options->method_set || options->method == method) &&
                          (!options->precond_set || options->precond_kind == preconds[i]) &&
                          fits(method, preconds[i]);
            if (wanted && (named || is_worth_comparing(method, preconds[i], traits)))
                step[count++] = (struct step){.method = method, .precond = preconds[i]};
        }
    return count;
}
