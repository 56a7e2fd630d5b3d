/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "spbench/html.h"
#include "spbench/replace.h"

/* ---- what is on it ---- */

bool page_add(struct page *page, json_t *json, struct pattern *pattern) {
    struct page_matrix *more = realloc(page->matrix, ((size_t)page->count + 1) * sizeof *more);
    if (more)
        page->matrix = more;
    if (!more || !json || !record_take(&more[page->count].record, json)) {
        if (!more)
            json_decref(json);
        free(pattern);
        return false;
    }
    more[page->count++].pattern = pattern;
    return true;
}

void page_note(struct page *page, const char *text) {
    char *copy = strdup(text), **more = realloc(page->note, ((size_t)page->note_count + 1) * sizeof *more);
    if (more)
        page->note = more;
    if (more && copy)
        page->note[page->note_count++] = copy;
    else
        free(copy);
}

void page_free(struct page *page) {
    for (int i = 0; i < page->count; i++) {
        record_free(&page->matrix[i].record);
        free(page->matrix[i].pattern);
    }
    for (int i = 0; i < page->note_count; i++)
        free(page->note[i]);
    free(page->matrix);
    free(page->note);
    *page = (struct page){.count = 0};
}

/* ---- head and foot ---- */

void page_begin_table(FILE *file, const char *caption) {
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", file);
    html_text(file, caption);
    fputs("\"><table><caption>", file);
    html_text(file, caption);
    fputs("</caption>\n", file);
}

void page_end_table(FILE *file) {
    fputs("</table></div>\n", file);
}

struct number page_time(double microseconds) {
    struct number time;
    bool seconds = microseconds >= 999500.0, milli = microseconds >= 999.5;
    snprintf(time.text, sizeof time.text, "%.22s %s",
             number_short(microseconds * (seconds ? 1e-6
                                          : milli ? 1e-3
                                                  : 1.0))
                 .text,
             seconds ? "s"
             : milli ? "ms"
                     : "\u00b5s");
    return time;
}

/* "poisson2d:20", or "poisson2d:20 and 3 more". */
static void put_names(FILE *file, const struct page *page) {
    if (page->comparison) {
        fputs("before and after", file);
        return;
    }
    html_text(file, page->matrix[0].record.name);
    if (page->count > 1)
        fprintf(file, " and %d more", page->count - 1);
}

/* What a browser is not to load, it is told besides. */
static void put_head(FILE *file, const struct page *page) {
    fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
          "charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; "
          "img-src data:\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>spbench: ",
          file);
    put_names(file, page);
    fputs("</title>\n", file);
    page_put_style(file);
    fputs("</head>\n<body>\n", file);
}

static void put_fact(FILE *file, const char *what, const char *text) {
    if (!text[0])
        return;
    fprintf(file, "<dt>%s</dt><dd>", what);
    html_text(file, text);
    fputs("</dd>\n", file);
}

static void put_rate(FILE *file, const char *what, const json_t *gbs, const char *does) {
    if (!json_is_number(gbs))
        return;
    fprintf(file, "<dt>%s</dt><dd>%s ", what, does);
    html_figure(file, gbs, number_short);
    fputs(" GB/s</dd>\n", file);
}

/* Of the first matrix: they are alike in one run. */
static void put_machine(FILE *file, const struct page *page) {
    const json_t *json = page->matrix[0].record.json, *machine = json_object_get(json, "machine");
    const json_t *gpu = json_object_get(machine, "gpu");
    char now[64] = "";
    time_t seconds = time(NULL);
    struct tm local;
    if (localtime_r(&seconds, &local))
        strftime(now, sizeof now, "%Y-%m-%d %H:%M %z", &local);
    fputs("<section aria-labelledby=\"machine\"><h2 id=\"machine\">The machine and the run</h2>\n<dl>\n",
          file);
    put_fact(file, "Processor", record_text(machine, "cpu"));
    fputs("<dt>Threads</dt><dd>", file);
    html_figure(file, json_object_get(machine, "threads"), html_whole);
    fputs("</dd>\n", file);
    put_rate(file, "Memory", json_object_get(machine, "read_gbs"), "these threads read");
    put_fact(file, "Predicted by the profile of", record_text(machine, "profile"));
    put_fact(file, "GPU", record_text(gpu, "name"));
    put_rate(file, "GPU's memory", json_object_get(gpu, "copy_gbs"), "read and written at");
    put_fact(file, "GPU's profile", record_text(gpu, "profile"));
    put_fact(file, "Spry", record_text(json, "version"));
    put_fact(file, "Made", now);
    fputs("<dt>Command</dt><dd class=\"command\" tabindex=\"0\"><code>", file);
    html_text(file, page->command);
    fputs("</code></dd>\n</dl></section>\n", file);
}

static void put_notes(FILE *file, const struct page *page) {
    if (page->note_count == 0)
        return;
    fputs("<ul class=\"notes\">\n", file);
    for (int i = 0; i < page->note_count; i++) {
        fputs("<li>", file);
        html_text(file, page->note[i]);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
}

static const char *const lead = "<p>Which storage format multiplies these matrices fastest, "
                                "y\u00a0=\u00a0A\u00a0x, what it takes to get there, and "
                                "what Spry's selector picks without measuring. Times are medians over "
                                "batches of products; ranges are those from the "
                                "quickest batch to the slowest. The sign\u00a0~ stands before what the "
                                "batches are too far apart to be sure of.</p>\n";

static void put_foot(FILE *file, bool gpu) {
    fputs(
        "<footer><p>GB/s are bytes that a product cannot do without, each once, over its time: the arrays of "
        "the format "
        "without padding, x and y. A roof is what the same threads read from a plain buffer of as many bytes",
        file);
    fputs(gpu ? ", or what the GPU moves when it copies one; to read alone can be a little faster. Cold is a "
                "product "
                "that finds nothing of the matrix, x and y in the GPU's cache"
              : "",
          file);
    fputs(". No roof is drawn for arithmetic, which spbench does not measure. Errors are relative to the sum "
          "of absolute "
          "products.</p></footer>\n",
          file);
}

static bool put_page(FILE *file, const struct page *page) {
    bool good = true;
    put_head(file, page);
    fputs("<header><h1>spbench: ", file);
    put_names(file, page);
    fputs("</h1>\n", file);
    fputs(lead, file);
    put_notes(file, page);
    fputs("</header>\n<main>\n", file);
    if (page->comparison)
        page_put_comparison(file, page->comparison);
    page_put_overview(file, page);
    put_machine(file, page);
    for (int i = 0; i < page->count && good; i++)
        good = page_put_matrix(file, &page->matrix[i], i + 1);
    fputs("</main>\n", file);
    put_foot(file, json_is_object(record_at(page->matrix[0].record.json, "machine", "gpu")));
    fputs("</body>\n</html>\n", file);
    return good;
}

int page_write(const struct page *page, const char *path) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    bool good = file && put_page(file, page);
    if (file && (ferror(file) | (fclose(file) != 0)))
        good = false;
    int error = good ? replace_file(path, text) : ENOMEM;
    free(text);
    return error;
}
