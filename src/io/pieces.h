/* SPDX-License-Identifier: BSD-3-Clause */
/* The text behind the header, in pieces that threads take in turn. */
#ifndef SPRY_IO_PIECES_H
#define SPRY_IO_PIECES_H

#include "io/header.h"

/* A run of whole lines, and what was found in it. */
struct piece {
    const char *begin, *end;
    int64_t first, count; /* its entries; those past the declared number are not counted in */
    int64_t mirrored, to; /* entries off the diagonal, and where their mirror images go */
    struct fault fault;
};

struct pieces {
    struct piece *piece;
    size_t count, capacity;
    int threads;
};

/* What parsing a piece needs to know: the file, and where its entries go. */
struct body {
    const struct header *header;
    const char *end; /* of the text */
    spry_matrix *matrix;
};

/* Cut a text at line ends into pieces of nearly the same size. The array is the caller's to release. */
spry_status spry_pieces_cut(spry_context *context, const char *begin, const char *end, struct pieces *pieces);
/* Count the entries of each piece. Returns how many are to be parsed; too few or too many are a fault. */
int64_t spry_pieces_count(const struct body *body, struct pieces *pieces, struct fault *fault);
/* Parse each piece, up to the first fault in the order of the text. */
void spry_pieces_parse(const struct body *body, struct pieces *pieces, struct fault *fault);
/* Append the mirror image of every entry off the diagonal to the `stored` ones, and set the matrix's nnz. */
void spry_pieces_mirror(const struct body *body, struct pieces *pieces, int64_t stored);

/* What these do with one piece. */

/* Number of lines from `begin` up to `end` that are neither blank nor comments. begin[-1] is readable. */
int64_t spry_count_entries(const char *begin, const char *end);
void spry_parse_coordinates(const struct body *body, struct piece *piece);
void spry_parse_array(const struct body *body, struct piece *piece);
void spry_mirror(const struct body *body, const struct piece *piece);

#endif
