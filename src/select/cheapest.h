/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the kernels of a format: see docs/selector.md. */
#ifndef SPRY_CHEAPEST_H
#define SPRY_CHEAPEST_H

#include "core/internal.h"

struct spry_candidate;
struct spry_profile;

/*
 * The kernels for y = A x that a choice may fall on in a context, for all matrices with the types of one: those of a format
 * are kernel[begin[format]] to kernel[begin[format + 1] - 1], in the order of the table. To walk all of the table for each
 * storage that is compared takes longer than the rest of a selection.
 */
struct spry_rivals {
    int begin[SPRY_FORMAT_COUNT + 1];
    const spry_kernel *kernel[];
};
spry_status spry_rivals_new(spry_context *context, const spry_matrix *like, struct spry_rivals **rivals);
void spry_rivals_release(spry_context *context, struct spry_rivals *rivals);

/*
 * The one of them that would be chosen for y = A x if A were made as a candidate says, whose sizes are estimated: what
 * spry_choose_cheapest_made would take by this profile, or the last of the table where kernels are not compared, as without
 * entries. Null: there is none. Not for the CSR matrix itself, which is there.
 */
const spry_kernel *spry_expected_kernel(const struct spry_candidate *candidate,
                                        const struct spry_rivals *rivals, const struct spry_profile *profile);

/*
 * Find what a matrix is like whose entries lie row by row, or column by column, and keep it with the matrix: nothing where
 * spry_choose_cheapest does not look at it.
 */
spry_status spry_keep_features(spry_context *context, spry_matrix *matrix);

/*
 * Let a matrix whose entries lie row by row, or column by column, be multiplied along them by the kernel that should take
 * the least time by the context's profile. Of kernels that should take as long, the last of the table is taken. Where no
 * more than one has prices, or there is no profile, nothing is looked at; the kernel that the matrix has stays where none
 * has prices. What the matrix was found to be like stays with it.
 */
spry_status spry_choose_cheapest(spry_context *context, spry_matrix *matrix);

/* The same for y = A x with a matrix in any other layout that was just made from `csr` with these options. */
spry_status spry_choose_cheapest_made(spry_context *context, const spry_matrix *csr,
                                      const spry_convert_options *options, spry_matrix *matrix);

#endif
