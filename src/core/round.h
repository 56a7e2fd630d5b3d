/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of a product in f32, which callers give as doubles. */
#ifndef SPRY_ROUND_H
#define SPRY_ROUND_H

/* The nearest f32, as a double again. Of (double)(float) of two neighbours in memory GCC 12 makes nothing at -O2: its
   vectoriser of straight code takes narrowing both and widening them again for a copy. So the f32 is a volatile object, which
   every compiler has to write and to read, at a cost that is nothing for a call. */
static inline double spry_rounded_to_f32(double value) {
    const volatile float rounded = (float)value;
    return rounded;
}

#endif
