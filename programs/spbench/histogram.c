/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/histogram.h"

#include <stdio.h>

#include "common/columns.h"
#include "common/glyphs.h"
#include "common/number.h"
#include "common/terminal.h"

#define MOST_BARS (HISTOGRAM_BARS - 1)
/* The longest bar, and the room that is left for it on the narrowest page. */
#define BAR_CELLS 40
#define LEAST_CELLS 5

/* Bin b > 0 begins at 2^(b-1). */
static int64_t bin_start(int bin) {
    return bin == 0 ? 0 : INT64_C(1) << (bin - 1);
}

/* Put neighbouring bins together, equally many for each bar, until all of them fit; returns the number of
 * bars. */
static int join_bins(const spry_row_lengths *lengths, struct range *range) {
    int first = 1, last = SPRY_LENGTH_BINS - 1, count = 0;
    while (first < SPRY_LENGTH_BINS && lengths->histogram[first] == 0)
        first++;
    while (last > 0 && lengths->histogram[last] == 0)
        last--;
    int joined = (last - first) / MOST_BARS + 1;
    for (int bin = first; bin <= last; bin += joined, count++) {
        int end = bin + joined > last + 1 ? last + 1 : bin + joined;
        range[count] = (struct range){bin_start(bin), bin_start(end) - 1, 0};
        for (int b = bin; b < end; b++)
            range[count].rows += lengths->histogram[b];
    }
    if (count > 0) { /* the outer bins begin and end where some row does */
        range[0].low = lengths->min > range[0].low ? lengths->min : range[0].low;
        range[count - 1].high = lengths->max;
    }
    return count;
}

static void draw_bar(char *text, size_t size, int64_t rows, int64_t most, int cells) {
    int eighths = (int)((double)rows / (double)most * cells * 8 + 0.5);
    size_t used = 0;
    if (eighths == 0 && rows > 0)
        eighths = 1;
    for (; eighths > 0 && used < size; eighths -= 8)
        used += (size_t)snprintf(text + used, size - used, "%s", glyphs()->bar[eighths < 8 ? eighths : 8]);
}

static void name_range(char *text, size_t size, const struct range *range) {
    if (range->low == range->high)
        snprintf(text, size, "%s", number_count(range->low).text);
    else
        snprintf(text, size, "%s%s%s", number_count(range->low).text, glyphs()->range,
                 number_count(range->high).text);
}

/* Cells that the page leaves for the longest bar. */
static int bar_cells(const struct columns *columns) {
    int room = terminal_page() - columns_width(columns) - columns->gap;
    return room < LEAST_CELLS ? LEAST_CELLS : room < BAR_CELLS ? room : BAR_CELLS;
}

int histogram_ranges(const spry_row_lengths *lengths, struct range range[HISTOGRAM_BARS]) {
    int empty = lengths->empty > 0;
    range[0] = (struct range){0, 0, lengths->empty};
    return empty + join_bins(lengths, range + empty);
}

void histogram_print(const spry_row_lengths *lengths, int indent) {
    struct range range[HISTOGRAM_BARS];
    struct columns columns = {.count = 3, .gap = 2};
    char bars[HISTOGRAM_BARS][BAR_CELLS * 4 + 1] = {{0}};
    int64_t most = 1;
    int count = histogram_ranges(lengths, range);
    for (int i = 0; i < count; i++)
        most = range[i].rows > most ? range[i].rows : most;
    if (columns_add(&columns, count)) {
        for (int i = 0; i < count; i++) {
            struct line *line = &columns.line[i];
            snprintf(line->cell[0], sizeof line->cell[0], "%*s", indent, "");
            name_range(line->cell[1], sizeof line->cell[1], &range[i]);
            columns_set(line, 2, number_count(range[i].rows).text);
        }
        for (int i = 0; i < count; i++) {
            draw_bar(bars[i], sizeof bars[i], range[i].rows, most, bar_cells(&columns));
            columns.line[i].note = bars[i][0] ? bars[i] : NULL;
        }
        columns_print(&columns);
    }
    columns_free(&columns);
}
