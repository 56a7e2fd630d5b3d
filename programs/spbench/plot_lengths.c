/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/number.h"
#include "spbench/histogram.h"
#include "spbench/plot.h"

#define LINE 20.0
#define LEFT 148.0
#define LONGEST 112.0
/* Rows that are there show, however few. */
#define SHORTEST 1.5

static void put_range(FILE *page, const struct range *range, int64_t most, double y) {
    bool one = range->low == range->high;
    double length = LONGEST * (double)range->rows / (double)most;
    fprintf(page, "<g><text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s%s%s</text>",
            LEFT - 8, y + 14, number_count(range->low).text, one ? "" : "\u2013",
            one ? "" : number_count(range->high).text);
    if (range->rows > 0)
        fprintf(page, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", LEFT,
                y + 3, length < SHORTEST ? SHORTEST : length, LINE - 6);
    fprintf(page, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s</text></g>\n",
            LEFT + 6 + (length < SHORTEST ? SHORTEST : length), y + 14, number_count(range->rows).text);
}

void plot_lengths(FILE *page, const spry_row_lengths *lengths, const char *title, const char *description) {
    struct range range[HISTOGRAM_BARS];
    int count = histogram_ranges(lengths, range);
    int64_t most = 1;
    for (int i = 0; i < count; i++)
        most = range[i].rows > most ? range[i].rows : most;
    plot_begin(page, count * LINE + 24, title, description);
    for (int i = 0; i < count; i++)
        put_range(page, &range[i], most, i * LINE);
    fprintf(page,
            "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">entries</text>"
            "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">rows</text>\n",
            LEFT - 8, count * LINE + 16, LEFT + 6, count * LINE + 16);
    plot_end(page);
}
