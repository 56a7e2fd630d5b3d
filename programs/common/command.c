/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    return *text && text[strspn(text, plain)] == '\0';
}

static void put_quoted(FILE *stream, const char *text) {
    putc('\'', stream);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, stream);
    putc('\'', stream);
}

static void put_word(FILE *stream, const char *text) {
    if (is_plain(text))
        fputs(text, stream);
    else
        put_quoted(stream, text);
}

static void put_variable(FILE *stream, const char *name) {
    const char *value = getenv(name);
    if (!value)
        return;
    fprintf(stream, "%s=", name);
    put_word(stream, value);
    putc(' ', stream);
}

char *command_text(int argc, char **argv) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    put_variable(stream, "OMP_NUM_THREADS");
    put_variable(stream, "SPRY_CUSPARSE");
    put_variable(stream, "SPRY_DISABLE");
    for (int i = 0; i < argc; i++) {
        if (i > 0)
            putc(' ', stream);
        put_word(stream, argv[i]);
    }
    if (ferror(stream) | (fclose(stream) != 0)) {
        free(text);
        text = NULL;
    }
    return text;
}
