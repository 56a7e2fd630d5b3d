/* SPDX-License-Identifier: BSD-3-Clause */
/* A report for a browser: one file, which loads nothing from elsewhere and runs nothing. */
#ifndef SPRY_SPBENCH_PAGE_H
#define SPRY_SPBENCH_PAGE_H

#include "spbench/comparison.h"
#include "spbench/pattern.h"
#include "spbench/record.h"

struct page_matrix {
    struct record record;
    struct pattern *pattern; /* null: not known */
};

/* Zero-initialise it. */
struct page {
    struct page_matrix *matrix;
    int count;
    char **note; /* on inputs that have no place on it, and on what was interrupted */
    int note_count;
    const char *command;                 /* that the page is made by */
    const struct comparison *comparison; /* null: it has none */
};

/* Put a matrix on the page, which takes its JSON (a record without fault; null, as a constructor that had no memory gives
   it) and its pattern. False when memory ran out. */
bool page_add(struct page *page, json_t *json, struct pattern *pattern);
/* Put a line at its head; where memory runs out it is left out. */
void page_note(struct page *page, const char *text);

/* Write it (replace_file). Returns 0, or an errno value. */
int page_write(const struct page *page, const char *path);
void page_free(struct page *page);

/* ---- its parts ---- */

/* page_style.c */
void page_put_style(FILE *file);
/* page_overview.c: a line for each matrix, and means over them. */
void page_put_overview(FILE *file, const struct page *page);
/* page_matrix.c: all about one. False when memory ran out. */
bool page_put_matrix(FILE *file, const struct page_matrix *matrix, int number);
/* page_table.c: its rows. */
void page_put_table(FILE *file, const struct record *record);
/* page_plots.c: of its rows. */
void page_put_plots(FILE *file, const struct record *record);
/* page_comparison.c */
void page_put_comparison(FILE *file, const struct comparison *comparison);

/* A table that scrolls sideways where the page is too narrow for it, with its caption; page_end_table ends it. */
void page_begin_table(FILE *file, const char *caption);
void page_end_table(FILE *file);
/* Microseconds, in a unit that suits: "12.3 ms". */
struct number page_time(double microseconds);

#endif
