/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/report.h"

#include <math.h>
#include <stdio.h>

#include "common/columns.h"
#include "common/glyphs.h"
#include "common/number.h"
#include "common/terminal.h"
#include "spbench/pick.h"
#include "spbench/reason.h"

/* ---- above the table ---- */

static void print_profile(const struct pick *pick) {
    if (pick->profile)
        columns_labelled("", "predicted with the profile of %s", pick->profile);
}

/* A processor, what it moves to and from memory, and the rate that a buffer of CSR's size has, which its row is held
   against. */
static void print_processor(const char *label, const char *what, const char *moves, double gbs,
                            const struct result *csr, const char *from) {
    char roof[128] = "";
    if (isnan(gbs)) {
        columns_labelled(label, "%s, no memory to measure how fast it %s memory", what, moves);
        return;
    }
    if (report_is_ok(csr))
        snprintf(roof, sizeof roof, ", %s GB/s at this size (%s%s)", number_short(csr->roof_gbs).text,
                 number_bytes(csr->gbs * 1e9 * csr->seconds.median).text, from);
    columns_labelled(label, "%s, %s memory at %s GB/s%s", what, moves, number_short(gbs).text, roof);
}

static void print_cpu(const struct report *report) {
    const struct place *cpu = report_place(report, SPRY_CPU);
    char what[256];
    if (!cpu)
        return;
    snprintf(what, sizeof what, "%s, %d thread%s", report->cpu, report->threads,
             number_plural(report->threads));
    print_processor("machine", what, "reads", cpu->memory_gbs, &report->baseline[SPRY_CPU], "");
    print_profile(&report->pick[SPRY_CPU]);
}

/* The other library, where it has rows. */
static void print_peer(const struct report *report) {
    for (int i = 0; i < report->result_count; i++) {
        const struct result *row = &report->results[i];
        if (row->peer) {
            columns_labelled("", "beside %s %s", row->peer, row->peer_version);
            return;
        }
    }
}

static void print_gpu(const struct report *report) {
    const struct place *gpu = report_place(report, SPRY_CUDA);
    const struct result *csr = &report->baseline[SPRY_CUDA];
    if (!gpu)
        return;
    bool cached = csr->gbs * 1e9 * csr->seconds.median <= (double)gpu->cache_bytes;
    print_processor("gpu", gpu->processor, "copies", gpu->memory_gbs, csr,
                    cached ? ", from L2" : ", from memory");
    columns_labelled("", "copied there in %s ms: %s, %s GB/s", number_short(report->copy_seconds * 1e3).text,
                     number_bytes((double)report->copy_bytes).text,
                     number_short((double)report->copy_bytes * 1e-9 / report->copy_seconds).text);
    print_profile(&report->pick[SPRY_CUDA]);
    print_peer(report);
}

/* ---- the table ---- */

enum {
    KERNEL,
    STORAGE,
    PLACE,
    MEMORY,
    PER_NONZERO,
    FILL,
    CONVERT,
    PRODUCT,
    PREDICTED,
    SPREAD,
    COLD,
    AS_CSR,
    GBS,
    ROOF,
    VS_CSR,
    PAYS_BACK,
    ERROR,
    COLUMN_COUNT
};

static const char *const headings[COLUMN_COUNT] = {
    "kernel", "storage", "runs",   "memory", "B/nz", "fill",   "convert",   "product", "predicted",
    "spread", "cold",    "as CSR", "GB/s",   "roof", "vs CSR", "pays back", "error"};

/* Those that go where the page is too narrow: first those that others come nearest to saying, then those that a choice of
   a format can do without. */
static const int spare[] = {FILL,      SPREAD, AS_CSR,      GBS,  ERROR,    MEMORY,
                            PREDICTED, COLD,   PER_NONZERO, ROOF, PAYS_BACK};

/* Matrices under this many bytes in CSR are shown in smaller units. */
#define SMALL_BYTES 1e6

/* Without a storage that was named, names of kernels tell all rows apart. */
static void leave_out_storage(struct columns *columns, const struct report *report) {
    for (int i = 0; i < report->result_count; i++)
        if (report->results[i].named && report->options->kernels)
            return;
    columns_leave_out(columns, STORAGE);
}

/* Columns that only a GPU's rows fill go without one. */
static void leave_out_gpu(struct columns *columns) {
    columns_leave_out(columns, PLACE);
    columns_leave_out(columns, COLD);
}

static void set_units(struct line *line, bool small) {
    char microseconds[8];
    snprintf(microseconds, sizeof microseconds, "%ss", glyphs()->micro);
    columns_set(line, PLACE, "on");
    columns_set(line, MEMORY, small ? "kB" : "MB");
    columns_set(line, CONVERT, small ? microseconds : "ms");
    columns_set(line, PRODUCT, microseconds);
    columns_set(line, PREDICTED, microseconds);
    columns_set(line, SPREAD, "%");
    columns_set(line, COLD, microseconds);
    columns_set(line, AS_CSR, "GB/s");
    columns_set(line, ROOF, "%");
    columns_set(line, VS_CSR, "speed");
    columns_set(line, PAYS_BACK, "after");
    columns_set(line, ERROR, "rel.");
}

static void set_rough(struct line *line, int column, bool rough, const char *text) {
    snprintf(line->cell[column], sizeof line->cell[column], "%s%s", rough ? ROUGH : "", text);
}

static void set_figures(struct line *line, const struct report *report, const struct result *result,
                        bool small) {
    const struct spread *seconds = &result->seconds;
    const char *dash = glyphs()->dash;
    bool rough = result->vs_csr > 0.0 && !report_is_certain(report, result);
    columns_set(line, MEMORY, number_short((double)result->bytes * (small ? 1e-3 : 1e-6)).text);
    columns_set(line, PER_NONZERO,
                isnan(result->bytes_per_nnz) ? dash : number_short(result->bytes_per_nnz).text);
    columns_set(line, FILL, number_short(result->fill).text);
    columns_set(line, CONVERT, number_short(result->convert_seconds * (small ? 1e6 : 1e3)).text);
    set_rough(line, PRODUCT, report_is_noisy(result), number_short(seconds->median * 1e6).text);
    columns_set(line, PREDICTED,
                isnan(result->predicted) ? dash : number_short(result->predicted * 1e6).text);
    columns_set(line, SPREAD, number_short(100.0 * report_spread(result)).text);
    columns_set(line, COLD, result->cold.median > 0.0 ? number_short(result->cold.median * 1e6).text : dash);
    columns_set(line, AS_CSR, number_short(result->csr_gbs).text);
    columns_set(line, GBS, number_short(result->gbs).text);
    columns_set(line, ROOF, isnan(result->roofline) ? dash : number_short(result->roofline * 100.0).text);
    set_rough(line, VS_CSR, rough, result->vs_csr > 0.0 ? number_short(result->vs_csr).text : dash);
    set_rough(line, PAYS_BACK, rough && result->pays_back_after >= 0,
              result->pays_back_after >= 0 ? number_count(result->pays_back_after).text : dash);
    columns_set(line, ERROR, number_tiny(result->error).text);
}

/* A kernel's name begins with its format's, which stands alone where there is no kernel. Storages that were named are told
   apart by their own, which stands beside the kernel's where each may have several. */
static void set_name(struct line *line, const struct report *report, const struct result *result) {
    const char *kernel = result->kernel ? result->kernel : result->format;
    bool several = report->options->kernels;
    if (result->peer)
        snprintf(line->cell[KERNEL], sizeof line->cell[KERNEL], "%s %s", result->peer, kernel);
    else
        columns_set(line, KERNEL, result->named && !several ? result->storage : kernel);
    columns_set(line, STORAGE, several ? result->storage : "");
}

static void set_result(struct line *line, const struct report *report, const struct result *result,
                       bool small) {
    set_name(line, report, result);
    columns_set(line, PLACE, spry_backend_name(result->backend));
    if (result->status == SPRY_OK)
        set_figures(line, report, result, small);
    if (!report_is_ok(result))
        line->note = result->message;
}

/* What the sign means, where it stands before a figure. */
static void print_rough(const struct report *report) {
    int uncertain = 0;
    for (int i = 0; i < report->result_count; i++) {
        const struct result *row = &report->results[i];
        uncertain += row->vs_csr > 0.0 && !report_is_certain(report, row);
    }
    report_print_noisy(report);
    if (uncertain > 0)
        columns_labelled(
            ROUGH " vs CSR",
            "the batches lie further apart than this row from CSR: neither is faster for certain");
    report_print_busy(report);
}

static void print_results(const struct report *report) {
    struct columns columns = {
        .count = COLUMN_COUNT, .left = 1u << KERNEL | 1u << STORAGE | 1u << PLACE, .gap = 1};
    bool small = (double)report->baseline[report->places[0].backend].bytes < SMALL_BYTES;
    if (columns_add(&columns, 2 + report->result_count)) {
        columns_head(&columns, headings);
        set_units(&columns.line[1], small);
        for (int i = 0; i < report->result_count; i++)
            set_result(&columns.line[2 + i], report, &report->results[i], small);
        leave_out_storage(&columns, report);
        if (!report_place(report, SPRY_CUDA))
            leave_out_gpu(&columns);
        if (!report->options->wide)
            columns_fit(&columns, spare, sizeof spare / sizeof *spare);
        columns_print(&columns);
        print_rough(report);
        if (columns.gone[0])
            columns_labelled("not shown", "%s: the page is %d columns wide; --wide shows them", columns.gone,
                             terminal_page());
    }
    columns_free(&columns);
}

/* ---- below the table: a line for each place ---- */

/* The longest sentence, and what stands before it. */
#define TEXT 2048

/* The place is named where there are several. Returns how long that is. */
static int name_place(const struct report *report, int i, char *text) {
    text[0] = '\0';
    if (report->place_count == 1)
        return 0;
    return snprintf(text, TEXT, "%s: ", spry_backend_name(report->places[i].backend));
}

static void print_fastest(const struct report *report) {
    char text[TEXT];
    for (int i = 0; i < report->place_count; i++) {
        const struct result *fastest = report_fastest_on(report, report->places[i].backend);
        if (!fastest)
            continue;
        int used = name_place(report, i, text);
        used += snprintf(text + used, sizeof text - (size_t)used, "%s, ", fastest->kernel);
        reason_write(report, fastest, text + used, sizeof text - (size_t)used);
        columns_labelled("fastest", "%s", text);
    }
}

static void print_picks(const struct report *report) {
    char text[TEXT];
    for (int i = 0; i < report->place_count; i++) {
        int used = name_place(report, i, text);
        pick_write(report, report->places[i].backend, text + used, sizeof text - (size_t)used);
        columns_labelled("pick", "%s", text);
    }
}

void report_print_table(const struct report *report) {
    report_print_matrix(report);
    print_cpu(report);
    print_gpu(report);
    report_print_reading(report->source);
    putchar('\n');
    print_results(report);
    putchar('\n');
    print_fastest(report);
    print_picks(report);
    putchar('\n');
}
