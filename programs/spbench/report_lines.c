/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines above and below a table that say what was measured, and how far to trust it. */
#include <stdio.h>

#include "common/columns.h"
#include "common/glyphs.h"
#include "common/number.h"
#include "spbench/histogram.h"
#include "spbench/report.h"

/* What is not finite has no error: y is judged where it is. */
static void print_values(const struct source *source) {
    char text[128];
    source_describe_values(source, text, sizeof text);
    if (text[0])
        columns_labelled("values", "%s: entries of y that they reach are not checked", text);
}

void report_print_matrix(const struct report *report) {
    const struct source *source = report->source;
    const spry_row_lengths *lengths = &report->lengths;
    columns_whole("matrix", source_shown(source));
    columns_labelled("", "%s %s %s, %s nonzero%s, %s %s, %s, %s", number_count(report->rows).text,
                     glyphs()->times, number_count(report->cols).text, number_count(report->nnz).text,
                     number_plural(report->nnz), spry_field_name(source->info.field),
                     spry_symmetry_name(source->info.symmetry), spry_type_name(report->options->reading.type),
                     spry_index_name(report->index));
    print_values(source);
    columns_labelled(
        "row length", "min %s, quartiles %s %s %s, max %s, mean %s, std %s", number_count(lengths->min).text,
        number_count(lengths->q1).text, number_count(lengths->median).text, number_count(lengths->q3).text,
        number_count(lengths->max).text, number_short(lengths->mean).text, number_short(lengths->std).text);
    histogram_print(lengths, COLUMNS_INDENT - 2);
}

void report_print_reading(const struct source *source) {
    if (source->generated)
        return;
    columns_labelled("reading", "%s of text in %s: %s MB/s", number_bytes((double)source->info.bytes).text,
                     number_seconds(source->seconds).text,
                     number_short((double)source->info.bytes * 1e-6 / source->seconds).text);
}

static int count_noisy(const struct report *report) {
    int noisy = 0;
    for (int i = 0; i < report->result_count; i++)
        noisy += report_is_noisy(&report->results[i]);
    return noisy;
}

static bool has_disturbed(const struct report *report) {
    for (int i = 0; i < report->result_count; i++)
        if (timing_is_disturbed(&report->results[i].seconds))
            return true;
    return false;
}

void report_print_noisy(const struct report *report) {
    if (count_noisy(report) > 0)
        columns_labelled(ROUGH " product", "the batches lie more than %.0f %% of their median apart%s",
                         100.0 * NOISY, has_disturbed(report) ? ", or were disturbed" : "");
}

void report_print_busy(const struct report *report) {
    int batches = 0, disturbed = 0;
    for (int i = 0; i < report->result_count; i++) {
        batches += report->results[i].seconds.batches;
        disturbed += report->results[i].seconds.disturbed;
    }
    if (count_noisy(report) > 0 && disturbed > 0)
        columns_labelled(
            "busy",
            "in %d of %d batches a processor was taken from a thread, also when they were repeated: "
            "measure again when the machine is quiet, and with no more threads than processors",
            disturbed, batches);
}
