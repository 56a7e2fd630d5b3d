/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/reason.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/glyphs.h"
#include "common/number.h"

/* Rows this short do not fill a vector register or two: work across rows pays then. */
#define SHORT_ROW 12.0
/* Fill up to which padding is no cost worth a word. */
#define LITTLE_PADDING 1.1
/* Two formats this close change places from run to run. */
#define TIE 1.03

#define UNKNOWN "the lengths of the rows do not show why"

/* What of the matrix suits a format, where it has a sentence; where rows are short, something else may. */
static const struct {
    const char *always, *where_short;
} suits[SPRY_FORMAT_COUNT] = {
    [SPRY_COO] = {"rows are so short that looping over entries costs less than looping over rows", NULL},
    [SPRY_CSR] = {"rows are long enough to run along", "its pointers cost little even with rows this short"},
    [SPRY_ELL] = {"rows are alike, so that little is padded",
                  "rows are short and alike, so that working across them keeps the vector units full"},
    [SPRY_HYB] = {"most rows are alike, and the few long ones are kept apart", NULL},
    [SPRY_JDS] = {"rows differ in length, and sorting them saves the padding",
                  "rows are short, so that working across them pays, and sorting saves the padding"},
    [SPRY_SELL] = {"neighbouring rows are alike, so that slices have little padding and are one stream",
                   "rows are short, so that working across them pays, and slices are one stream from memory"},
    [SPRY_STENCIL] = {"rows repeat, values and all, so that hardly more than the vectors is read", NULL},
    [SPRY_SHAPE] = {"rows have their entries at the same offsets, so that only values are read of each",
                    NULL},
    [SPRY_BSR] = {"entries lie in blocks, and one index stands for all of a block", NULL},
    [SPRY_DIA] = {"entries lie on few diagonals, and one offset stands for 32 of them", NULL},
};

static const char *what_suits(const struct report *report, const struct result *result) {
    spry_format format = spry_format_by_name(result->format);
    const spry_row_lengths *lengths = &report->lengths;
    bool short_rows = lengths->mean < SHORT_ROW;
    if (report->options->op == SPRY_T)
        return format == SPRY_CSC ? "columns are what the transpose runs along" : UNKNOWN;
    if (format == SPRY_COO && (double)lengths->empty > 0.25 * (double)report->rows)
        return "many rows are empty, and coordinates spend nothing on them";
    if (format == SPRY_ELL && !short_rows && result->fill >= LITTLE_PADDING)
        return "working across rows gains more than the padding costs";
    const char *sentence =
        short_rows && suits[format].where_short ? suits[format].where_short : suits[format].always;
    return sentence ? sentence : UNKNOWN;
}

/* What a row is called: by its parameters and codes, if it was asked for with some. */
static const char *name_of(const struct result *result) {
    return result->named ? result->storage : result->format;
}

static bool is_same_storage(const struct result *result, const struct result *other) {
    return strcmp(result->storage, other->storage) == 0;
}

/* The place's fastest row of another storage. */
static const struct result *runner_up(const struct report *report, const struct result *fastest) {
    const struct result *next = NULL;
    for (int i = 0; i < report->result_count; i++) {
        const struct result *result = &report->results[i];
        if (report_is_ok(result) && !result->peer && result->backend == fastest->backend &&
            !is_same_storage(result, fastest) && (!next || result->seconds.median < next->seconds.median))
            next = result;
    }
    return next;
}

/* Time is bytes over rate: where the ratio to `other` comes from. */
static int compare(char *text, size_t size, const struct result *result, const struct result *other) {
    double bytes = result->gbs * result->seconds.median / (other->gbs * other->seconds.median);
    const char *times = glyphs()->times;
    char share[48] = "the same bytes";
    if (fabs(bytes - 1.0) >= 0.005)
        snprintf(share, sizeof share, "%s%s the bytes", number_short(bytes).text, times);
    return snprintf(text, size, "%s%s the speed of %s%s%s: %s at %s%s the rate",
                    number_short(other->seconds.median / result->seconds.median).text, times,
                    other->peer ? other->peer : "", other->peer ? " " : "",
                    other->peer ? other->kernel : name_of(other), share,
                    number_short(result->gbs / other->gbs).text, times);
}

/* Whether it is a matter of luck which of the two is first. */
static bool is_tie(const struct result *result, const struct result *other) {
    return other->seconds.median < TIE * result->seconds.median || report_is_tie(result, other);
}

int reason_tie(char *text, size_t size, const struct result *result, const struct result *other) {
    /* Storages of one format may have one kernel. */
    const char *name = other->named && !is_same_storage(result, other) ? other->storage : other->kernel;
    int used = snprintf(text, size, "a tie with %s%s%s", other->peer ? other->peer : "",
                        other->peer ? " " : "", name);
    if (!report_is_tie(result, other))
        return used;
    if (timing_is_disturbed(&result->seconds) || timing_is_disturbed(&other->seconds))
        return used + snprintf(text + used, size - (size_t)used,
                               " as far as times that were disturbed (see busy) can tell");
    double spread = fmax(report_spread(result), report_spread(other));
    return used + snprintf(text + used, size - (size_t)used,
                           " as far as the spread of the batches (%s %%) can tell",
                           number_short(100.0 * spread).text);
}

/* Against Spry's CSR or, where that is the fastest itself, the next storage. */
static int compare_formats(const struct report *report, const struct result *fastest, char *text,
                           size_t size) {
    const struct result *next = runner_up(report, fastest);
    const struct result *csr = &report->baseline[fastest->backend];
    bool over_csr = report_is_ok(csr) && !is_same_storage(fastest, csr);
    const struct result *other = over_csr ? csr : next;
    int used;
    if (!other)
        return snprintf(text, size, "with nothing to compare it with");
    if (over_csr && is_tie(fastest, csr)) {
        used = reason_tie(text, size, fastest, csr);
        return used + snprintf(text + used, size - (size_t)used, "; csr needs no conversion");
    }
    if (report_is_tie(fastest, other))
        return reason_tie(text, size, fastest, other);
    used = compare(text, size, fastest, other);
    /* What suits the vector units of a CPU says nothing of a GPU. */
    if (fastest->backend == SPRY_CPU)
        used += snprintf(text + used, size - (size_t)used, "; %s", what_suits(report, fastest));
    if (next && is_tie(fastest, next)) {
        used += snprintf(text + used, size - (size_t)used, "; ");
        used += reason_tie(text + used, size - (size_t)used, fastest, next);
    }
    return used;
}

void reason_write(const struct report *report, const struct result *fastest, char *text, size_t size) {
    const struct result *peer = report_fastest_peer(report, fastest->backend);
    if (report->nnz == 0) {
        snprintf(text, size, "though there is nothing to multiply by");
        return;
    }
    int used = compare_formats(report, fastest, text, size);
    if (peer) {
        used += snprintf(text + used, size - (size_t)used, "; ");
        if (report_is_tie(fastest, peer))
            reason_tie(text + used, size - (size_t)used, fastest, peer);
        else
            compare(text + used, size - (size_t)used, fastest, peer);
    }
}
