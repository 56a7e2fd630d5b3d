/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of GMRES: Saad and Schultz, "GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear
   systems", SIAM Journal on Scientific and Statistical Computing 7, 1986. w is the new vector of the basis. */
#ifndef SPRY_GMRES_UPDATES_H
#define SPRY_GMRES_UPDATES_H

#include "solve/update_body.h"

BOTH struct sums at_gmres_first(struct vectors v, struct spry_scalars c, int64_t i) {
    v.w[i] = (num_t)c.inverse * v.r[i];
    return no_sum();
}

BOTH struct sums at_gmres_norm(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    return one_sum(product(v.w[i], v.w[i]));
}

/* Apply the earlier rotations to the new column, and find the one that makes it triangular. Returns the entry that it
   leaves on the diagonal. */
BOTH double rotate_column(struct spry_state *state, double below) {
    int j = state->column;
    const num_t *h = (const num_t *)state->h, *again = (const num_t *)state->again;
    double *column = state->triangle + (int64_t)j * state->restart;
    double current = (double)h[0] + (double)again[0];
    for (int i = 0; i < j; i++) {
        double next = (double)h[i + 1] + (double)again[i + 1];
        column[i] = state->cosines[i] * current + state->sines[i] * next;
        current = state->cosines[i] * next - state->sines[i] * current;
    }
    double diagonal = hypot(current, below);
    if (diagonal > 0) {
        state->cosines[j] = current / diagonal;
        state->sines[j] = below / diagonal;
    }
    return column[j] = diagonal;
}

BOTH void step_gmres_norm(struct spry_state *state, const double *sum) {
    double norm = sqrt(sum[0]), diagonal = rotate_column(state, norm);
    int j = state->column;
    state->iterations++;
    state->stuck = !(diagonal > 0 && is_finite(diagonal));
    if (!state->stuck) {
        state->g[j + 1] = -state->sines[j] * state->g[j];
        state->g[j] *= state->cosines[j];
        state->residual = fabs(state->g[j + 1]);
        state->column = j + 1;
        state->scalars.inverse = 1 / norm;
    }
    state->recent[state->iterations % SPRY_RECENT] = state->residual;
    state->hold = state->stuck || norm == 0 || state->column == state->restart ||
                  state->residual <= state->threshold || state->iterations >= state->limit ||
                  state->cancelled;
    if (state->hold)
        state->scalars.inverse = 0;
}

/* Once the basis is complete, vectors after its last are zero. Otherwise they would grow from one to the next, as nothing
   makes them unit vectors, until they are not finite, and not even times zero would be zero. */
BOTH struct sums at_gmres_scale(struct vectors v, struct spry_scalars c, int64_t i) {
    v.w[i] = c.inverse == 0 ? 0 : (num_t)c.inverse * v.w[i];
    return no_sum();
}

/* A step alone: there are no vectors, so any function of their values will do. */
#define at_gmres_solve at_gmres_scale

BOTH void step_gmres_solve(struct spry_state *state, const double *sum) {
    (void)sum;
    num_t *y = (num_t *)state->y;
    double *g = state->g;
    int finite = 1;
    for (int j = state->column; j < state->restart; j++)
        y[j] = 0;
    for (int j = state->column - 1; j >= 0; j--) {
        const double *column = state->triangle + (int64_t)j * state->restart;
        double value = g[j] / column[j];
        for (int i = 0; i < j; i++)
            g[i] -= column[i] * value;
        y[j] = (num_t)value;
        finite &= is_finite(value);
    }
    state->scalars.correct = finite && is_finite(state->residual);
}

/* z = M⁻¹ V y. */
BOTH struct sums at_gmres_correct(struct vectors v, struct spry_scalars c, int64_t i) {
    if (c.correct != 0)
        v.x[i] += v.z[i];
    return no_sum();
}

BOTH struct sums at_gmres_restart(struct vectors v, struct spry_scalars c, int64_t i) {
    (void)c;
    num_t r = v.b[i] - v.q[i];
    v.r[i] = r;
    return one_sum(product(r, r));
}

/* A cycle's own residual drifts away from b − A x, which the next one begins with. Where such a cycle is within the
   tolerance, x is not, and the one before it was as far away, rounding allows no more. */
BOTH void end_if_stagnated(struct spry_state *state) {
    if (state->outcome == SPRY_RUNNING && !(state->residual < state->within / 2))
        state->outcome = SPRY_STAGNATED;
    state->within = state->residual;
}

BOTH void step_gmres_restart(struct spry_state *state, const double *sum) {
    int within = state->residual <= state->threshold;
    note(state, sqrt(sum[0]));
    if (within)
        end_if_stagnated(state);
    if (state->stuck && state->outcome == SPRY_RUNNING) {
        double diagonal = state->triangle[(int64_t)state->column * (state->restart + 1)];
        state->outcome =
            state->scalars.correct != 0 && is_finite(diagonal) ? SPRY_BREAKDOWN : SPRY_NOT_FINITE;
    }
    open_cycle(state);
}

#endif
