/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/page.h"

#include <math.h>

#include "spbench/html.h"

#define TIMES "\u00d7"

static void put_rough(FILE *file, bool rough) {
    if (rough)
        fputs("~", file);
}

static bool is_rough_gain(const struct record_row *row) {
    return json_is_false(json_object_get(row->json, "vs_csr_certain"));
}

static bool is_rough_regret(const json_t *pick) {
    return record_truth(pick, "tie") && record_number(pick, "regret") > 1.0;
}

static void put_fastest(FILE *file, const struct record_row *row) {
    if (!row) {
        fputs("<td class=\"text\">none</td><td>\u2013</td><td>\u2013</td>", file);
        return;
    }
    fputs("<td class=\"text\">", file);
    html_text(file, row->label);
    fputs("</td><td>", file);
    put_rough(file, record_truth(row->json, "noisy"));
    html_real(file, row->median, number_short);
    fputs("</td><td>", file);
    put_rough(file, is_rough_gain(row));
    html_figure(file, json_object_get(row->json, "vs_csr"), number_short);
    fputs("</td>", file);
}

static void put_pick(FILE *file, const json_t *pick) {
    fputs("<td class=\"text\">", file);
    html_text(file, pick ? record_text(pick, "storage") : "none");
    fputs("</td><td>", file);
    put_rough(file, is_rough_regret(pick));
    html_figure(file, json_object_get(pick, "regret"), number_short);
    fputs("</td>", file);
}

static void put_line(FILE *file, const struct record *record, int number) {
    const json_t *matrix = json_object_get(record->json, "matrix");
    fprintf(file, "<tr><th scope=\"row\"><a href=\"#m%d\">", number);
    html_text(file, record->name);
    fputs("</a></th><td>", file);
    html_figure(file, json_object_get(matrix, "rows"), html_whole);
    fputs(" " TIMES " ", file);
    html_figure(file, json_object_get(matrix, "cols"), html_whole);
    fputs("</td><td>", file);
    html_figure(file, json_object_get(matrix, "nnz"), html_whole);
    fputs("</td>", file);
    put_fastest(file, record_fastest(record));
    put_pick(file, record_first_pick(record));
    fputs("</tr>\n", file);
}

/* ---- over all matrices ---- */

struct mean {
    double log_sum, worst;
    int count;
    bool rough; /* one of its values is */
};

static void add(struct mean *mean, double value, bool rough) {
    if (!(value > 0.0) || !isfinite(value))
        return;
    mean->log_sum += log(value);
    mean->worst = fmax(mean->worst, value);
    mean->count++;
    mean->rough |= rough;
}

static double mean_of(const struct mean *mean) {
    return exp(mean->log_sum / mean->count);
}

static void put_means(FILE *file, const struct page *page) {
    struct mean gain = {0}, regret = {0};
    for (int i = 0; i < page->count; i++) {
        const struct record *record = &page->matrix[i].record;
        const struct record_row *row = record_fastest(record);
        const json_t *pick = record_first_pick(record);
        if (row)
            add(&gain, record_number(row->json, "vs_csr"), is_rough_gain(row));
        add(&regret, record_number(pick, "regret"), is_rough_regret(pick));
    }
    if (gain.count > 1) {
        fprintf(file, "<p>Over %d matrices, the fastest format is in the geometric mean ", gain.count);
        put_rough(file, gain.rough);
        html_real(file, mean_of(&gain), number_short);
        fputs(TIMES " as fast as CSR.", file);
        if (regret.count > 1) {
            fputs(" What the selector picks takes ", file);
            put_rough(file, regret.rough);
            html_real(file, mean_of(&regret), number_short);
            fputs(TIMES " the time of the best, ", file);
            html_real(file, regret.worst, number_short);
            fputs(TIMES " at worst.", file);
        }
        fputs("</p>\n", file);
    }
}

void page_put_overview(FILE *file, const struct page *page) {
    fputs("<section aria-labelledby=\"overview\"><h2 id=\"overview\">Overview</h2>\n", file);
    page_begin_table(
        file, "Each matrix, the storage that multiplies it fastest, and the one that the selector picks");
    fputs("<thead><tr><th scope=\"col\" class=\"text\">matrix</th><th scope=\"col\">size</th><th "
          "scope=\"col\">nonzeros</th>"
          "<th scope=\"col\" class=\"text\">fastest</th><th scope=\"col\">product<small>\u00b5s</small></th>"
          "<th scope=\"col\">vs CSR<small>speed</small></th><th scope=\"col\" class=\"text\">picked</th>"
          "<th scope=\"col\">regret<small>time / best</small></th></tr></thead>\n<tbody>\n",
          file);
    for (int i = 0; i < page->count; i++)
        put_line(file, &page->matrix[i].record, i + 1);
    fputs("</tbody>", file);
    page_end_table(file);
    put_means(file, page);
    fputs("</section>\n", file);
}
