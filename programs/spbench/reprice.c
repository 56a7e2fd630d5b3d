/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/reprice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measuring/timing.h"

#define NANO 1e-9

struct pricing {
    json_t *owners;
    const char *(*term_name)(int);
};

/* ---- how much slower this machine is than what was expected of it ---- */

/* The median of measured over predicted time; 1 when nothing was predicted. False: no memory. */
static bool median_ratio(const struct sample *samples, size_t count, double *ratio) {
    double *ratios = malloc((count + 1) * sizeof *ratios);
    int predicted = 0;
    if (!ratios)
        return false;
    for (size_t i = 0; i < count; i++)
        if (samples[i].predicted > 0)
            ratios[predicted++] = samples[i].seconds / samples[i].predicted;
    *ratio = predicted > 0 ? timing_spread(ratios, predicted).median : 1;
    free(ratios);
    return true;
}

/* ---- prices as JSON ---- */

/* The object of a name, or of the longest beginning of it that has one, as the library looks prices up. */
static const json_t *find(const json_t *owners, const char *name) {
    const json_t *best = NULL;
    size_t most = 0;
    const char *key;
    json_t *prices;
    json_object_foreach((json_t *)owners, key, prices) {
        size_t length = strlen(key);
        if (length >= most && strncmp(key, name, length) == 0) {
            best = prices;
            most = length;
        }
    }
    return best;
}

static void read_prices(const struct pricing *pricing, const json_t *prices, double factor, double *price) {
    memset(price, 0, FIT_TERMS * sizeof *price);
    for (int i = 0; pricing->term_name(i); i++)
        price[i] = factor * NANO * json_number_value(json_object_get(prices, pricing->term_name(i)));
}

static bool write_prices(const struct pricing *pricing, const char *name, const double *price) {
    json_t *prices = json_object();
    int failed = 0;
    for (int i = 0; pricing->term_name(i); i++)
        if (price[i] > 0)
            failed |= json_object_set_new(prices, pricing->term_name(i), json_real(price[i] / NANO));
    return (json_object_set_new(pricing->owners, name, prices) | failed) == 0;
}

/* ---- new ones ---- */

/* In place: to set a key that there is leaves the walk over an object as it was. */
static bool scale_all(const struct pricing *pricing, double factor) {
    const char *name;
    json_t *prices;
    bool good = true;
    json_object_foreach(pricing->owners, name, prices) {
        double price[FIT_TERMS];
        read_prices(pricing, prices, factor, price);
        good &= write_prices(pricing, name, price);
    }
    return good;
}

static int compare_names(const void *left, const void *right) {
    const struct sample *a = left, *b = right;
    return strcmp(a->name, b->name);
}

/* Put the samples in the order of their names, and number these; how many there are. */
static size_t number_owners(struct sample *samples, size_t count) {
    int owner = 0;
    qsort(samples, count, sizeof *samples, compare_names);
    for (size_t i = 0; i < count; i++) {
        owner += i > 0 && strcmp(samples[i].name, samples[i - 1].name) != 0;
        samples[i].owner = owner;
    }
    return count > 0 ? (size_t)owner + 1 : 0;
}

/* The owner's samples begin at `samples`; how many they are. */
static size_t same_owner(const struct sample *samples, size_t count) {
    size_t same = 1;
    while (same < count && samples[same].owner == samples->owner)
        same++;
    return same;
}

/* What a fit begins with: the prices that there are, once all are scaled. A kernel's own median of measured over predicted times would say
   less than the fit: it rests on few samples. */
static void read_all(const struct pricing *pricing, const struct sample *samples, size_t count,
                     double (*price)[FIT_TERMS]) {
    for (size_t i = 0; i < count; i += same_owner(samples + i, count - i))
        read_prices(pricing, find(pricing->owners, samples[i].name), 1, price[samples[i].owner]);
}

static bool write_all(const struct pricing *pricing, const struct sample *samples, size_t count,
                      double (*price)[FIT_TERMS]) {
    bool good = true;
    for (size_t i = 0; i < count; i += same_owner(samples + i, count - i))
        good &= write_prices(pricing, samples[i].name, price[samples[i].owner]);
    return good;
}

/* ---- what they are worth ---- */

/* Of a contest: what is predicted to be the fastest, and what is. */
struct outcome {
    const struct sample *picked, *fastest;
    double least; /* predicted */
};

static struct reprice_worth judge(const struct sample *samples, size_t count, const double *predicted,
                                  struct outcome *outcome, size_t contests) {
    struct reprice_worth worth = {0, 0};
    double held = 0;
    memset(outcome, 0, contests * sizeof *outcome);
    for (size_t i = 0; i < count; i++) {
        struct outcome *of = &outcome[samples[i].contest];
        worth.error += fabs(predicted[i] / samples[i].seconds - 1) / (double)count;
        if (!of->picked || predicted[i] < of->least) {
            of->picked = &samples[i];
            of->least = predicted[i];
        }
        if (!of->fastest || samples[i].seconds < of->fastest->seconds)
            of->fastest = &samples[i];
    }
    for (size_t c = 0; c < contests; c++)
        if (outcome[c].picked) {
            worth.regret += log(outcome[c].picked->seconds / outcome[c].fastest->seconds);
            held++;
        }
    worth.regret = exp(worth.regret / fmax(held, 1));
    return worth;
}

static bool judge_both(const struct sample *samples, size_t count, double (*price)[FIT_TERMS],
                       struct reprice_report *report) {
    size_t contests = 0;
    for (size_t i = 0; i < count; i++)
        if ((size_t)samples[i].contest >= contests)
            contests = (size_t)samples[i].contest + 1;
    struct outcome *outcome = calloc(contests + 1, sizeof *outcome);
    double *predicted = calloc(count + 1, sizeof *predicted);
    const bool good = outcome && predicted;
    if (good) {
        for (size_t i = 0; i < count; i++)
            predicted[i] = samples[i].predicted;
        report->before = judge(samples, count, predicted, outcome, contests);
        for (size_t i = 0; i < count; i++)
            predicted[i] = fit_predict(&samples[i], price[samples[i].owner]);
        report->now = judge(samples, count, predicted, outcome, contests);
        report->samples = count;
    }
    free(outcome);
    free(predicted);
    return good;
}

bool reprice(json_t *owners, const char *(*term_name)(int), const double *least, double nearness,
             struct sample *samples, size_t count, struct reprice_report *report) {
    struct pricing pricing = {owners, term_name};
    const size_t owner_count = number_owners(samples, count);
    double(*price)[FIT_TERMS] = calloc(owner_count + 1, sizeof *price), ratio;
    bool good = price && median_ratio(samples, count, &ratio) && scale_all(&pricing, ratio);
    if (good) {
        read_all(&pricing, samples, count, price);
        good = fit_prices(samples, count, least, nearness, price, owner_count) &&
               write_all(&pricing, samples, count, price) && judge_both(samples, count, price, report);
    }
    free(price);
    return good;
}
