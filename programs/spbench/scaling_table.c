/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/scaling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/columns.h"
#include "common/glyphs.h"
#include "common/number.h"
#include "common/terminal.h"

enum { KERNEL, THREADS, PRODUCT, SPEED_UP, EFFICIENCY, GBS, READS, VS_READS, COLUMN_COUNT };

static const char *const headings[COLUMN_COUNT] = {"kernel",     "threads", "product", "speed-up",
                                                   "efficiency", "GB/s",    "reads",   "vs reads"};

/* Those that go where the page is too narrow, first those that others tell. */
static const int spare[] = {GBS, EFFICIENCY, READS};

/* ---- above the tables ---- */

static void print_machine(const struct scaling *scaling) {
    const char *range = scaling->most > 1 ? "1 to " : "", *plural = number_plural(scaling->most);
    columns_labelled("machine", "%s, %s%d thread%s, may run on %d processor%s", scaling->report.cpu, range,
                     scaling->most, plural, scaling->processors, number_plural(scaling->processors));
    if (scaling->picked[0])
        columns_labelled("pick", "%s for %d thread%s", scaling->picked, scaling->most, plural);
}

/* ---- a table ---- */

static void set_units(struct line *line) {
    snprintf(line->cell[PRODUCT], sizeof line->cell[PRODUCT], "%ss", glyphs()->micro);
    columns_set(line, EFFICIENCY, "%");
    columns_set(line, READS, "GB/s");
    columns_set(line, VS_READS, "%");
}

static void set_figure(struct line *line, int column, bool rough, bool known, double value) {
    if (known && !isnan(value))
        snprintf(line->cell[column], sizeof line->cell[column], "%s%s", rough ? ROUGH : "",
                 number_short(value).text);
    else
        columns_set(line, column, glyphs()->dash);
}

static void set_row(struct line *line, const struct scaling *scaling, int i) {
    const struct scaling_row *row = &scaling->rows[i];
    const struct result *result = &scaling->report.results[i];
    struct scaling_figures figures = scaling_figures(scaling, i);
    bool ran = result->status == SPRY_OK, rough = !figures.certain;
    snprintf(line->cell[KERNEL], sizeof line->cell[KERNEL], "  %s",
             result->kernel ? result->kernel : result->format);
    columns_set(line, THREADS, number_count(row->threads).text);
    if (ran) {
        set_figure(line, PRODUCT, report_is_noisy(result), true, result->seconds.median * 1e6);
        set_figure(line, SPEED_UP, rough, figures.known, figures.speed_up);
        set_figure(line, EFFICIENCY, rough, figures.known, figures.efficiency * 100.0);
        set_figure(line, GBS, false, true, result->gbs);
        set_figure(line, READS, false, true, result->roof_gbs);
        set_figure(line, VS_READS, rough, figures.known, figures.vs_reads * 100.0);
    }
    if (!report_is_ok(result))
        line->note = result->message;
}

/* The rows of a storage under its name, with more and more threads. Returns how many lines the table then has. */
static int set_storage(struct columns *columns, const struct scaling *scaling, int kind, int storage,
                       int lines) {
    bool named = false;
    for (int i = 0; i < scaling->report.result_count; i++) {
        if (scaling->rows[i].kind != kind || scaling->rows[i].storage != storage)
            continue;
        if (!named)
            columns_set(&columns->line[lines++], KERNEL, scaling->report.results[i].storage);
        named = true;
        set_row(&columns->line[lines++], scaling, i);
    }
    return lines;
}

/* Lines that every table has. */
#define HEADINGS 2

/* With headings and names of storages. */
static int count_lines(const struct scaling *scaling, int kind) {
    bool seen[OPTIONS_STORAGES] = {false};
    int count = HEADINGS;
    for (int i = 0; i < scaling->report.result_count; i++) {
        const struct scaling_row *row = &scaling->rows[i];
        if (row->kind != kind)
            continue;
        count += seen[row->storage] ? 1 : 2;
        seen[row->storage] = true;
    }
    return count;
}

static void print_kind(const struct scaling *scaling, int kind) {
    struct columns columns = {.count = COLUMN_COUNT, .left = 1u << KERNEL, .gap = 1};
    int lines = HEADINGS;
    if (!columns_add(&columns, count_lines(scaling, kind)))
        return;
    columns_head(&columns, headings);
    set_units(&columns.line[1]);
    for (int storage = 0; storage < scaling->storage_count; storage++)
        lines = set_storage(&columns, scaling, kind, storage, lines);
    if (!scaling->report.options->wide)
        columns_fit(&columns, spare, sizeof spare / sizeof *spare);
    columns_print(&columns);
    if (columns.gone[0])
        columns_labelled("not shown", "%s: the page is %d columns wide; --wide shows them", columns.gone,
                         terminal_page());
    columns_free(&columns);
}

/* ---- below the tables ---- */

static bool has_rough(const struct scaling *scaling) {
    for (int i = 0; i < scaling->report.result_count; i++) {
        struct scaling_figures figures = scaling_figures(scaling, i);
        if (figures.known && !figures.certain)
            return true;
    }
    return false;
}

static void print_legend(const struct scaling *scaling) {
    columns_labelled("reads", "how fast so many threads read as many bytes from a plain buffer");
    if (scaling->most > 1) {
        columns_labelled("efficiency", "the speed-up over the number of threads: of copies, the time of one "
                                       "over that of so many");
        columns_labelled("vs reads", "the speed-up over that of the reads: at 100 %% a product gains as much "
                                     "from threads as reading does; a smaller gain has another cause than "
                                     "memory bandwidth");
    }
    report_print_noisy(&scaling->report);
    if (has_rough(scaling))
        columns_labelled(ROUGH " speed-up", "so do those of this row, or of the one that it is held against");
    report_print_busy(&scaling->report);
}

static void print_weak(const struct scaling *scaling) {
    columns_labelled("weak",
                     "a copy of the matrix for each thread, as the blocks of a diagonal: where the time "
                     "stays the same, the speed-up is the number of threads");
    print_kind(scaling, SCALING_WEAK);
    if (scaling->stopped[0])
        columns_labelled("stopped", "%s", scaling->stopped);
    putchar('\n');
}

void scaling_print_table(const struct scaling *scaling) {
    report_print_matrix(&scaling->report);
    print_machine(scaling);
    report_print_reading(scaling->report.source);
    putchar('\n');
    columns_labelled("strong", "the same matrix for all threads together");
    print_kind(scaling, SCALING_STRONG);
    putchar('\n');
    if (scaling->most > 1 && count_lines(scaling, SCALING_WEAK) > HEADINGS)
        print_weak(scaling);
    if (scaling->most == 1)
        columns_labelled("alone", "with one thread there is nothing to compare");
    print_legend(scaling);
    putchar('\n');
}
