/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "common/columns.h"
#include "common/glyphs.h"
#include "common/number.h"
#include "spbench/comparison.h"

enum { ROW, BEFORE, AFTER, SPEED, VERDICT, COLUMN_COUNT };

/* As many characters of a name as leave room for the rest on the narrowest page. */
#define NAME_MOST 28

static void set_headings(struct columns *columns) {
    static const char *const headings[COLUMN_COUNT] = {"storage", "before", "after", "speed", ""};
    char microseconds[8];
    snprintf(microseconds, sizeof microseconds, "%ss", glyphs()->micro);
    columns_head(columns, headings);
    columns_set(&columns->line[1], BEFORE, microseconds);
    columns_set(&columns->line[1], AFTER, microseconds);
    columns_set(&columns->line[1], SPEED, glyphs()->times);
}

static void set_time(struct line *line, int column, const struct record_row *row) {
    columns_set(line, column, row->ok ? number_short(row->median).text : glyphs()->dash);
}

static void set_change(struct line *line, const struct change *change) {
    snprintf(line->cell[ROW], sizeof line->cell[ROW], "%.*s", NAME_MOST, change->after->label);
    set_time(line, BEFORE, change->before);
    set_time(line, AFTER, change->after);
    columns_set(line, SPEED, isfinite(change->speed) ? number_short(change->speed).text : glyphs()->dash);
    columns_set(line, VERDICT, comparison_word(change->verdict));
    if (change->verdict == VERDICT_FAILS)
        line->note = change->after->message;
}

static void print_rows(const struct comparison *comparison, const struct match *match, bool all) {
    struct columns columns = {.count = COLUMN_COUNT, .left = 1u << ROW | 1u << VERDICT, .gap = 2};
    int line = 2;
    if (columns_add(&columns, 2 + (all ? match->count : match->changed))) {
        set_headings(&columns);
        for (int i = match->first; i < match->first + match->count; i++)
            if (all || !comparison_is_unclear(&comparison->change[i]))
                set_change(&columns.line[line++], &comparison->change[i]);
        columns_print(&columns);
    }
    columns_free(&columns);
}

static void print_match(const struct comparison *comparison, const struct match *match, bool all) {
    const char *before, *after;
    bool other_pick = comparison_has_other_pick(match, &before, &after);
    bool rows = match->changed > 0 || (all && match->count > 0);
    if (!rows && !other_pick)
        return;
    columns_labelled("matrix", "%s", match->after->name);
    if (other_pick)
        columns_labelled("pick", "%s before, %s now", before, after);
    if (rows)
        print_rows(comparison, match, all);
    putchar('\n');
}

void comparison_print(const struct comparison *comparison, bool all) {
    char text[1024];
    comparison_describe(&comparison->before, text, sizeof text);
    columns_labelled("before", "%s: %s", comparison->before.path, text);
    comparison_describe(&comparison->after, text, sizeof text);
    columns_labelled("after", "%s: %s", comparison->after.path, text);
    if (comparison->caution[0])
        columns_labelled("caution", "%s", comparison->caution);
    putchar('\n');
    for (int i = 0; i < comparison->match_count; i++)
        print_match(comparison, &comparison->match[i], all);
    comparison_sum_up(comparison, text, sizeof text);
    columns_labelled("summary", "%s", text);
    int unclear = comparison->verdicts[VERDICT_SAME] + comparison->verdicts[VERDICT_DISTURBED];
    if (!all && unclear > 0)
        columns_labelled(
            "not shown",
            "%d row%s whose times are no further apart than the batches of either, or were disturbed; --wide "
            "shows them",
            unclear, number_plural(unclear));
}
