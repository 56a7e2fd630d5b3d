/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/page.h"

#include "spbench/html.h"

static void put_file(FILE *file, const char *what, const struct record_file *records) {
    char text[1024];
    comparison_describe(records, text, sizeof text);
    fprintf(file, "<dt>%s</dt><dd><code>", what);
    html_text(file, records->path);
    fputs("</code>: ", file);
    html_text(file, text);
    fputs("</dd>\n", file);
}

static void put_time(FILE *file, const struct record_row *row) {
    fputs("<td>", file);
    if (row->ok)
        html_figure(file, record_at(row->json, "time_us", "median"), number_short);
    else
        html_text(file, record_text(row->json, "status"));
    fputs("</td>", file);
}

static void put_change(FILE *file, const struct match *match, const struct change *change) {
    static const char *const sign[VERDICT_COUNT] = {"", "\u25b2 ", "\u25bc ", "\u25bc ", "\u25b2 ", ""};
    fputs("<tr><th scope=\"row\">", file);
    html_text(file, match->after->name);
    fputs("</th><td class=\"text\">", file);
    html_text(file, change->after->label);
    fputs("</td>", file);
    put_time(file, change->before);
    put_time(file, change->after);
    fputs("<td>", file);
    html_real(file, change->speed, number_short);
    fprintf(file, "</td><td class=\"text\">%s%s</td></tr>\n", sign[change->verdict],
            comparison_word(change->verdict));
}

static void put_rows(FILE *file, const struct comparison *comparison, bool unclear, const char *caption) {
    page_begin_table(file, caption);
    fputs(
        "<thead><tr><th scope=\"col\" class=\"text\">matrix</th><th scope=\"col\" class=\"text\">storage</th>"
        "<th scope=\"col\">before<small>\u00b5s</small></th><th "
        "scope=\"col\">after<small>\u00b5s</small></th>"
        "<th scope=\"col\">speed<small>times that before</small></th><th scope=\"col\" "
        "class=\"text\">is</th></tr></thead>\n"
        "<tbody>\n",
        file);
    for (int i = 0; i < comparison->match_count; i++) {
        const struct match *match = &comparison->match[i];
        for (int j = match->first; j < match->first + match->count; j++)
            if (comparison_is_unclear(&comparison->change[j]) == unclear)
                put_change(file, match, &comparison->change[j]);
    }
    fputs("</tbody>", file);
    page_end_table(file);
}

static void put_picks(FILE *file, const struct comparison *comparison) {
    for (int i = 0; i < comparison->match_count; i++) {
        const struct match *match = &comparison->match[i];
        const char *before, *after;
        if (!comparison_has_other_pick(match, &before, &after))
            continue;
        fputs("<p>The selector picks another storage for ", file);
        html_text(file, match->after->name);
        fputs(": <code>", file);
        html_text(file, before);
        fputs("</code> before, <code>", file);
        html_text(file, after);
        fputs("</code> now.</p>\n", file);
    }
}

void page_put_comparison(FILE *file, const struct comparison *comparison) {
    char text[1024];
    fputs("<section aria-labelledby=\"compared\"><h2 id=\"compared\">Before and after</h2>\n<dl>\n", file);
    put_file(file, "Before", &comparison->before);
    put_file(file, "After", &comparison->after);
    fputs("</dl>\n", file);
    if (comparison->caution[0]) {
        fputs("<p><strong>Caution:</strong> ", file);
        html_text(file, comparison->caution);
        fputs(".</p>\n", file);
    }
    comparison_sum_up(comparison, text, sizeof text);
    fputs("<p>", file);
    html_text(file, text);
    fputs(".</p>\n", file);
    put_picks(file, comparison);
    int unclear = comparison->verdicts[VERDICT_SAME] + comparison->verdicts[VERDICT_DISTURBED];
    if (unclear < comparison->change_count)
        put_rows(file, comparison, false, "What changed by more than its batches are apart");
    if (unclear > 0) {
        fprintf(file, "<details><summary>Rows without a clear change: %d</summary>\n", unclear);
        put_rows(
            file, comparison, true,
            "Medians no further apart than the batches of either run, and what other programs disturbed");
        fputs("</details>\n", file);
    }
    fputs("</section>\n", file);
}
