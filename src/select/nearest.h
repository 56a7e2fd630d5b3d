/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_NEAREST_H
#define SPRY_NEAREST_H

/*
 * How unlike two machines are, by their names. 0: they are the same. Processors called "MAKER family F model M", as
 * spry_cpu_name has them, are the less alike the further their models are apart, and less yet when their families differ;
 * INT_MAX: nothing is known that they have in common.
 */
int spry_unlikeness(const char *one, const char *other);

#endif
