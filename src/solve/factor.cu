/* SPDX-License-Identifier: BSD-3-Clause */
/* Incomplete factors without fill on a device: the same row by row as on the CPU (solve/factor.c), a warp a row. */
#include "cuda/lanes.cuh"
#include "primitives/temporary.cuh"
#include "solve/wait.cuh"

extern "C" {
#include "formats/index_from.h"
#include "solve/factor.h"
#include "solve/inverse.h"
}

namespace solve_factor {

static constexpr int BLOCK = 128;

struct factors {
    int64_t n;
    const idx_t *row;
    const ptr_t *ptr, *diagonal;
    const idx_t *idx;
    val_t *val;
    val_t shift;
    volatile int *done; /* flags by row */
    unsigned long long *fault;
};

/* Part of a row: places of its entries. */
struct stretch {
    int64_t begin, end;
};

/* Call use(place in a, place in b) for the columns that two parts of rows have in common, shared among the lanes: each
   looks for columns of the shorter one in the longer one. */
template <class Use>
static __device__ void for_common(const idx_t *idx, stretch a, stretch b, Use use) {
    const bool turned = a.end - a.begin > b.end - b.begin;
    const stretch few = turned ? b : a, many = turned ? a : b;
    for (int64_t k = few.begin + lane_number(); k < few.end; k += WARP) {
        const int64_t at = index_from(idx, many.begin, many.end, idx[k]);
        if (at < many.end && idx[at] == idx[k])
            use(turned ? at : k, turned ? k : at);
    }
}

static __device__ val_t shifted(const factors &f, int64_t i) {
    const val_t diagonal = f.val[f.diagonal[i]];
    return diagonal + f.shift * abs(diagonal);
}

/* Row i without what is left of the diagonal, which becomes the row of L. */
static __device__ void eliminate(const factors &f, int64_t i) {
    const int64_t end = f.ptr[i + 1], diagonal = f.diagonal[i];
    if (lane_number() == 0)
        f.val[diagonal] = shifted(f, i);
    __syncwarp();
    for (int64_t k = f.ptr[i]; k < diagonal; k++) {
        const int64_t c = f.idx[k];
        await_flag(f.done + c);
        const val_t factor = f.val[k] / f.val[f.diagonal[c]];
        __syncwarp(); /* all have read what the first lane writes */
        if (lane_number() == 0)
            f.val[k] = factor;
        for_common(f.idx, {k + 1, end}, {f.diagonal[c] + (int64_t)1, f.ptr[c + 1]},
                   [&](int64_t mine, int64_t other) { f.val[mine] -= factor * f.val[other]; });
        __syncwarp();
    }
    if (lane_number() == 0 && !has_inverse(f.val[diagonal]))
        atomicMin(f.fault, (unsigned long long)i);
}

/* Row i of L such that L Lᵀ is A there. */
static __device__ void take_root(const factors &f, int64_t i) {
    const int64_t begin = f.ptr[i], diagonal = f.diagonal[i];
    val_t squares = 0;
    for (int64_t k = begin; k < diagonal; k++) {
        const int64_t c = f.idx[k];
        await_flag(f.done + c);
        val_t sum = 0;
        for_common(f.idx, {begin, k}, {f.ptr[c], f.diagonal[c]},
                   [&](int64_t mine, int64_t other) { sum += f.val[mine] * f.val[other]; });
        const val_t entry = (f.val[k] - sum_lanes<WARP>(sum)) / f.val[f.diagonal[c]];
        __syncwarp(); /* all have read what the first lane writes */
        if (lane_number() == 0)
            f.val[k] = entry;
        squares += entry * entry;
        __syncwarp();
    }
    if (lane_number() > 0)
        return;
    const val_t square = shifted(f, i) - squares;
    if (!(square > 0) || !has_inverse(square))
        atomicMin(f.fault, (unsigned long long)i);
    f.val[diagonal] = sqrt(square);
}

struct ilu0 {
    static __device__ void work(const factors &f, int64_t i) {
        eliminate(f, i);
    }
};

struct ic0 {
    static __device__ void work(const factors &f, int64_t i) {
        take_root(f, i);
    }
};

template <class Kind>
static __global__ void __launch_bounds__(BLOCK) factor_rows(factors f) {
    const int64_t p = thread_number() / WARP;
    if (p >= f.n)
        return;
    const int64_t i = f.row[p];
    Kind::work(f, i);
    raise_flag(f.done + i);
}

template <class Kind>
static spry_status factor(spry_context *context, const struct spry_square *square,
                          const struct spry_order *order, double shift, int64_t *fault) {
    cudaStream_t stream = context->device->stream;
    *fault = -1;
    if (square->n == 0)
        return SPRY_OK;
    first_fault found(context);
    temporary done(context);
    spry_status status = found.start();
    if (!status)
        status = done.take(square->n, sizeof(int));
    if (!status)
        status = spry_cuda_check(context,
                                 cudaMemsetAsync(done.pointer, 0, (size_t)square->n * sizeof(int), stream),
                                 "clearing flags");
    if (status)
        return status;
    const factors f = {square->n,
                       as<idx_t>(order->row),
                       as<ptr_t>(square->csr.ptr),
                       as<ptr_t>(square->diagonal),
                       as<idx_t>(square->csr.idx),
                       as<val_t>(square->csr.val),
                       (val_t)shift,
                       as<int>(done.pointer),
                       found.place()};
    factor_rows<Kind><<<blocks_for(square->n, BLOCK / WARP), BLOCK, 0, stream>>>(f);
    status = launched(context, "factoring");
    return status ? status : found.read(fault);
}

extern "C" spry_status NAME(spry_factor_ilu0)(spry_context *context, const struct spry_square *square,
                                              const struct spry_order *order, double shift, int64_t *fault) {
    return factor<ilu0>(context, square, order, shift, fault);
}

extern "C" spry_status NAME(spry_factor_ic0)(spry_context *context, const struct spry_square *square,
                                             const struct spry_order *order, double shift, int64_t *fault) {
    return factor<ic0>(context, square, order, shift, fault);
}

} // namespace solve_factor
