/* SPDX-License-Identifier: BSD-3-Clause */
/* What is minimised, over the logarithms of the prices, is the sum of
   - what a wrong pick costs: the expected logarithm of its time over the fastest's, of a soft pick in each contest, which takes
     a candidate with probability proportional to predicted time ** (-1 / TEMPERATURE), in the mean over the contests;
   - WITHIN times the same of each heat: which kernel multiplies is chosen where the storage is given, too, and most heats are decided
     by a few of a contest's prices, so that they tell more of these than the contest does;
   - TRUTH times the errors of the predicted times, each by the fastest time of its contest over its own, as it matters little how
     slow the slow are, added up in each contest, in the mean over them; softened, so that a few that are far off do not rule;
   - `nearness` times the squares of how far the logarithms have moved.
   Least squares on the times alone rank worse: most of what they explain are kernels that nobody would take.
   bench/selector/model.py fits the library's own profiles in the same way, to many more matrices. The weights are those that
   ranked best what the fit had not seen, of three machines' times with prices of other machines to begin with; TRUTH of one's.

   The method is resilient propagation without backtracking, which minds the signs of the gradient alone: prices differ
   by orders of magnitude in what they bring about (Riedmiller and Braun, A direct adaptive method for faster backpropagation
   learning, ICNN 1993; Igel and Hüsken, Empirical evaluation of the improved Rprop learning algorithms, 2003). */
#include "spbench/fit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define TEMPERATURE 0.05 /* candidates predicted within about 5 % of each other share the soft pick */
#define WITHIN 0.3
#define TRUTH 1
/* A term without a price begins with this share of the time of what has it, so that it can grow. */
#define SEED 0.003

#define PASSES 200 /* after 50 the least moves by less than a thousandth */
#define STEP_FIRST 0.05
#define STEP_LEAST 1e-6
#define STEP_MOST 0.5
#define GROW 1.2
#define SHRINK 0.5

/* One price. */
struct unknown {
    double begin, log; /* its logarithm; -INFINITY: no sample has the term */
    double least;      /* of the logarithm */
    double step, slope, before;
};

static bool is_known(const struct unknown *unknown) {
    return unknown->log > -INFINITY;
}

/* What a soft pick has to add up. */
struct pick {
    double best;           /* seconds of the fastest */
    double score, weights; /* the largest of -log(predicted) / TEMPERATURE; sum of exp(score - that) */
    double regret;         /* expected logarithm of time over the best's */
};

struct picks {
    int (*number)(const struct sample *sample); /* of the pick that it takes part in */
    double share;                               /* what a pick counts */
    size_t count;
    struct pick *of;
};

struct fitting {
    const struct sample *samples;
    size_t count, owners;
    double nearness;
    struct unknown (*unknown)[FIT_TERMS]; /* by owner */
    struct picks contests, heats;
    double *predicted; /* of each sample */
};

static int contest_of(const struct sample *sample) {
    return sample->contest;
}

static int heat_of(const struct sample *sample) {
    return sample->heat;
}

double fit_predict(const struct sample *sample, const double *price) {
    double seconds = 0;
    for (int j = 0; j < FIT_TERMS; j++)
        seconds += sample->amount[j] * price[j];
    return seconds;
}

/* ---- begin ---- */

/* The mean of amount over time, over the owner's samples that have the term. */
static double mean_rate(const struct fitting *fitting, size_t owner, int term) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < fitting->count; i++) {
        const struct sample *sample = &fitting->samples[i];
        if ((size_t)sample->owner != owner || !(sample->amount[term] > 0))
            continue;
        sum += sample->amount[term] / sample->seconds;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

static void begin(struct fitting *fitting, const double *least, double (*price)[FIT_TERMS]) {
    for (size_t k = 0; k < fitting->owners; k++)
        for (int j = 0; j < FIT_TERMS; j++) {
            const double rate = mean_rate(fitting, k, j), first = price[k][j] > 0 ? price[k][j] : SEED / rate,
                         bound = least ? log(least[j]) : -INFINITY,
                         log_price = rate > 0 ? fmax(log(first), bound) : -INFINITY;
            fitting->unknown[k][j] =
                (struct unknown){.begin = log_price, .log = log_price, .least = bound, .step = STEP_FIRST};
        }
}

/* False: no memory. */
static bool begin_picks(const struct fitting *fitting, struct picks *picks) {
    for (size_t i = 0; i < fitting->count; i++) {
        const size_t number = (size_t)picks->number(&fitting->samples[i]);
        picks->count = number < picks->count ? picks->count : number + 1;
    }
    picks->of = calloc(picks->count + 1, sizeof *picks->of);
    for (size_t i = 0; picks->of && i < fitting->count; i++) {
        struct pick *pick = &picks->of[picks->number(&fitting->samples[i])];
        const double seconds = fitting->samples[i].seconds;
        pick->best = pick->best > 0 ? fmin(pick->best, seconds) : seconds;
    }
    return picks->of;
}

/* ---- the gradient ---- */

static double score_of(const struct fitting *fitting, size_t i) {
    return -log(fitting->predicted[i]) / TEMPERATURE;
}

static double regret_of(const struct sample *sample, const struct pick *pick) {
    return log(sample->seconds / pick->best);
}

static void predict_all(struct fitting *fitting) {
    for (size_t i = 0; i < fitting->count; i++) {
        const struct sample *sample = &fitting->samples[i];
        double seconds = 0;
        for (int j = 0; j < FIT_TERMS; j++)
            seconds += sample->amount[j] * exp(fitting->unknown[sample->owner][j].log);
        fitting->predicted[i] = fmax(seconds, DBL_MIN);
    }
}

static void pick_softly(const struct fitting *fitting, const struct picks *picks) {
    for (size_t p = 0; p < picks->count; p++)
        picks->of[p] = (struct pick){.best = picks->of[p].best, .score = -INFINITY};
    for (size_t i = 0; i < fitting->count; i++) {
        struct pick *pick = &picks->of[picks->number(&fitting->samples[i])];
        pick->score = fmax(pick->score, score_of(fitting, i));
    }
    for (size_t i = 0; i < fitting->count; i++) {
        const struct sample *sample = &fitting->samples[i];
        struct pick *pick = &picks->of[picks->number(sample)];
        const double weight = exp(score_of(fitting, i) - pick->score);
        pick->weights += weight;
        pick->regret += weight * regret_of(sample, pick);
    }
    for (size_t p = 0; p < picks->count; p++)
        if (picks->of[p].weights > 0)
            picks->of[p].regret /= picks->of[p].weights;
}

/* How what picks cost changes with the logarithm of a sample's predicted time. */
static double slope_of_pick(const struct fitting *fitting, const struct picks *picks, size_t i) {
    const struct sample *sample = &fitting->samples[i];
    const struct pick *pick = &picks->of[picks->number(sample)];
    const double weight = exp(score_of(fitting, i) - pick->score) / pick->weights;
    return picks->share * weight * (pick->regret - regret_of(sample, pick)) / TEMPERATURE;
}

static double slope_of_truth(const struct fitting *fitting, size_t i) {
    const struct sample *sample = &fitting->samples[i];
    const double error = log(fitting->predicted[i] / sample->seconds),
                 closeness = fitting->contests.of[sample->contest].best / sample->seconds;
    return TRUTH * closeness * error / sqrt(1 + error * error);
}

/* The same of all that is minimised. */
static double slope_of(const struct fitting *fitting, size_t i) {
    return (slope_of_pick(fitting, &fitting->contests, i) + slope_of_pick(fitting, &fitting->heats, i) +
            slope_of_truth(fitting, i)) /
           (double)fitting->contests.count;
}

static void find_slopes(struct fitting *fitting) {
    for (size_t k = 0; k < fitting->owners; k++)
        for (int j = 0; j < FIT_TERMS; j++) {
            struct unknown *unknown = &fitting->unknown[k][j];
            if (is_known(unknown))
                unknown->slope = 2 * fitting->nearness * (unknown->log - unknown->begin);
        }
    for (size_t i = 0; i < fitting->count; i++) {
        const struct sample *sample = &fitting->samples[i];
        const double slope = slope_of(fitting, i) / fitting->predicted[i];
        for (int j = 0; j < FIT_TERMS; j++) {
            struct unknown *unknown = &fitting->unknown[sample->owner][j];
            if (sample->amount[j] > 0)
                unknown->slope += slope * sample->amount[j] * exp(unknown->log);
        }
    }
}

/* ---- the descent ---- */

/* Steps grow while the slope keeps its sign. Where it has changed, the least was passed: half the step, and no move. */
static void move(struct unknown *unknown) {
    const double same = unknown->slope * unknown->before;
    if (same > 0)
        unknown->step = fmin(unknown->step * GROW, STEP_MOST);
    else if (same < 0)
        unknown->step = fmax(unknown->step * SHRINK, STEP_LEAST);
    const double slope = same < 0 ? 0 : unknown->slope;
    unknown->log -= slope > 0 ? unknown->step : slope < 0 ? -unknown->step : 0;
    unknown->log = fmax(unknown->log, unknown->least);
    unknown->before = slope;
}

static void pass(struct fitting *fitting) {
    predict_all(fitting);
    pick_softly(fitting, &fitting->contests);
    pick_softly(fitting, &fitting->heats);
    find_slopes(fitting);
    for (size_t k = 0; k < fitting->owners; k++)
        for (int j = 0; j < FIT_TERMS; j++)
            if (is_known(&fitting->unknown[k][j]))
                move(&fitting->unknown[k][j]);
}

bool fit_prices(const struct sample *samples, size_t count, const double *least, double nearness,
                double (*price)[FIT_TERMS], size_t owners) {
    struct fitting fitting = {
        .samples = samples,
        .count = count,
        .owners = owners,
        .nearness = nearness,
        .contests = {.number = contest_of, .share = 1},
        .heats = {.number = heat_of, .share = WITHIN},
    };
    fitting.unknown = calloc(owners + 1, sizeof *fitting.unknown);
    fitting.predicted = calloc(count + 1, sizeof *fitting.predicted);
    const bool contests = begin_picks(&fitting, &fitting.contests),
               heats = begin_picks(&fitting, &fitting.heats),
               good = fitting.unknown && fitting.predicted && contests && heats;
    if (good) {
        begin(&fitting, least, price);
        for (int i = 0; i < PASSES; i++)
            pass(&fitting);
        for (size_t k = 0; k < owners; k++)
            for (int j = 0; j < FIT_TERMS; j++)
                if (is_known(&fitting.unknown[k][j]))
                    price[k][j] = exp(fitting.unknown[k][j].log);
    }
    free(fitting.unknown);
    free(fitting.contests.of);
    free(fitting.heats.of);
    free(fitting.predicted);
    return good;
}
