/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the library's own profiles a machine goes by. */
#ifndef SPRY_NEAREST_H
#define SPRY_NEAREST_H

#include "select/profile.h"

/*
 * How unlike two machines are, by their names. 0: they are the same. Processors called "MAKER family F model M", as
 * spry_cpu_name has them, are the less alike the further their models are apart, and less yet when their families differ;
 * INT_MAX: nothing is known that they have in common.
 */
int spry_unlikeness(const char *one, const char *other);

/*
 * That of the library's own profiles which was measured on a machine; else that of one with the same instruction sets, an or
 * of spry_cpu_feature, of the same maker if there is one, and of these the least unlike. Of several of one machine it is that
 * with the nearest number of processors, and of those that have nothing in common with the machine the first. Null: there is
 * none for the backend.
 */
const struct spry_profile *spry_nearest_profile(spry_backend backend, const char *machine, int processors,
                                                unsigned features);

#endif
