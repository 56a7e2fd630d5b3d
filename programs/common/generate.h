/* SPDX-License-Identifier: BSD-3-Clause */
/* Test matrices made from a short description, the same on every machine. */
#ifndef SPRY_COMMON_GENERATE_H
#define SPRY_COMMON_GENERATE_H

#include <stdio.h>

#include <spry/spry.h>

/*
 * Make the matrix that `spec` describes, in CSR with 32-bit indices, rows sorted, no duplicates:
 *
 *   poisson2d:N[:M=N]             5-point Laplacian of an N × M grid: 4 and -1
 *   poisson3d:N                   7-point Laplacian of an N³ grid: 6 and -1
 *   27pt:N                        27-point stencil of an N³ grid: 26 and -1
 *   mesh:N[:UNKNOWNS=3]           N³ nodes with so many unknowns, all coupled with those of the 26 around: values
 *                                 in (-1, 0), another for each pair; symmetric, and positive definite
 *   convection2d:N[:PECLET=20]    convection and diffusion on an N × N grid, 5 points, upwind: not symmetric
 *   rmat:SCALE[:EDGEFACTOR=16]    graph of 2^SCALE vertices, EDGEFACTOR × as many edges, power law;
 *                                 repeated edges are summed, self-loops kept, vertices not shuffled
 *   random:ROWS:COLS:NNZ_PER_ROW  columns drawn evenly; repeated ones are summed, so that a row may
 *                                 have a few entries fewer
 *   banded:N:HALFWIDTH            every entry with |row - column| <= HALFWIDTH
 *
 *   uneven:N:LEAST:MOST           rows of LEAST to MOST entries, lengths even in the logarithm, one in every 4 columns
 *                                 around the diagonal; 4 × MOST <= N
 *   spiked:N:WIDTH:SPIKES         rows of WIDTH entries around the diagonal, but SPIKES full ones, evenly spaced
 *   hollow:N:EVERY:WIDTH          WIDTH entries around the diagonal in every EVERY-th row from the first, none in others
 *
 * Or, with SPEC another such description, which may be of these as well, what comes of that matrix A:
 *
 *   shuffled:SPEC                 its rows in any order, and the columns of a square one in the same
 *   saddle:SPEC                   (I Aᵀ; A 0), as of saddle point problems
 *   normal:SPEC                   A Aᵀ, as of normal equations
 *
 * Values of rmat are even in (0, 1), before summing, those of the later ones in (-1, 1), from a fixed seed.
 *
 * The caller destroys *matrix. SPRY_ERROR_ARGUMENT when `spec` is no good: generate_explain says why.
 * SPRY_ERROR_OVERFLOW when what comes of a matrix has more rows or entries than 32-bit indices count.
 * Other failures are the library's, with its message in the context, or SPRY_ERROR_MEMORY.
 */
spry_status generate_matrix(spry_context *context, const char *spec, spry_value_type type,
                            spry_matrix **matrix);

/* Write "what: why" to `message`, cut to `size` bytes, of a matrix whose description is good and which was not made. */
void generate_explain_failure(const spry_context *context, spry_status status, const char *what,
                              char *message, size_t size);

/* Write what is wrong with `spec` to `message`, cut to `size` bytes; an empty string when nothing is. */
void generate_explain(const char *spec, char *message, size_t size);

/* Print the generators, a line each: `prefix`, "poisson2d:N[:M=N]" and what it makes. */
void generate_list(FILE *stream, const char *prefix);

#endif
