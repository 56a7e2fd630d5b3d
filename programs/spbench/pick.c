/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/pick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/failure.h"
#include "common/glyphs.h"
#include "common/number.h"
#include "common/progress.h"
#include "spbench/reason.h"

/* ---- predictions ---- */

/* A prediction is one for the storage and the kernel that the selector expects, and for no other of the format. */
static double predicted(const spry_ranking *ranking, const struct result *row) {
    char storage[SPRY_STORAGE_TEXT];
    for (int i = 0; i < spry_ranking_count(ranking); i++) {
        const spry_choice *choice = spry_ranking_choice(ranking, i);
        spry_storage_text(&choice->storage, storage, sizeof storage);
        if (choice->kernel && row->kernel && strcmp(storage, row->storage) == 0 &&
            strcmp(spry_kernel_describe(choice->kernel).name, row->kernel) == 0)
            return choice->seconds;
    }
    return NAN;
}

static void predict_rows(const struct bench *bench, const spry_ranking *ranking) {
    struct report *report = bench->report;
    for (int i = 0; i < report->result_count && report->nnz > 0; i++) {
        struct result *row = &report->results[i];
        if (row->backend == bench->place->backend && !row->peer)
            row->predicted = predicted(ranking, row);
    }
}

/* ---- regret ---- */

/* What a format costs its user: one product or, where their number is known, all of them and the conversion. CSR is
   there already. */
static double cost(const struct report *report, const struct result *row) {
    double products = report->options->products;
    if (products <= 0.0)
        return row->seconds.median;
    bool is_there = strcmp(row->storage, spry_format_name(SPRY_CSR)) == 0;
    return products * row->seconds.median + (is_there ? 0.0 : row->convert_seconds);
}

/* A row that is what a user gets who asks for the format. */
static bool is_eligible(const struct result *row, spry_backend backend) {
    return row->backend == backend && !row->peer && row->by_default && report_is_ok(row);
}

/* The one that costs least, `but` aside. */
static const struct result *find_best(const struct report *report, spry_backend backend,
                                      const struct result *but) {
    const struct result *best = NULL;
    for (int i = 0; i < report->result_count; i++) {
        const struct result *row = &report->results[i];
        if (row != but && is_eligible(row, backend) && (!best || cost(report, row) < cost(report, best)))
            best = row;
    }
    return best;
}

/* The same by each of the batches. */
static struct spread cost_spread(const struct report *report, const struct result *row) {
    const double products = report->options->products > 0.0 ? report->options->products : 1.0;
    const double median = cost(report, row);
    return (struct spread){
        .median = median,
        .min = median - products * (row->seconds.median - row->seconds.min),
        .max = median + products * (row->seconds.max - row->seconds.median),
        .batches = row->seconds.batches,
        .disturbed = row->seconds.disturbed,
    };
}

/* Whether neither of two rows costs less for certain. */
static bool cost_the_same(const struct report *report, const struct result *row, const struct result *other) {
    const struct spread one = cost_spread(report, row), another = cost_spread(report, other);
    return timing_is_tie(&one, &another);
}

/* The row of a storage, or else the first of its format. */
static const struct result *find_row(const struct report *report, spry_backend backend,
                                     const struct pick *pick) {
    const struct result *found = NULL;
    for (int i = 0; i < report->result_count; i++) {
        const struct result *row = &report->results[i];
        if (!is_eligible(row, backend) || strcmp(row->format, pick->format) != 0)
            continue;
        if (strcmp(row->storage, pick->storage) == 0)
            return row;
        found = found ? found : row;
    }
    return found;
}

/* Products of nothing differ by chance alone. */
static void weigh(const struct report *report, spry_backend backend, struct pick *pick) {
    pick->row = find_row(report, backend, pick);
    pick->best = find_best(report, backend, NULL);
    if (!pick->row || report->nnz == 0)
        return;
    const struct result *other =
        pick->row == pick->best ? find_best(report, backend, pick->best) : pick->best;
    pick->regret = cost(report, pick->row) / cost(report, pick->best);
    pick->tie = other && cost_the_same(report, pick->row, other);
}

/* ---- the pick ---- */

static void keep(const struct bench *bench, const spry_ranking *ranking, struct pick *pick) {
    const spry_choice *choice = spry_ranking_choice(ranking, 0);
    *pick = (struct pick){
        .format = spry_format_name(choice->format),
        .kernel = spry_kernel_describe(choice->kernel).name,
        .profile = spry_profile_machine(bench->place->context),
        .predicted = bench->report->nnz > 0 ? choice->seconds : NAN,
    };
    spry_storage_text(&choice->storage, pick->storage, sizeof pick->storage);
    spry_explain(ranking, 0, pick->reason, sizeof pick->reason);
    weigh(bench->report, bench->place->backend, pick);
}

static void refuse(struct pick *pick, const char *why) {
    *pick = (struct pick){.format = NULL};
    snprintf(pick->reason, sizeof pick->reason, "%s", why);
}

spry_status pick_judge(const struct bench *bench) {
    const struct options *options = bench->report->options;
    struct pick *pick = &bench->report->pick[bench->place->backend];
    spry_ranking *ranking;
    if (options->op == SPRY_T) {
        refuse(pick, "formats are picked for y = A x, not for the transpose");
        return SPRY_OK;
    }
    progress_show("%s: predicting", bench->report->source->name);
    spry_status status = spry_select(
        bench->place->context, bench->csr,
        &(spry_select_options){.size = sizeof(spry_select_options), .products = options->products}, &ranking);
    if (status == SPRY_ERROR_UNSUPPORTED) {
        refuse(pick, failure_text(bench->place->context, status));
        return SPRY_OK;
    }
    if (status == SPRY_OK) {
        predict_rows(bench, ranking);
        keep(bench, ranking, pick);
        spry_ranking_destroy(ranking);
    }
    return status;
}

/* ---- in words ---- */

/* The library writes the µ of µs in UTF-8, whatever the locale. */
static void adapt(const char *words, char *text, size_t size) {
    static const char micro[] = "\u00b5";
    for (const char *found; (found = strstr(words, micro)); words = found + strlen(micro)) {
        int used = snprintf(text, size, "%.*s%s", (int)(found - words), words, glyphs()->micro);
        if ((size_t)used >= size)
            return;
        text += used;
        size -= (size_t)used;
    }
    snprintf(text, size, "%s", words);
}

static int compare(const struct report *report, const struct pick *pick, char *text, size_t size) {
    char span[64] = "", tie[256];
    if (report->options->products > 0.0)
        snprintf(span, sizeof span, " for %.15g products", report->options->products);
    if (pick->regret <= 0.0)
        return snprintf(text, size, "%s: ", pick->row ? "" : ", not measured");
    if (pick->row == pick->best)
        return snprintf(text, size, ", %sthe best of these%s: ", pick->tie ? "among " : "", span);
    if (!pick->tie)
        return snprintf(text, size, ", %s%s the time of %s%s: ", number_short(pick->regret).text,
                        glyphs()->times, pick->best->kernel, span);
    reason_tie(tie, sizeof tie, pick->row, pick->best);
    return snprintf(text, size, ", %s%s: ", tie, span);
}

void pick_write(const struct report *report, spry_backend backend, char *text, size_t size) {
    const struct pick *pick = &report->pick[backend];
    int used = snprintf(text, size, "%s", pick->format ? pick->kernel : "none: ");
    if (pick->format)
        used += compare(report, pick, text + used, size - (size_t)used);
    adapt(pick->reason, text + used, size - (size_t)used);
}
