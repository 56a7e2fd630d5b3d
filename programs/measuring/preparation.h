/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of what is made once: a matrix in another format, another library's product. */
#ifndef SPRY_MEASURING_PREPARATION_H
#define SPRY_MEASURING_PREPARATION_H

#include "measuring/timing.h"

/* Make something, several times while that is short, and let go of all but the last: the median of the times, those in
   which a processor was taken away left out if there are others. On failure, or when interrupted, `unmake` is still
   due. */
spry_status preparation_measure(timed_call *make, void (*unmake)(void *user), void *user, double *seconds);

/* The same of a conversion, and of all else that is done once for products of this kind. *to is null where it failed. */
spry_status preparation_convert(spry_context *context, const spry_matrix *from, const spry_storage *storage,
                                spry_op op, spry_matrix **to, double *seconds);

#endif
