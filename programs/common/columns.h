/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in aligned columns. */
#ifndef SPRY_COMMON_COLUMNS_H
#define SPRY_COMMON_COLUMNS_H

#include <stdbool.h>

#define COLUMNS_MAX 17
#define COLUMNS_CELL 128

/* One line: its cells from the left, or after the last of them a note that takes the rest of the page. */
struct line {
    char cell[COLUMNS_MAX][COLUMNS_CELL];
    const char *note; /* null: none. Not owned. */
};

struct columns {
    int count;
    unsigned left; /* bit c set: column c is aligned to the left */
    int gap;       /* spaces between columns */
    struct line *line;
    int line_count;
    char gone[COLUMNS_CELL]; /* headings of those that columns_fit has left out, as "fill, error" */
};

/* Add `count` lines with empty cells; false when memory ran out. Pointers to earlier lines become invalid. */
bool columns_add(struct columns *columns, int count);

/* Put text into a cell, cut to what that holds. */
void columns_set(struct line *line, int column, const char *text);

/* Fill the first line: one heading for each column. */
void columns_head(struct columns *columns, const char *const headings[]);

/* Empty a column, so that it takes no room. */
void columns_leave_out(struct columns *columns, int column);

/* As long as they are wider than the page (terminal_page), leave out one of the `count` columns in `spare` more, in that
   order. */
void columns_fit(struct columns *columns, const int spare[], int count);

/* Print to standard output, each column as wide as its longest cell; one without any takes no room. */
void columns_print(const struct columns *columns);

/* Columns of the page that they take, notes aside. */
int columns_width(const struct columns *columns);

void columns_free(struct columns *columns);

/* Print a line of text with a label before it, as "matrix      gen:poisson2d:9": the text begins in column COLUMNS_INDENT,
   and goes on there where it is broken, as columns_wrap breaks it. Of control characters (printable.h) it has none. */
#define COLUMNS_INDENT 12
void columns_labelled(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a path, which is not broken, whatever the page's width. */
void columns_whole(const char *label, const char *path);

/* Print text from column `indent` on, where the cursor is, broken between words at the page's width (terminal_page),
   but not between a number and its label or unit. A word longer than a line, such as a path, stays whole. */
void columns_wrap(const char *text, int indent);

#endif
