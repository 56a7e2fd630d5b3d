/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-negative least squares (Lawson and Hanson, Solving Least Squares Problems, 1974), on the normal
   equations by sequential coordinate-wise descent (Franc, Hlaváč and Navara, Sequential Coordinate-Wise
   Algorithm for the Non-negative Least Squares Problem, CAIP 2005): there are a dozen unknowns, and the
   ridge keeps the equations well-conditioned. */
#include "spbench/fit.h"

#include <math.h>

/* Weight of the prior beside what the samples say of a term: a thousandth moves no price that they
   determine, and decides between prices that explain them equally well. It also bounds how badly
   conditioned the equations are. */
#define RIDGE 1e-3
/* Descent ends when a pass moves no price by more than this, as a part of the largest. */
#define TOLERANCE 1e-9

/* min |A q - 1|² + RIDGE |q - q0|², where a row of A is a sample over its time, and its columns have length
   1. */
struct equations {
    double scale[FIT_TERMS]; /* lengths that the columns had: q = scale * price */
    double gram[FIT_TERMS][FIT_TERMS], right[FIT_TERMS];
};

static void set_scales(struct equations *equations, const struct sample *samples, size_t count) {
    for (int j = 0; j < FIT_TERMS; j++) {
        double square = 0;
        for (size_t i = 0; i < count; i++)
            square += pow(samples[i].amount[j] / samples[i].seconds, 2);
        equations->scale[j] = square > 0 ? sqrt(square) : 1;
    }
}

static struct equations set_up(const struct sample *samples, size_t count, const double *prior) {
    struct equations equations = {.scale = {0}};
    set_scales(&equations, samples, count);
    const double *scale = equations.scale;
    for (int j = 0; j < FIT_TERMS; j++) {
        for (size_t i = 0; i < count; i++) {
            double part = samples[i].amount[j] / samples[i].seconds / scale[j];
            equations.right[j] += part;
            for (int k = 0; k < FIT_TERMS; k++)
                equations.gram[j][k] += part * samples[i].amount[k] / samples[i].seconds / scale[k];
        }
        equations.gram[j][j] += RIDGE;
        equations.right[j] += RIDGE * scale[j] * prior[j];
    }
    return equations;
}

/* Put one unknown where the others leave least; how far it moved. */
static double descend(const struct equations *equations, int j, double *q) {
    double slope = equations->right[j], before = q[j];
    for (int k = 0; k < FIT_TERMS; k++)
        slope -= equations->gram[j][k] * q[k];
    q[j] = fmax(0, before + slope / equations->gram[j][j]);
    return fabs(q[j] - before);
}

void fit_prices(const struct sample *samples, size_t count, const double *prior, double *price) {
    struct equations equations = set_up(samples, count, prior);
    double q[FIT_TERMS] = {0}, moved, largest;
    do {
        moved = largest = 0;
        for (int j = 0; j < FIT_TERMS; j++) {
            moved = fmax(moved, descend(&equations, j, q));
            largest = fmax(largest, q[j]);
        }
    } while (moved > TOLERANCE * largest);
    for (int j = 0; j < FIT_TERMS; j++)
        price[j] = q[j] / equations.scale[j];
}

double fit_predict(const struct sample *sample, const double *price) {
    double seconds = 0;
    for (int j = 0; j < FIT_TERMS; j++)
        seconds += sample->amount[j] * price[j];
    return seconds;
}
