/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/page.h"

#include <math.h>
#include <string.h>

#include "common/number.h"
#include "spbench/html.h"
#include "spbench/picture.h"
#include "spbench/plot.h"

#define TIMES "\u00d7"
/* A pattern's longer side, and what a field takes at most, in CSS pixels; the other side is a third of it at least. */
#define LONG_SIDE 288.0
#define FIELD_SIDE 24.0
#define NARROWEST (1.0 / 3.0)

static void put_code(FILE *file, const char *text) {
    fputs("<code>", file);
    html_text(file, text);
    fputs("</code>", file);
}

/* ---- what it is ---- */

static void put_values(FILE *file, const json_t *matrix) {
    double nan = record_number(matrix, "nan"), infinite = record_number(matrix, "infinite");
    if (nan + infinite > 0.0)
        fprintf(file, "<p>%s value%s NaN or infinite: entries of y that they reach are not checked.</p>\n",
                html_whole(nan + infinite).text, nan + infinite == 1.0 ? " is" : "s are");
}

/* To a GPU. */
static void put_copy(FILE *file, const json_t *copy) {
    if (!json_is_object(copy))
        return;
    fputs("<p>Its coordinates were copied to the GPU in ", file);
    html_figure(file, json_object_get(copy, "us"), page_time);
    fputs(": ", file);
    html_figure(file, json_object_get(copy, "bytes"), number_bytes);
    fputs(", ", file);
    html_figure(file, json_object_get(copy, "gbs"), number_short);
    fputs("\u00a0GB/s.</p>\n", file);
}

static void put_facts(FILE *file, const struct record *record) {
    const json_t *matrix = json_object_get(record->json, "matrix");
    const json_t *row = record->count > 0 ? record->rows[0].json : NULL;
    fputs("<p class=\"muted\">", file);
    html_figure(file, json_object_get(matrix, "rows"), html_whole);
    fputs(" " TIMES " ", file);
    html_figure(file, json_object_get(matrix, "cols"), html_whole);
    fputs(", ", file);
    html_figure(file, json_object_get(matrix, "nnz"), html_whole);
    fprintf(file, " nonzero%s, ", number_plural(record_number(matrix, "nnz")));
    html_text(file, record_text(matrix, "field"));
    fputs(" ", file);
    html_text(file, record_text(matrix, "symmetry"));
    if (row) {
        fputs(", values ", file);
        html_text(file, record_text(row, "type"));
        fputs(", indices ", file);
        html_text(file, record_text(row, "index"));
    }
    if (strcmp(record_text(row, "op"), "T") == 0)
        fputs(", products with the transpose", file);
    if (record_text(matrix, "file")[0]) {
        fputs("; ", file);
        put_code(file, record_text(matrix, "file"));
    }
    fputs("</p>\n", file);
    put_values(file, matrix);
    put_copy(file, json_object_get(record->json, "copy"));
    if (record_truth(record->json, "interrupted"))
        fputs("<p><strong>Interrupted:</strong> rows are missing.</p>\n", file);
}

/* As report_print_busy. */
static void put_busy(FILE *file, const struct record *record) {
    double batches = 0.0, disturbed = 0.0;
    bool noisy = false;
    for (int i = 0; i < record->ok_count; i++) {
        const json_t *row = record->rows[i].json, *time = json_object_get(row, "time_us");
        batches += record_number(time, "batches");
        disturbed += record_number(time, "disturbed");
        noisy |= record_truth(row, "noisy");
    }
    if (noisy && disturbed > 0.0)
        fprintf(file,
                "<p><strong>Busy:</strong> in %s of %s batches a processor was taken from a thread, also "
                "when they were repeated. Measure again when the machine is quiet.</p>\n",
                html_whole(disturbed).text, html_whole(batches).text);
}

/* ---- what is fastest, and how to get it ---- */

static void put_fastest(FILE *file, const struct record *record, const struct record_row *row) {
    const char *reason = record_text(json_object_get(record->json, "fastest"), "reason");
    fputs("<p>Fastest here is <strong>", file);
    put_code(file, row->storage);
    fputs("</strong>, by the kernel ", file);
    put_code(file, row->kernel);
    if (strcmp(row->backend, "cuda") == 0)
        fputs(" on the GPU", file);
    fputs(", with ", file);
    html_real(file, row->median, page_time);
    fputs(" a product", file);
    if (reason[0]) {
        fputs(": ", file);
        html_text(file, reason);
    }
    fputs(".</p>\n", file);
}

static void put_conversion(FILE *file, const struct record_row *row) {
    double convert = record_number(row->json, "convert_us"),
           after = record_number(row->json, "pays_back_after");
    double csr = record_number(row->json, "vs_csr") * row->median;
    bool rough = json_is_false(json_object_get(row->json, "vs_csr_certain"));
    if (strcmp(row->storage, "csr") == 0 || !isfinite(convert))
        return;
    fputs("<p>Making it from CSR takes ", file);
    html_real(file, convert, page_time);
    if (csr > 0.0) {
        fputs(", as long as ", file);
        html_real(file, convert / csr, number_short);
        fputs(" products with CSR", file);
    }
    if (after >= 0.0)
        fprintf(file, ", and has paid back after <data value=\"%.0f\">%s</data> product%s%s.</p>\n", after,
                html_whole(after).text, number_plural(after),
                rough ? ", if it is faster at all: the batches are too far apart to be sure" : "");
    else
        fputs(", and does not pay back.</p>\n", file);
}

static void put_judgement(FILE *file, const json_t *pick) {
    double regret = record_number(pick, "regret");
    bool tie = record_truth(pick, "tie");
    if (!(regret > 0.0)) {
        fputs("no figure says how good that is", file);
    } else if (regret <= 1.0) {
        fputs(tie ? "which is among the best of these" : "which is the best of these", file);
    } else if (tie) {
        fputs("which is as good as the best, as far as the spread of the batches can tell", file);
    } else {
        fputs("which takes ", file);
        html_real(file, regret, number_short);
        fputs(TIMES " the time of the best", file);
    }
}

static void put_pick(FILE *file, const json_t *pick) {
    fputs("<p><code>SPRY_AUTO</code> picks ", file);
    put_code(file, record_text(pick, "storage"));
    if (strcmp(record_text(pick, "backend"), "cuda") == 0)
        fputs(" on the GPU", file);
    fputs(", ", file);
    put_judgement(file, pick);
    if (record_text(pick, "reason")[0]) {
        fputs(": ", file);
        html_text(file, record_text(pick, "reason"));
    }
    fputs(".</p>\n", file);
}

static void put_picks(FILE *file, const struct record *record) {
    const json_t *picks = json_object_get(record->json, "pick");
    if (!record_first_pick(record))
        fputs("<p>No format was picked: the selector has none for such products.</p>\n", file);
    for (size_t i = 0; i < json_array_size(picks); i++)
        if (json_is_object(json_array_get(picks, i)))
            put_pick(file, json_array_get(picks, i));
    if (json_is_object(picks))
        put_pick(file, picks);
}

/* What a program calls. Where the selector would take that storage, it may leave the choice to it. */
static void put_calls(FILE *file, const struct record *record, const struct record_row *row) {
    const char *pick = record_text(record_pick(record, row->backend), "storage");
    bool picked = row->picked && strcmp(row->storage, pick) == 0;
    bool other = json_is_false(json_object_get(row->json, "default"));
    fputs("<p>To have it in a C program", file);
    if (other)
        fputs(", whose library would take another kernel by itself (<code>spry_spmv_with</code> takes this "
              "one)",
              file);
    fputs(":</p>\n<pre><code>", file);
    if (strcmp(row->backend, "cuda") == 0)
        fputs("/* in a context with .backend = SPRY_CUDA */\n", file);
    if (picked) {
        fputs("spry_convert(context, matrix, SPRY_AUTO, NULL, &amp;fast);\n", file);
    } else {
        fputs("spry_storage storage;\nspry_storage_parse(&quot;", file);
        html_text(file, row->storage);
        fputs("&quot;, &amp;storage, NULL);\nspry_convert_to(context, matrix, &amp;storage, NULL, "
              "&amp;fast);\n",
              file);
    }
    fprintf(file, "spry_spmv(context, SPRY_%s, 1.0, fast, x, 0.0, y);</code></pre>\n",
            strcmp(record_text(row->json, "op"), "T") == 0 ? "T" : "N");
}

static void put_words(FILE *file, const struct record *record) {
    const struct record_row *row = record_fastest(record);
    if (row) {
        put_fastest(file, record, row);
        put_conversion(file, row);
        put_calls(file, record, row);
    } else {
        fputs("<p>No product was measured.</p>\n", file);
    }
    put_picks(file, record);
}

/* ---- what it looks like ---- */

struct size {
    double width, height;
};

/* As long and wide as the matrix is, but for one that would be hardly more than a line. */
static struct size pattern_size(const struct pattern *pattern, bool *to_scale) {
    double rows = (double)pattern->down * (double)pattern->height,
           cols = (double)pattern->across * (double)pattern->width;
    double longer = fmax(rows, cols), part = fmin(rows, cols) / longer;
    int fields = pattern->down > pattern->across ? pattern->down : pattern->across;
    double side = fmin(LONG_SIDE, FIELD_SIDE * fields), other = side * fmax(part, NARROWEST);
    *to_scale = part >= NARROWEST;
    return rows > cols ? (struct size){other, side} : (struct size){side, other};
}

static void put_pattern_caption(FILE *file, const struct pattern *pattern, bool to_scale) {
    fputs("<figcaption>", file);
    if (pattern->height == 1 && pattern->width == 1)
        fputs("Each field is one place of the matrix", file);
    else
        fprintf(file, "Each field stands for %s " TIMES " %s places", number_count(pattern->height).text,
                number_count(pattern->width).text);
    fprintf(file, "; the strongest has %s entr%s.%s</figcaption>", number_count(pattern->most).text,
            pattern->most == 1 ? "y" : "ies",
            to_scale ? "" : " The shorter side is drawn longer than it is.");
}

static bool put_pattern(FILE *file, const struct pattern *pattern) {
    if (pattern->down == 0 || pattern->across == 0) {
        fputs("<figure><h3>Pattern</h3><p>There is nothing to show.</p></figure>\n", file);
        return true;
    }
    bool to_scale;
    struct size size = pattern_size(pattern, &to_scale);
    fprintf(file,
            "<figure><h3>Pattern</h3>\n<img width=\"%.0f\" height=\"%.0f\" alt=\"Where the entries lie, in "
            "%d by %d fields\" "
            "src=\"",
            size.width, size.height, pattern->down, pattern->across);
    bool good = picture_put_pattern(file, pattern);
    fputs("\"/>\n", file);
    put_pattern_caption(file, pattern, to_scale);
    fputs("</figure>\n", file);
    return good;
}

static int64_t whole(const json_t *json, const char *member) {
    return json_integer_value(json_object_get(json, member));
}

/* Within what can be added up over all bins. */
static int64_t rows_of(const json_t *bin) {
    int64_t rows = json_integer_value(bin), most = INT64_MAX / SPRY_LENGTH_BINS;
    return rows < 0 ? 0 : rows > most ? most : rows;
}

static spry_row_lengths lengths_of(const json_t *json) {
    const json_t *histogram = json_object_get(json, "histogram");
    spry_row_lengths lengths = {
        .min = whole(json, "min"),
        .q1 = whole(json, "q1"),
        .median = whole(json, "median"),
        .q3 = whole(json, "q3"),
        .max = whole(json, "max"),
    };
    for (size_t i = 0; i < json_array_size(histogram) && i < SPRY_LENGTH_BINS; i++)
        lengths.histogram[i] = rows_of(json_array_get(histogram, i));
    lengths.empty = lengths.histogram[0];
    return lengths;
}

static void put_mean(FILE *file, const json_t *lengths) {
    fputs(" Mean ", file);
    html_figure(file, json_object_get(lengths, "mean"), number_short);
    fputs(", standard deviation ", file);
    html_figure(file, json_object_get(lengths, "std"), number_short);
    fputs(".", file);
}

static void put_lengths(FILE *file, const struct record *record) {
    const json_t *json = record_at(record->json, "matrix", "row_length");
    spry_row_lengths lengths = lengths_of(json);
    char description[192];
    if (json_array_size(json_object_get(json, "histogram")) == 0)
        return;
    if (lengths.min == lengths.max)
        snprintf(description, sizeof description, "Each row has %s %s.", number_count(lengths.min).text,
                 lengths.min == 1 ? "entry" : "entries");
    else
        snprintf(description, sizeof description, "From %s to %s entries, quartiles %s, %s and %s.",
                 number_count(lengths.min).text, number_count(lengths.max).text,
                 number_count(lengths.q1).text, number_count(lengths.median).text,
                 number_count(lengths.q3).text);
    fputs("<figure><h3>Lengths of rows</h3>\n", file);
    plot_lengths(file, &lengths, "How many rows have how many entries", description);
    fprintf(file, "<figcaption>%s", description);
    if (lengths.min != lengths.max)
        put_mean(file, json);
    fputs("</figcaption></figure>\n", file);
}

bool page_put_matrix(FILE *file, const struct page_matrix *matrix, int number) {
    const struct record *record = &matrix->record;
    fprintf(file, "<section aria-labelledby=\"m%d\"><h2 id=\"m%d\">", number, number);
    html_text(file, record->name);
    fputs("</h2>\n", file);
    put_facts(file, record);
    put_busy(file, record);
    put_words(file, record);
    fputs("<div class=\"plots\">\n", file);
    bool good = !matrix->pattern || put_pattern(file, matrix->pattern);
    put_lengths(file, record);
    page_put_plots(file, record);
    fputs("</div>\n", file);
    page_put_table(file, record);
    fputs("</section>\n", file);
    return good;
}
