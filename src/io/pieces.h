/* SPDX-License-Identifier: BSD-3-Clause */
/* The text behind the header, in pieces that threads take in turn. */
#ifndef SPRY_IO_PIECES_H
#define SPRY_IO_PIECES_H

#include "io/header.h"

/* A run of whole lines, and what was found in it. */
struct piece {
    size_t begin, end;    /* in the whole text */
    int error;            /* of reading it */
    int64_t first, count; /* its entries; those past the declared number are not counted in */
    int64_t mirrored, to; /* entries off the diagonal, and where their mirror images go */
    struct fault fault;
};

struct pieces {
    struct piece *piece;
    size_t count, capacity;
    int threads;
    char *room; /* of a file: where each thread reads a piece */
    size_t room_bytes;
};

/* What parsing a piece needs to know: the file, and where its entries go. */
struct body {
    const struct input *input;
    const struct header *header;
    spry_matrix *matrix;
};

/* Cut a text at line ends into pieces of nearly the same size, from `begin` on. A zero byte that is met in looking for a
   line end is the last one of the last piece: no line with a zero byte is sound, so that the fault is found in it, and what
   follows, perhaps a large hole in a file, is not looked at. */
spry_status spry_pieces_cut(spry_context *context, const struct input *input, size_t begin,
                            struct pieces *pieces);
/* Also after a failure. */
void spry_pieces_release(spry_context *context, struct pieces *pieces);
/* What went wrong with reading a piece: SPRY_OK where nothing did. */
spry_status spry_pieces_check(spry_context *context, const struct input *input, const struct pieces *pieces);
/* Count the entries of each piece. Returns how many are to be parsed; too few or too many are a fault. */
int64_t spry_pieces_count(const struct body *body, struct pieces *pieces, struct fault *fault);
/* Parse each piece, up to the first fault in the order of the text. */
void spry_pieces_parse(const struct body *body, struct pieces *pieces, struct fault *fault);
/* Append the mirror image of every entry off the diagonal to the `stored` ones, and set the matrix's nnz. */
void spry_pieces_mirror(const struct body *body, struct pieces *pieces, int64_t stored);

/* What these do with one piece. */

/* Number of lines from `begin` up to `end` that are neither blank nor comments, counting in comments with a zero byte:
   next_entry stops at it. begin[-1] is readable. */
int64_t spry_count_entries(const char *begin, const char *end);
/* Parse the piece's entries, which should stand from `text` up to `end`: a file may have been changed since they were
   counted. */
void spry_parse_coordinates(const struct body *body, const char *text, const char *end, struct piece *piece);
void spry_parse_array(const struct body *body, const char *text, const char *end, struct piece *piece);
void spry_mirror(const struct body *body, const struct piece *piece);

#endif
