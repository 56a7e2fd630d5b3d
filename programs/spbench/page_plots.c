/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/page.h"

#include <math.h>
#include <stdlib.h>

#include "spbench/html.h"
#include "spbench/plot.h"

static void begin_figure(FILE *file, const char *heading) {
    fprintf(file, "<figure><h3>%s</h3>\n", heading);
}

static void end_figure(FILE *file, const char *caption) {
    fprintf(file, "<figcaption>%s</figcaption></figure>\n", caption);
}

static void put_rest(char *text, size_t size, int count) {
    text[0] = '\0';
    if (count > STRIPS_MOST)
        snprintf(text, size, " %d slower ones are in the table alone.", count - STRIPS_MOST);
}

/* ---- times ---- */

static struct strip time_of(const struct record_row *row) {
    struct strip strip = {
        .label = row->label,
        .middle = row->median,
        .low = row->min,
        .high = row->max,
        .q1 = row->q1,
        .q3 = row->q3,
        .expected = record_number(row->json, "predicted_us"),
        .first = row->fastest,
    };
    bool expected = isfinite(strip.expected);
    snprintf(strip.title, sizeof strip.title, "%s: %s, from %s to %s%s%s", row->label,
             page_time(row->median).text, page_time(row->min).text, page_time(row->max).text,
             expected ? ", predicted " : "", expected ? page_time(strip.expected).text : "");
    return strip;
}

static void put_times(FILE *file, const struct record *record) {
    struct strip strips[STRIPS_MOST];
    char description[256], caption[512], rest[64];
    int count = record->ok_count < STRIPS_MOST ? record->ok_count : STRIPS_MOST;
    for (int i = 0; i < count; i++)
        strips[i] = time_of(&record->rows[i]);
    put_rest(rest, sizeof rest, record->ok_count);
    snprintf(description, sizeof description,
             "From %s for %s to %s for %s, on a logarithmic scale; the table has all.",
             page_time(strips[0].middle).text, strips[0].label, page_time(strips[count - 1].middle).text,
             strips[count - 1].label);
    snprintf(
        caption, sizeof caption,
        "Median (the fastest a diamond), quartiles (box), least to most (line), and what was predicted (open "
        "diamond). Further left is faster; the scale is logarithmic.%s",
        rest);
    begin_figure(file, "Time of a product");
    plot_strips(file, strips, record->ok_count, "\u00b5s a product", "Time of a product in each storage",
                description);
    end_figure(file, caption);
}

/* ---- roofline ---- */

static struct roofline_point point_of(const struct record_row *row) {
    double rate = record_number(row->json, "gflops"), gbs = record_number(row->json, "gbs");
    struct roofline_point point = {
        .label = row->label,
        .intensity = rate / gbs,
        .rate = rate,
        .roof = record_number(row->json, "roof_gbs") * rate / gbs,
        .first = row->fastest,
        .picked = row->picked,
    };
    snprintf(point.title, sizeof point.title, "%s: %s GFLOP/s at %s operations a byte, %s %% of its roof",
             row->label, number_short(rate).text, number_short(point.intensity).text,
             number_short(100.0 * record_number(row->json, "roofline")).text);
    return point;
}

/* The rate of the CPU's memory or, where that is not measured, of the GPU's. */
static double memory_of(const struct record *record, const char **whose) {
    const json_t *machine = json_object_get(record->json, "machine");
    double cpu = record_number(machine, "read_gbs");
    *whose = record->several ? "the CPU's memory" : "memory";
    return isfinite(cpu) ? cpu : record_number(json_object_get(machine, "gpu"), "copy_gbs");
}

static void put_roofline(FILE *file, const struct record *record) {
    struct roofline_point *points = calloc((size_t)record->ok_count, sizeof *points);
    const char *whose;
    double memory = memory_of(record, &whose);
    double most = 0.0;
    char description[192], caption[512], roof[96] = "";
    for (int i = 0; points && i < record->ok_count; i++) {
        points[i] = point_of(&record->rows[i]);
        most = fmax(most, points[i].rate);
    }
    if (most > 0.0) {
        snprintf(description, sizeof description,
                 "The highest has %s GFLOP/s; the table has the rate and the roof of each.",
                 number_short(most).text);
        if (isfinite(memory))
            snprintf(roof, sizeof roof, "The slanted line is %s at %s GB/s. ", whose,
                     number_short(memory).text);
        snprintf(caption, sizeof caption,
                 "%sThe bar above a point is its own roof: what as many bytes allow, from the caches too. A "
                 "diamond is the "
                 "fastest, a ring the selector's pick. Both scales are logarithmic.",
                 roof);
        begin_figure(file, "Roofline");
        plot_roofline(file, points, record->ok_count, memory,
                      "Operations a byte and operations a second of each storage", description);
        end_figure(file, caption);
    }
    free(points);
}

/* ---- conversion ---- */

static int compare_strips(const void *left, const void *right) {
    const struct strip *a = left, *b = right;
    return (a->middle > b->middle) - (a->middle < b->middle);
}

static int find_paying(const struct record *record, struct strip *strips) {
    int count = 0;
    for (int i = 0; i < record->ok_count; i++) {
        const struct record_row *row = &record->rows[i];
        double after = record_number(row->json, "pays_back_after");
        if (!(after >= 1.0) || !isfinite(after))
            continue;
        struct strip *strip = &strips[count++];
        *strip = (struct strip){row->label, after, NAN, NAN, NAN, NAN, NAN, row->fastest, ""};
        snprintf(strip->title, sizeof strip->title, "%s: converting takes %s and pays back after %s products",
                 row->label, page_time(record_number(row->json, "convert_us")).text, html_whole(after).text);
    }
    qsort(strips, (size_t)count, sizeof *strips, compare_strips);
    return count;
}

static void put_conversion(FILE *file, const struct record *record) {
    struct strip *strips = calloc((size_t)record->ok_count, sizeof *strips);
    int count = strips ? find_paying(record, strips) : 0;
    char description[192], rest[64];
    if (count > 0) {
        put_rest(rest, sizeof rest, count);
        snprintf(description, sizeof description, "First %s, after %s products.", strips[0].label,
                 html_whole(strips[0].middle).text);
        begin_figure(file, "When converting pays back");
        plot_strips(file, strips, count, "products",
                    "Products after which a conversion from CSR has paid back", description);
        fputs("<figcaption>Conversion and products together then take less time than CSR's products alone. "
              "What is not here "
              "never does.",
              file);
        fputs(rest, file);
        fputs("</figcaption></figure>\n", file);
    }
    free(strips);
}

void page_put_plots(FILE *file, const struct record *record) {
    if (record->ok_count == 0)
        return;
    put_times(file, record);
    put_roofline(file, record);
    put_conversion(file, record);
}
