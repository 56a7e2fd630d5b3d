/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/page.h"

#include <string.h>

#include "spbench/html.h"

#define COLUMNS 14
#define COLD 4

static struct number percent(double part) {
    return number_short(100.0 * part);
}

/* Cold products are measured on GPUs: pages without one have no column for them. */
static bool has_cold(const struct record *record) {
    for (int i = 0; i < record->count; i++)
        if (json_is_object(json_object_get(record->rows[i].json, "cold_us")))
            return true;
    return false;
}

static void put_heading(FILE *file, bool cold) {
    static const struct {
        const char *name, *unit;
    } columns[COLUMNS] = {{"kernel", ""},
                          {"product", "\u00b5s"},
                          {"least\u2013most", "\u00b5s"},
                          {"predicted", "\u00b5s"},
                          {"cold", "\u00b5s"},
                          {"vs CSR", "speed"},
                          {"memory", "bytes"},
                          {"B/nz", ""},
                          {"GB/s", ""},
                          {"roof", "%"},
                          {"GFLOP/s", ""},
                          {"convert", "\u00b5s"},
                          {"pays back", "after products"},
                          {"error", "relative"}};
    fputs("<thead><tr><th scope=\"col\" class=\"text\">storage</th>", file);
    for (int i = 0; i < COLUMNS; i++) {
        if (i == COLD && !cold)
            continue;
        fprintf(file, "<th scope=\"col\"%s>%s", i == 0 ? " class=\"text\"" : "", columns[i].name);
        if (columns[i].unit[0])
            fprintf(file, "<small>%s</small>", columns[i].unit);
        fputs("</th>", file);
    }
    fputs("</tr></thead>\n", file);
}

static void put_cell(FILE *file, const struct record_row *row, const char *member, bool rough,
                     struct number (*shown)(double value)) {
    fprintf(file, "<td>%s", rough ? "~" : "");
    html_figure(file, json_object_get(row->json, member), shown);
    fputs("</td>", file);
}

/* All that its time is in. */
static void put_times(FILE *file, const struct record_row *row, bool cold) {
    const json_t *time = json_object_get(row->json, "time_us");
    fprintf(file, "<td>%s", record_truth(row->json, "noisy") ? "~" : "");
    html_figure(file, json_object_get(time, "median"), number_short);
    fputs("</td><td>", file);
    html_figure(file, json_object_get(time, "min"), number_short);
    fputs("\u2013", file);
    html_figure(file, json_object_get(time, "max"), number_short);
    fputs("</td>", file);
    put_cell(file, row, "predicted_us", false, number_short);
    if (!cold)
        return;
    fputs("<td>", file);
    html_figure(file, record_at(row->json, "cold_us", "median"), number_short);
    fputs("</td>", file);
}

static void put_figures(FILE *file, const struct record_row *row, bool cold) {
    bool rough = json_is_false(json_object_get(row->json, "vs_csr_certain"));
    bool pays_back = json_is_number(json_object_get(row->json, "pays_back_after"));
    put_times(file, row, cold);
    put_cell(file, row, "vs_csr", rough, number_short);
    put_cell(file, row, "bytes", false, html_whole);
    put_cell(file, row, "bytes_per_nnz", false, number_short);
    put_cell(file, row, "gbs", false, number_short);
    put_cell(file, row, "roofline", false, percent);
    put_cell(file, row, "gflops", false, number_short);
    put_cell(file, row, "convert_us", false, number_short);
    put_cell(file, row, "pays_back_after", rough && pays_back, html_whole);
    put_cell(file, row, "error", false, number_tiny);
}

static void put_failure(FILE *file, const struct record_row *row, bool cold) {
    fprintf(file, "<td colspan=\"%d\" class=\"text wrap\">", cold ? COLUMNS - 1 : COLUMNS - 2);
    html_text(file, record_text(row->json, "status"));
    fputs(row->message[0] ? ": " : "", file);
    html_text(file, row->message);
    fputs("</td>", file);
}

static void put_row(FILE *file, const struct record *record, const struct record_row *row, bool cold) {
    fprintf(file, "<tr%s><th scope=\"row\">", row->fastest ? " class=\"first\"" : "");
    html_text(file, row->peer[0] ? row->peer : row->storage);
    fputs(row->peer[0] ? " " : "", file);
    html_text(file, record_text(row->json, "peer_version"));
    if (record->several)
        fprintf(file, " on %s", strcmp(row->backend, "cuda") == 0 ? "cuda" : "cpu");
    fputs(row->fastest ? " <small>(fastest)</small>" : "", file);
    fputs(row->picked ? " <small>(picked)</small>" : "", file);
    fputs("</th><td class=\"text\">", file);
    html_text(file, row->kernel[0] ? row->kernel : "\u2013");
    fputs("</td>", file);
    if (row->ok)
        put_figures(file, row, cold);
    else
        put_failure(file, row, cold);
    fputs("</tr>\n", file);
}

void page_put_table(FILE *file, const struct record *record) {
    bool cold = has_cold(record);
    page_begin_table(file, "All that was measured, the fastest first");
    put_heading(file, cold);
    fputs("<tbody>\n", file);
    for (int i = 0; i < record->count; i++)
        put_row(file, record, &record->rows[i], cold);
    fputs("</tbody>", file);
    page_end_table(file);
}
