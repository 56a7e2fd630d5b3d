/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/record_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"

struct reader {
    struct record_file *file;
    FILE *stream;
    char *line;
    size_t used, room;
    int number;
    char *message;
    size_t size;
};

static bool fail(struct reader *reader, const char *why) {
    snprintf(reader->message, reader->size, "%s:%d: %s", reader->file->path, reader->number, why);
    return false;
}

static bool make_room(struct reader *reader) {
    if (reader->used < reader->room)
        return true;
    if (reader->room >= RECORD_LINE)
        return fail(reader, "the line is longer than any of spbench --json");
    size_t room = reader->room > 0 ? 2 * reader->room : 1 << 16;
    char *line = realloc(reader->line, room);
    if (!line)
        return fail(reader, "no memory for the line");
    reader->line = line;
    reader->room = room;
    return true;
}

/* The next line, without its end. False when it is too long; at the end of the file it is empty, and there is no more. */
static bool next_line(struct reader *reader, bool *more) {
    int byte;
    reader->used = 0;
    reader->number++;
    while ((byte = getc(reader->stream)) != EOF && byte != '\n') {
        if (!make_room(reader))
            return false;
        reader->line[reader->used++] = (char)byte;
    }
    *more = byte != EOF || reader->used > 0;
    return true;
}

static bool is_blank(const struct reader *reader) {
    for (size_t i = 0; i < reader->used; i++)
        if (!isspace((unsigned char)reader->line[i]))
            return false;
    return true;
}

static bool tame_text(json_t *json) {
    char *copy = strdup(json_string_value(json));
    if (!copy)
        return false;
    make_printable(copy);
    bool good = json_string_set(json, copy) == 0;
    free(copy);
    return good;
}

/* Every text in it. The parser bounds how deep it goes. */
static bool tame(json_t *json) {
    bool good = true;
    size_t index;
    const char *key;
    json_t *value;
    if (json_is_string(json))
        return tame_text(json);
    if (json_is_array(json)) {
        json_array_foreach(json, index, value) good &= tame(value);
    } else {
        json_object_foreach(json, key, value) good &= tame(value);
    }
    return good;
}

static bool keep(struct reader *reader, json_t *json) {
    struct record_file *file = reader->file;
    struct record *more = realloc(file->record, ((size_t)file->count + 1) * sizeof *more);
    if (more)
        file->record = more;
    if (!more || !tame(json)) {
        json_decref(json);
        return fail(reader, "no memory for what is on it");
    }
    if (!record_take(&more[file->count], json))
        return fail(reader, "no memory for what is on it");
    file->count++;
    return true;
}

static bool read_record(struct reader *reader) {
    json_error_t error;
    json_t *json = json_loadb(reader->line, reader->used, 0, &error);
    if (!json && json_error_code(&error) == json_error_out_of_memory)
        return fail(reader, "no memory for what is on it");
    const char *fault = record_fault(json);
    if (!fault && reader->file->count == RECORDS_MOST)
        fault = "the file has more matrices than can be compared";
    if (fault) {
        json_decref(json);
        return fail(reader, fault);
    }
    return keep(reader, json);
}

static bool read_lines(struct reader *reader) {
    bool more = true;
    while (more) {
        if (!next_line(reader, &more) || (!is_blank(reader) && !read_record(reader)))
            return false;
    }
    return true;
}

bool record_file_read(struct record_file *file, const char *path, char *message, size_t size) {
    *file = (struct record_file){.path = path};
    struct reader reader = {.file = file, .stream = fopen(path, "re"), .message = message, .size = size};
    if (!reader.stream) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
        return false;
    }
    errno = 0;
    bool good = read_lines(&reader);
    if (ferror(reader.stream)) {
        snprintf(message, size, "%s: %s", path, strerror(errno ? errno : EIO));
        good = false;
    } else if (good && file->count == 0) {
        snprintf(message, size, "%s: there is nothing in it that spbench --json printed", path);
        good = false;
    }
    free(reader.line);
    (void)fclose(reader.stream);
    return good;
}

void record_file_free(struct record_file *file) {
    for (int i = 0; i < file->count; i++)
        record_free(&file->record[i]);
    free(file->record);
    *file = (struct record_file){.path = NULL};
}
