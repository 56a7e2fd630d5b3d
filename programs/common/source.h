/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix from a file or a generator. */
#ifndef SPRY_COMMON_SOURCE_H
#define SPRY_COMMON_SOURCE_H

#include <stdbool.h>

#include <spry/spry.h>

/* How matrices are to be read and generated. */
struct source_options {
    spry_value_type type;
    bool type_set;  /* on the command line */
    bool index_set; /* false: the smallest index type that fits */
    spry_index_type index;
    uint64_t unpack_limit; /* most bytes that what is no plain file may come to; 0: the library's */
    bool real_part;        /* of complex matrices; false: they are refused */
    bool has_options; /* --real-part and --unpack-limit are options of this program: messages name them */
};

struct source {
    const char *file;    /* as given; "-" is standard input */
    char name[128];      /* the file's name without folders and endings; the generator's description */
    bool generated;      /* then there was no reading, and `info` says "real general" */
    spry_file_info info; /* of a file */
    double seconds;      /* that reading took */
    spry_matrix *matrix; /* COO */
    int64_t nan_count, infinite_count; /* of its values */
};

/* What a person knows an input by: "standard input", or as it was given. */
const char *source_title(const char *input);
const char *source_shown(const struct source *source);

/* Whether the input is to be a file, and there is none of that name. */
bool source_is_missing(const char *input);

/* Whether the input is read from the file that a path leads to, which then is no device and no pipe. */
bool source_is_of(const char *input, const char *path);

/* "3 values are NaN, 1 value is infinite"; "" where all are finite. */
void source_describe_values(const struct source *source, char *text, size_t size);

/*
 * Read or generate what `input` names, with the types that the options ask for. On failure `message`, of
 * `size` bytes, says why, with the input's name; there is nothing to release then.
 */
spry_status source_open(spry_context *context, const char *input, const struct source_options *options,
                        struct source *source, char *message, size_t size);

#endif
