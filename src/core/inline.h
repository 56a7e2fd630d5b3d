/* SPDX-License-Identifier: BSD-3-Clause */
/* For what is told constants by whatever it ends up in: loops over them unroll, and arrays of so many become registers. Where a comment
   calls an argument a constant, all callers give one. */
#ifndef SPRY_INLINE_H
#define SPRY_INLINE_H

#define INLINE static inline __attribute__((always_inline))

#endif
