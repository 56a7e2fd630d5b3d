/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/columns.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/glyphs.h"
#include "common/printable.h"
#include "common/terminal.h"

bool columns_add(struct columns *columns, int count) {
    struct line *grown = realloc(columns->line, (size_t)(columns->line_count + count) * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + columns->line_count, 0, (size_t)count * sizeof *grown);
    columns->line = grown;
    columns->line_count += count;
    return true;
}

void columns_set(struct line *line, int column, const char *text) {
    snprintf(line->cell[column], sizeof line->cell[column], "%s", text);
}

void columns_head(struct columns *columns, const char *const headings[]) {
    for (int i = 0; i < columns->count; i++)
        columns_set(&columns->line[0], i, headings[i]);
}

void columns_leave_out(struct columns *columns, int column) {
    for (int i = 0; i < columns->line_count; i++)
        columns_set(&columns->line[i], column, "");
}

void columns_fit(struct columns *columns, const int spare[], int count) {
    size_t used = strlen(columns->gone);
    for (int i = 0; i < count && columns_width(columns) > terminal_page(); i++) {
        const char *heading = columns->line[0].cell[spare[i]];
        if (*heading)
            used += (size_t)snprintf(columns->gone + used, sizeof columns->gone - used, "%s%s",
                                     used > 0 ? ", " : "", heading);
        columns_leave_out(columns, spare[i]);
    }
}

void columns_free(struct columns *columns) {
    free(columns->line);
    columns->line = NULL;
    columns->line_count = 0;
}

static bool begins_number(const char *word) {
    return isdigit((unsigned char)word[word[0] == '-']);
}

/* Whether no line ends between a word and the next one: a number stays with its label and its unit, an option with its
   value, unless a mark divides them. */
static bool are_tied(const char *word, size_t bytes, const char *next) {
    if (bytes == 0 || strchr(",;:.)", word[bytes - 1]) || *next == '(')
        return false;
    return begins_number(word) || begins_number(next) || strncmp(word, "--", 2) == 0;
}

/* Bytes of the first word and of those that are tied to it, as far as there is room for them in a line. */
static int unbroken(const char *text, int room) {
    size_t begin = 0, end = strcspn(text, " ");
    while (text[end] && are_tied(text + begin, end - begin, text + end + 1)) {
        size_t next = end + 1 + strcspn(text + end + 1, " ");
        if (glyphs_width_of(text, (int)next) > room)
            break;
        begin = end + 1;
        end = next;
    }
    return (int)end;
}

void columns_wrap(const char *text, int indent) {
    int column = indent, page = terminal_page();
    while (*text) {
        int bytes = unbroken(text, page - indent), width = glyphs_width_of(text, bytes);
        if (column > indent && column + 1 + width > page) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        printf("%s%.*s", column > indent ? " " : "", bytes, text);
        column += (column > indent) + width;
        text += bytes + (text[bytes] == ' ');
    }
    putchar('\n');
}

void columns_labelled(const char *label, const char *format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_printable(text);
    printf("%-*s", COLUMNS_INDENT, label);
    columns_wrap(text, COLUMNS_INDENT);
}

void columns_whole(const char *label, const char *path) {
    char text[8192]; /* more than the longest path has */
    snprintf(text, sizeof text, "%s", path);
    make_printable(text);
    printf("%-*s%s\n", COLUMNS_INDENT, label, text);
}

static int column_width(const struct columns *columns, int column) {
    int widest = 0;
    for (int i = 0; i < columns->line_count; i++) {
        int width = glyphs_width(columns->line[i].cell[column]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

int columns_width(const struct columns *columns) {
    int total = 0;
    for (int column = 0; column < columns->count; column++) {
        int width = column_width(columns, column);
        if (width > 0)
            total += (total > 0 ? columns->gap : 0) + width;
    }
    return total;
}

/* Print one line; returns after the last filled cell, so that no line ends in spaces. */
static void print_line(const struct columns *columns, const struct line *line, const int *width) {
    int at = 0, padding = 0, last = columns->count - 1;
    while (last > 0 && line->cell[last][0] == '\0')
        last--;
    for (int column = 0; column <= last; column++) {
        const char *cell = line->cell[column];
        if (width[column] == 0)
            continue;
        int blank = width[column] - glyphs_width(cell);
        bool left = columns->left & (1u << column);
        printf("%*s%s", padding + (left ? 0 : blank), "", cell);
        at += padding + width[column];
        padding = columns->gap;
        if (left && column < last)
            printf("%*s", blank, "");
    }
    if (!line->note) {
        putchar('\n');
        return;
    }
    bool left = columns->left & (1u << last);
    printf("%*s", columns->gap + (left ? width[last] - glyphs_width(line->cell[last]) : 0), "");
    columns_wrap(line->note, at + columns->gap);
}

void columns_print(const struct columns *columns) {
    int width[COLUMNS_MAX];
    for (int column = 0; column < columns->count; column++)
        width[column] = column_width(columns, column);
    for (int i = 0; i < columns->line_count; i++)
        print_line(columns, &columns->line[i], width);
}
