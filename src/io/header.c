/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/header.h"
#include "io/scan.h"

#define BANNER "%%matrixmarket"
#define BANNER_LENGTH (sizeof BANNER - 1)

/* Bytes that are looked at first of a file, nearly always enough, and more than any token of a header has. */
#define FIRST_BYTES ((size_t)1 << 15)
#define LONGEST_TOKEN 4096

/* A piece of a text, or all of it. */
struct text {
    const char *begin, *end;
};

/* How far a header was parsed: what stands before `from` is not needed any more. */
struct progress {
    size_t from;
    bool has_banner; /* the line of the banner stands before it */
    bool in_comment; /* a comment goes on there */
};

/* A word of the banner and what it means. */
struct word {
    const char *text;
    int value;
};

static const char *const field_names[] = {
    [SPRY_REAL] = "real", [SPRY_INTEGER] = "integer", [SPRY_PATTERN] = "pattern", [SPRY_COMPLEX] = "complex"};

static const char *const symmetry_names[] = {[SPRY_GENERAL] = "general",
                                             [SPRY_SYMMETRIC] = "symmetric",
                                             [SPRY_SKEW_SYMMETRIC] = "skew-symmetric",
                                             [SPRY_HERMITIAN] = "hermitian"};

static const struct word objects[] = {{"matrix", 0}, {NULL, 0}};
static const struct word forms[] = {{"coordinate", 0}, {"array", 1}, {NULL, 0}};
/* "double" and "unsigned-integer" are not of the format's description, but some programs write them. */
static const struct word fields[] = {{"real", SPRY_REAL},
                                     {"integer", SPRY_INTEGER},
                                     {"pattern", SPRY_PATTERN},
                                     {"complex", SPRY_COMPLEX},
                                     {"double", SPRY_REAL},
                                     {"unsigned-integer", SPRY_INTEGER},
                                     {NULL, 0}};
static const struct word symmetries[] = {{"general", SPRY_GENERAL},
                                         {"symmetric", SPRY_SYMMETRIC},
                                         {"skew-symmetric", SPRY_SKEW_SYMMETRIC},
                                         {"hermitian", SPRY_HERMITIAN},
                                         {NULL, 0}};

const char *spry_field_name(spry_field field) {
    return (size_t)field < sizeof field_names / sizeof *field_names ? field_names[field] : "?";
}

const char *spry_symmetry_name(spry_symmetry symmetry) {
    return (size_t)symmetry < sizeof symmetry_names / sizeof *symmetry_names ? symmetry_names[symmetry] : "?";
}

static const char *skip_mark_and_blanks(const char *text) {
    return skip_blanks(strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text);
}

static const char *token_end(const char *p) {
    while (!ends_token(*p))
        p++;
    return p;
}

bool spry_starts_with_banner(const char *text) {
    const char *p = skip_mark_and_blanks(text);
    size_t length = 0;
    while (length < BANNER_LENGTH && p[length])
        length++;
    return spry_is_word(p, length, BANNER);
}

/* The word at `p` out of a list; null when it is not there. */
static const struct word *find_word(const char *p, const struct word *words) {
    size_t length = (size_t)(token_end(p) - p);
    while (words->text && !spry_is_word(p, length, words->text))
        words++;
    return words->text ? words : NULL;
}

/* One word of the banner. Returns what stands behind it and its blanks. */
static const char *parse_word(const char *p, const struct word *words, const char *expected, int *value,
                              struct fault *fault) {
    const struct word *word = find_word(p, words);
    if (!word) {
        spry_fault(fault, p, "%s", expected);
        return p;
    }
    *value = word->value;
    return skip_blanks(token_end(p));
}

/* To the start of the next line. */
static const char *end_line(const struct text *text, const char *p, const char *expected,
                            struct fault *fault) {
    if (p == text->end)
        return p;
    bool lone_return = p > text->begin && p[-1] == '\r';
    if (*p != '\n')
        spry_fault(fault, p, "%s", lone_return ? "a line feed behind the carriage return" : expected);
    return p + 1;
}

/* What makes no sense together: the first pair of words that contradict each other. */
static void check_words(const spry_file_info *info, const char *field, const char *symmetry,
                        struct fault *fault) {
    if (info->array && info->field == SPRY_PATTERN)
        spry_fault(fault, field, "values, since an array has no pattern");
    if (info->symmetry == SPRY_HERMITIAN && info->field != SPRY_COMPLEX)
        spry_fault(fault, symmetry, "another symmetry, since \"hermitian\" is for complex values");
    if (info->symmetry == SPRY_SKEW_SYMMETRIC && info->field == SPRY_PATTERN)
        spry_fault(fault, symmetry, "another symmetry, since \"skew-symmetric\" needs values");
}

static const char *parse_banner(const struct text *text, spry_file_info *info, struct fault *fault) {
    int object, form = 0, field = 0, symmetry = 0;
    const char *p = skip_mark_and_blanks(text->begin);
    const char *end = token_end(p);
    if (!spry_is_word(p, (size_t)(end - p), BANNER))
        spry_fault(fault, p, "the banner \"%%%%MatrixMarket matrix …\"");
    p = parse_word(skip_blanks(end), objects, "\"matrix\"", &object, fault);
    p = parse_word(p, forms, "\"coordinate\" or \"array\"", &form, fault);
    const char *field_word = p;
    /* Some files leave the field out, and mean real. */
    if (!find_word(p, symmetries))
        p = parse_word(p, fields, "\"real\", \"integer\", \"pattern\" or \"complex\"", &field, fault);
    const char *symmetry_word = p;
    p = parse_word(p, symmetries, "\"general\", \"symmetric\", \"skew-symmetric\" or \"hermitian\"",
                   &symmetry, fault);
    p = end_line(text, p, "the end of the banner", fault);
    if (fault->found)
        return p;
    info->array = form;
    info->field = (spry_field)field;
    info->symmetry = (spry_symmetry)symmetry;
    check_words(info, field_word, symmetry_word, fault);
    return p;
}

/* Over comments and blank lines, to the first token of another line. *inside: whether p stands in a comment, and whether the text
   ends in one. */
static const char *skip_comments(const struct text *text, const char *p, bool *inside) {
    for (;;) {
        if (!*inside)
            p = skip_blanks(p);
        const bool is_comment = *inside || *p == '%';
        if (is_comment)
            p = skip_comment(p, text->end);
        *inside = is_comment && p == text->end;
        if (*p != '\n')
            return p;
        p++;
    }
}

static const char *parse_count(const char *p, const char *name, int64_t *count, struct fault *fault) {
    uint64_t value;
    const char *end = scan_unsigned(p, &value);
    if (end == p || !ends_token(*end) || value > INT64_MAX) {
        spry_fault(fault, p, "the number of %s, an integer from 0 to 2^63 - 1", name);
        return p;
    }
    *count = (int64_t)value;
    return skip_blanks(end);
}

/* Entries of an array: a whole rectangle, or a triangle with or without its diagonal. What overflows is
   more than any file holds. */
static int64_t array_entries(const spry_file_info *info) {
    int64_t n = info->rows, skew = info->symmetry == SPRY_SKEW_SYMMETRIC, count;
    bool overflow;
    if (info->symmetry == SPRY_GENERAL)
        overflow = __builtin_mul_overflow(n, info->cols, &count);
    else if (n % 2)
        overflow = __builtin_mul_overflow(n, skew ? n / 2 : n / 2 + 1, &count);
    else
        overflow = __builtin_mul_overflow(n / 2, skew ? n - 1 : n + 1, &count);
    return overflow ? INT64_MAX : count;
}

static const char *parse_size(const struct text *text, const char *p, spry_file_info *info,
                              struct fault *fault) {
    const char *rows = p;
    info->rows = info->cols = info->stored = 0;
    p = parse_count(p, "rows", &info->rows, fault);
    if (!fault->found)
        p = parse_count(p, "columns", &info->cols, fault);
    if (!fault->found && !info->array)
        p = parse_count(p, "entries", &info->stored, fault);
    if (fault->found)
        return p;
    p = end_line(text, p, "the end of the size line", fault);
    if (info->symmetry != SPRY_GENERAL && info->rows != info->cols)
        spry_fault(fault, rows, "as many rows as columns in a %s matrix", spry_symmetry_name(info->symmetry));
    if (info->array)
        info->stored = array_entries(info);
    return p;
}

/* Parse a piece that begins where the last one left off; *done becomes how far this one came. */
static void parse(const struct text *text, struct header *header, struct progress *done,
                  struct fault *fault) {
    const size_t from = done->from;
    const char *p = text->begin;
    *fault = (struct fault){.text = text->begin, .start = from};
    if (!done->has_banner) {
        header->info = (spry_file_info){.bytes = header->info.bytes};
        p = parse_banner(text, &header->info, fault);
        done->has_banner = !fault->found && p > text->begin && p[-1] == '\n';
    }
    if (!fault->found) {
        bool inside = done->in_comment;
        p = skip_comments(text, p, &inside);
        if (done->has_banner)
            *done = (struct progress){from + (size_t)(p - text->begin), true, inside};
        p = parse_size(text, p, &header->info, fault);
    }
    header->body = from + (size_t)(p - text->begin);
}

/* Whether more text would make no difference: the line of the fault, or the header, ended before the text did; or a zero byte stands
   there, as in a hole of a file, or it does not even begin like a matrix. */
static bool is_settled(const struct text *text, size_t from, const struct header *header,
                       const struct fault *fault) {
    const size_t size = (size_t)(text->end - text->begin);
    if (!fault->found)
        return header->body - from < size;
    const size_t at = fault->at - from;
    return memchr(text->begin + at, '\n', size - at) || (at < size && text->begin[at] == '\0') ||
           (from == 0 && size - at > LONGEST_TOKEN && !spry_starts_with_banner(text->begin));
}

/* Of a file so many bytes are read, from where it was not parsed yet. */
static spry_status parse_some(spry_context *context, const struct input *input, size_t size,
                              struct header *header, struct progress *done, struct fault *fault,
                              bool *settled) {
    const size_t from = done->from;
    void *room = NULL;
    int error = 0;
    spry_status status = SPRY_OK;
    if (!input->text)
        status = spry_allocate(context, size + TEXT_PADDING, 1, &room);
    if (status)
        return status;
    const char *begin = spry_input_load(input, from, from + size, room, &error);
    struct text text = {begin, begin + size};
    parse(&text, header, done, fault);
    *settled = from + size == input->size || is_settled(&text, from, header, fault);
    spry_release(&context->allocator, room, size + TEXT_PADDING, 1);
    return error ? spry_input_error(context, input, error) : SPRY_OK;
}

/* Comments may have any length, and are not kept; a line that is not all there is read again, with more behind it. */
spry_status spry_parse_header(spry_context *context, const struct input *input, struct header *header,
                              struct fault *fault) {
    spry_status status = SPRY_OK;
    struct progress done = {0};
    bool settled = false;
    header->info = (spry_file_info){.bytes = input->size};
    for (size_t size = input->text ? input->size : FIRST_BYTES; !status && !settled;) {
        const size_t from = done.from, left = input->size - from;
        status = parse_some(context, input, size < left ? size : left, header, &done, fault, &settled);
        if (done.from == from)
            size *= 2;
    }
    return status;
}
