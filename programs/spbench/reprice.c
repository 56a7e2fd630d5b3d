/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/reprice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measuring/timing.h"

#define NANO 1e-9

struct pricing {
    json_t *owners;       /* what becomes of them */
    const json_t *before; /* and what they were */
    const char *(*term_name)(int);
};

/* ---- how much slower this machine is than what was expected of it ---- */

/* The median of measured over predicted time; `otherwise` when nothing was predicted. False: no memory. */
static bool median_ratio(const struct sample *samples, size_t count, double otherwise, double *ratio) {
    double *ratios = malloc((count + 1) * sizeof *ratios);
    int predicted = 0;
    if (!ratios)
        return false;
    for (size_t i = 0; i < count; i++)
        if (samples[i].predicted > 0)
            ratios[predicted++] = samples[i].seconds / samples[i].predicted;
    *ratio = predicted > 0 ? timing_spread(ratios, predicted).median : otherwise;
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

static bool scale_all(const struct pricing *pricing, double factor) {
    const char *name;
    json_t *prices;
    bool good = true;
    json_object_foreach((json_t *)pricing->before, name, prices) {
        double price[FIT_TERMS];
        read_prices(pricing, prices, factor, price);
        good &= write_prices(pricing, name, price);
    }
    return good;
}

/* The samples of one name. */
static bool fit_one(const struct pricing *pricing, const struct sample *samples, size_t count,
                    double otherwise, struct reprice_errors *sum) {
    double ratio, prior[FIT_TERMS], price[FIT_TERMS];
    const char *name = samples->name;
    if (!median_ratio(samples, count, otherwise, &ratio))
        return false;
    read_prices(pricing, find(pricing->before, name), ratio, prior);
    fit_prices(samples, count, prior, price);
    sum->count += count;
    for (size_t i = 0; i < count; i++) {
        sum->before += fabs(samples[i].predicted / samples[i].seconds - 1);
        sum->after += fabs(fit_predict(&samples[i], price) / samples[i].seconds - 1);
    }
    return write_prices(pricing, name, price);
}

static int compare_names(const void *left, const void *right) {
    const struct sample *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static size_t same_name(const struct sample *samples, size_t count) {
    size_t same = 1;
    while (same < count && strcmp(samples[same].name, samples->name) == 0)
        same++;
    return same;
}

bool reprice(json_t *owners, const char *(*term_name)(int), struct sample *samples, size_t count,
             struct reprice_errors *errors) {
    json_t *before = json_deep_copy(owners);
    struct pricing pricing = {owners, before, term_name};
    double ratio = 1;
    bool good = before && median_ratio(samples, count, 1, &ratio) && scale_all(&pricing, ratio);
    qsort(samples, count, sizeof *samples, compare_names);
    for (size_t i = 0, same; i < count && good; i += same) {
        same = same_name(samples + i, count - i);
        good = fit_one(&pricing, samples + i, same, ratio, errors);
    }
    json_decref(before);
    return good;
}
