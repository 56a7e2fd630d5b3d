/* SPDX-License-Identifier: BSD-3-Clause */
/* One row: its entries, what they are multiplied by, and their sum, by a thread or by a block. */
#ifndef SPRY_STENCIL_ROW_CUH
#define SPRY_STENCIL_ROW_CUH

#include "primitives/reduce.cuh"
#include "spmv/stencil.cuh"

/* Entries that are asked for before the first is used: of one row, and of one that a block shares. */
#define SPRY_STENCIL_ALONE 8
#define SPRY_STENCIL_LONG 4

/* ---- what entries are multiplied by ---- */

/* x from some place on and, where it is `scaled`, the diagonal from there on. */
template <bool scaled>
struct input {
    const val_t *x, *right;

    __device__ inline input at(int64_t place) const {
        return {x + place, scaled ? right + place : nullptr};
    }
};

/* What is asked for of it. */
template <bool scaled>
struct factor {
    val_t x, right;

    __device__ inline operator val_t() const {
        return scaled ? times(right, x) : x;
    }
};

template <bool scaled>
static __device__ inline factor<scaled> ask(const input<scaled> &place) {
    if constexpr (scaled)
        return {__ldg(place.x), __ldg(place.right)};
    else
        return {__ldg(place.x), 0};
}

/* ---- entries ---- */

/* An address that the compiler takes as it is. It would put it together again from its parts at each use, in several steps, where
   one is enough to go on from it. */
template <class T>
static __device__ inline const T *kept(const T *pointer) {
    asm("" : "+l"(pointer));
    return pointer;
}

template <bool scaled>
static __device__ inline input<scaled> kept(const input<scaled> &place) {
    return {kept(place.x), scaled ? kept(place.right) : nullptr};
}

struct entries {
    const idx_t *offset;
    const val_t *val;
    int64_t count;
};

static __device__ inline entries entries_of(const stencils &a, uint32_t number) {
    const ptr_t begin = __ldg(a.ptr + number), end = __ldg(a.ptr + number + 1);
    return {kept(a.offset + begin), kept(a.val + begin), end - begin};
}

/* ---- sums ---- */

/* The next `count` entries, for one row. Where there are fewer, the last one is asked for instead of those that are missing:
   conditions would leave fewer in flight. */
template <int count, bool scaled>
static __device__ inline val_t sum_entries(const idx_t *offset, const val_t *val, int left,
                                           const input<scaled> &x, val_t sum) {
    val_t value[count];
    factor<scaled> factors[count];
#pragma unroll
    for (int j = 0; j < count; j++) {
        const int at = min(j, left - 1);
        factors[j] = ask(x.at(__ldg(offset + at)));
        value[j] = __ldg(val + at);
    }
#pragma unroll
    for (int j = 0; j < count; j++)
        sum = j < left ? sum + value[j] * factors[j] : sum;
    return sum;
}

/* x is where the row has its diagonal. */
template <bool scaled>
static __device__ inline val_t sum_row(const entries &e, const input<scaled> &x) {
    const int count = (int)e.count;
    val_t sum = 0;
    int k = 0;
    for (; count - k > SPRY_STENCIL_ALONE / 2; k += SPRY_STENCIL_ALONE)
        sum = sum_entries<SPRY_STENCIL_ALONE>(e.offset + k, e.val + k, count - k, x, sum);
    return count > k ? sum_entries<SPRY_STENCIL_ALONE / 2>(e.offset + k, e.val + k, count - k, x, sum) : sum;
}

/* By a block: the sum, in thread 0. */
template <bool scaled>
static __device__ inline val_t sum_long(const entries &e, const input<scaled> &x) {
    val_t sum[1] = {0};
    int64_t k = threadIdx.x;
    for (; k + (SPRY_STENCIL_LONG - 1) * SPRY_STENCIL_BLOCK < e.count;
         k += SPRY_STENCIL_LONG * SPRY_STENCIL_BLOCK) {
        val_t value[SPRY_STENCIL_LONG];
        factor<scaled> factors[SPRY_STENCIL_LONG];
#pragma unroll
        for (int j = 0; j < SPRY_STENCIL_LONG; j++) {
            factors[j] = ask(x.at(__ldg(e.offset + k + j * SPRY_STENCIL_BLOCK)));
            value[j] = __ldg(e.val + k + j * SPRY_STENCIL_BLOCK);
        }
#pragma unroll
        for (int j = 0; j < SPRY_STENCIL_LONG; j++)
            sum[0] += value[j] * factors[j];
    }
    for (; k < e.count; k += SPRY_STENCIL_BLOCK)
        sum[0] += __ldg(e.val + k) * ask(x.at(__ldg(e.offset + k)));
    block_join<SPRY_STENCIL_BLOCK>(sum);
    return sum[0];
}

#endif
