/* SPDX-License-Identifier: BSD-3-Clause */
/* One vector register of values, as the kernels see it. A kernel written with these is compiled once per
   instruction set; the file behind each has the same names, besides those of primitives/vector.h:

   v_load_stored         all lanes, from values as the matrix keeps them; v_load_stored_first(p, n) as v_load_first
   v_load_stored_every(p, step)  p[0], p[step], p[2 step], …, likewise; v_load_stored_two(p, step, two)
                         those and p[1], p[step + 1], p[2 step + 1], …, in two registers
   v_store_first(p, v, n)  writes the first n values only
   v_load_low_first(p, low, n)  the first n <= low values, anything beyond low, where low is a constant power of two from 2 to
                         LANES; no memory beyond low, or beyond 16 bytes, is touched, not even that of a masked load
   v_load_some(p, bits)  the lanes whose bit is set, zero in the others, whose memory is not touched
   v_gather(x, idx)      x[idx[0]], x[idx[1]], …; v_gather_first(x, idx, n) the first n, zero beyond
   v_gather_every(x, idx, step)  x[idx[0]], x[idx[step]], x[idx[2 step]], …; not with AVX-512, where none needs it
   v_follow(idx)         whether idx[lane] is idx[0] + lane in all lanes, so that v_load(x + idx[0]) is v_gather(x, idx)
   v_gather_narrow(x, idx), v_follow_narrow(idx)  the same of columns of 16 bits
   v_gather_longer(x, idx, len, k)  v_gather in the lanes with len[lane] > k, of which there is one; anything in the others
   v_fma_longer(a, b, c, len, k)  v_fma in the lanes with len[lane] > k, c in the others
   v_fma_some(a, b, c, bits)  v_fma in the lanes whose bit is set, c in the others, whatever they have in a and b
   v_spread(x, n, at)    x[at[0]], x[at[1]], … of the first n values, which alone are read; zero where at[lane] is from n up to
                         LANES - 1
   v_sums(rows)          in lane i the sum of the lanes of rows[i]; v_sums_low(rows) that of the first LANES / 2 lanes of
                         rows[i], which v_load_low_first has loaded
   v_prefetch(p)         asks for the cache line at p, which need not be memory of anyone's, into the second-level cache. Kernels ask
                         for each line of what comes from memory, twice as fast on a Zen 5; what is in a cache comes as fast
                         unasked, and to ask for it takes a tenth of the time

   There are two ways of gathering: v_gather loads each value by itself and puts the register together, or, where
   SPRY_SIMD_GATHER is defined, is the gather instruction. Which one is faster depends on the processor and on what it
   was patched against, so kernels are compiled both ways, with the same bits, and chosen by the machine's prices. Only
   along the rows of CSR the order of additions differs: SIMD_GATHERS_FIRST is defined where v_gather_first is as fast as
   v_gather, and entries that are left of a row are then a register of their own. */
#ifndef SPRY_SIMD_H
#define SPRY_SIMD_H

#include "core/cpu.h"
#include "spmv/parts.h"

typedef val_t real;
#define REAL_BITS SPRY_TMPL_TYPE

#include "primitives/vector.h"

/* What the names of kernels and of their lists end in. */
#ifdef SPRY_SIMD_GATHER
#define SIMD_WAY "_gather"
#define SIMD_KERNELS_OF(format, set) spry_kernels_##format##_##set##_gather
#else
#define SIMD_WAY ""
#define SIMD_KERNELS_OF(format, set) spry_kernels_##format##_##set
#endif

#if defined(__ARM_NEON)
#include "spmv/simd_neon.h"
#elif defined(__AVX512F__)
#include "spmv/simd_avx512.h"
#else
#include "spmv/simd_avx2.h"
#endif

#define SIMD_LIST(format) CODED(SIMD_KERNELS(format))

/* How far ahead of the entry in work the arrays of a matrix are asked for, in entries. Rows are short and their
   lengths vary, so the hardware's own prefetch loses track. They are asked into the second-level cache: in the first, so
   many entries take the room of x, which costs up to a sixth of the time where the matrix comes from a cache, and gains
   nothing where it comes from memory. Not a power of two, which would put both into the same sets. */
#define SPRY_AHEAD 1760

/* Code that is there twice, as a branch in its loops would take half of what it gains: for a matrix that comes from memory, which is
   asked for ahead, and for one that does not; way(…, far), with `far` a constant. */
#define SIMD_FAR(far, way, ...) ((far) ? way(__VA_ARGS__, true) : way(__VA_ARGS__, false))

/* Bytes of a cache line, where each is to be asked for once. */
#define SPRY_LINE 64

/* v_prefetch of each line from p on of so many bytes. */
INLINE void v_prefetch_lines(const void *p, int64_t bytes) {
    for (int64_t b = 0; b < bytes; b += SPRY_LINE)
        v_prefetch((const char *)p + b);
}

#endif
