/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products that scatter on a device: all terms a x that belong to one output are added to it with atomic
 * operations, by whichever threads have them (see scatter.cuh), in an order that nobody knows.
 *
 * <format>_atomic adds to y itself, so that the last bits depend on that order. <format>_binned gives the
 * same bits in any order, by pre-rounded summation (Demmel and Nguyen, "Parallel Reproducible Summation",
 * IEEE Transactions on Computers 64, 2015; the cuts are those of Rump, Ogita and Oishi, "Accurate
 * Floating-Point Summation Part I", SIAM Journal on Scientific Computing 31, 2008). A first pass finds the
 * largest term of each output. From it and the number of terms follow one to three bins, and each term is cut
 * into a multiple of each bin's unit, such that the sum of all that falls into a bin is exact, in whatever
 * order, and what is left of the term does not matter. A second pass adds to the bins, a third puts them
 * together.
 */
#include "cuda/early.cuh"
#include "primitives/reduce.cuh"
#include "spmv/scatter.cuh"

extern "C" {
#include "core/split.h"
#include "cuda/arrays.h"
}

namespace spmv_scatter {

static constexpr int BLOCK = 128;
/* Blocks on a multiprocessor: few enough for their registers to hold what is in flight. */
static constexpr int RESIDENT = 6;

/* Calls a function with each array of entries that a matrix has: one type for each format, named in the table below. */
template <auto entries_of>
struct arrays_of {
    template <class Function>
    static void for_each(const spry_matrix *matrix, spry_op op, const void *x, Function function) {
        if (matrix->nnz > 0)
            function(entries_of(matrix, op, x));
    }
};

struct hyb_arrays {
    template <class Function>
    static void for_each(const spry_matrix *matrix, spry_op op, const void *x, Function function) {
        arrays_of<ell_entries_of>::for_each(matrix->hyb.ell, op, x, function);
        arrays_of<coo_entries_of>::for_each(matrix->hyb.coo, op, x, function);
    }
};

/* ---- terms of one warp that go to one place ---- */

/* From so many lanes with one output on, they put their terms together first: atomic operations on one
   address wait for each other. It is more than a stencil has, whose warps are then not held up. */
static constexpr int AGGREGATE_LEAST = 8;

struct aggregation {
    bool aggregated; /* true or false for all lanes alike */
    bool leads;      /* this lane adds what there is: what it has, or what join gave it if it is aggregated */
    unsigned peers;
};

static __device__ aggregation aggregate(idx_t to) {
    unsigned peers = __match_any_sync(ALL_LANES, to);
    bool aggregated = __any_sync(ALL_LANES, to >= 0 && __popc(peers) >= AGGREGATE_LEAST);
    bool leads = to >= 0 && (!aggregated || __ffs(peers) - 1 == lane_number());
    return {aggregated, leads, peers};
}

/* The lowest of the lanes that meet gets what all of them have, others something of no use: in each round,
   every second of them hands on what it has to the one before, and leaves. */
template <class T, class Both>
static __device__ T join(const aggregation &m, T mine, Both both) {
    if (!m.aggregated)
        return mine;
    const int lane = lane_number();
    const unsigned below = (1u << lane) - 1;
    int rank = __popc(m.peers & below);
    unsigned above = m.peers & ~below & ~(1u << lane);
    while (__any_sync(ALL_LANES, above != 0)) {
        int next = __ffs(above) - 1;
        T other = __shfl_sync(ALL_LANES, mine, next < 0 ? lane : next);
        if (next >= 0)
            mine = both(mine, other);
        above &= __ballot_sync(ALL_LANES, rank % 2 == 0);
        rank /= 2;
    }
    return mine;
}

/* ---- in any order ---- */

#if SPRY_TMPL_TYPE == 32
/* Atomic additions of floats take denormal numbers for zero. Sums of terms larger than this are never so
   small, as they are multiples of the smallest normal number; smaller terms go another way. */
static __device__ inline void add_to(float *y, float term) {
    if (!(fabsf(term) < 0x1p-102f)) {
        atomicAdd(y, term);
        return;
    }
    unsigned *bits = reinterpret_cast<unsigned *>(y), found = *bits, expected;
    do {
        expected = found;
        found = atomicCAS(bits, expected, __float_as_uint(__uint_as_float(expected) + term));
    } while (found != expected);
}
#else
static __device__ inline void add_to(double *y, double term) {
    atomicAdd(y, term);
}
#endif

static spry_status scale_outputs(spry_context *context, spry_op op, const spry_matrix *matrix, double beta,
                                 void *y) {
    return beta == 1 ? SPRY_OK : spry_cuda_scale(context, TMPL_TYPE, spry_outputs(matrix, op), beta, y);
}

template <class Entries>
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    scatter_tiles(Entries entries, int64_t tiles, val_t alpha, val_t *y) {
    await_earlier();
    const int64_t tile = thread_number() / WARP;
    if (tile >= tiles)
        return;
    terms t;
    entries.load(tile, t);
#pragma unroll
    for (int s = 0; s < SPRY_TERMS; s++) {
        aggregation m = aggregate(t.to[s]);
        val_t term = join(m, times(alpha, times(t.a[s], t.x[s])), add());
        if (m.leads && term != 0)
            add_to(y + t.to[s], term);
    }
}

template <class Arrays>
static spry_status run_atomic(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const spry_product *product) {
    spry_status status = scale_outputs(context, kernel->op, matrix, product->beta, product->y);
    if (status)
        return status;
    Arrays::for_each(matrix, kernel->op, product->x, [&](auto entries) {
        int64_t tiles = tiles_of(entries);
        launch_product(context, matrix, blocks_for(tiles * WARP, BLOCK), BLOCK,
                       scatter_tiles<decltype(entries)>, entries, tiles, (val_t)product->alpha,
                       static_cast<val_t *>(product->y));
    });
    return launched(context, kernel->name);
}

/* ---- in bins ---- */

/* Exponents as they stand in a double: of Inf and NaN, and of terms that are made smaller by 2^-64 for their
   sums and boundaries not to overflow. */
static constexpr int NOT_FINITE = 2047;
static constexpr int HUGE_TERMS = 1984;

/* Terms are products in double, which for floats are exact. Their largest exponent, e, and their number, n,
   give the first boundary, 3/2 2^(e + growth) with growth >= log2 n, at least 2: adding it to a term and
   taking it away again leaves a multiple of 2^(e + growth - 52), and n of those add up to 2^(e + growth + 1)
   at most, which is exact. What is cut off is smaller by 54 - growth bits at least, and so on. */
struct bins {
    int64_t outputs;
    int growth;
    unsigned long long *largest; /* bits of the largest term, without its sign, of each output */
    double *sum;                 /* of each output, then of each in the next bin */
};

static __device__ inline double boundary(int exponent) {
    return __longlong_as_double((long long)exponent << 52 | 1ll << 51);
}

/* The parts of a term. Where some are not finite, they alone matter. */
template <int levels>
static __device__ void cut(double term, int exponent, int growth, double (&part)[levels]) {
    const bool finite = exponent < NOT_FINITE, huge = finite && exponent >= HUGE_TERMS;
    double rest = huge ? __dmul_rn(term, 0x1p-64) : term;
    int at = exponent + growth - (huge ? 64 : 0);
#pragma unroll
    for (int l = 0; l < levels; l++) {
        part[l] = __dsub_rn(__dadd_rn(rest, boundary(at)), boundary(at));
        rest = __dsub_rn(rest, part[l]);
        /* Below the smallest normal boundary there is nothing to cut off. */
        at = at - 54 + growth > 1 ? at - 54 + growth : 1;
        if (!finite)
            part[l] = l == 0 && !isfinite(term) ? term : 0;
    }
}

static __device__ inline double product(val_t a, val_t x) {
    return __dmul_rn((double)a, (double)x);
}

template <class Entries>
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    find_largest(Entries entries, int64_t tiles, bins b) {
    await_earlier();
    const int64_t tile = thread_number() / WARP;
    if (tile >= tiles)
        return;
    terms t;
    entries.load(tile, t);
#pragma unroll
    for (int s = 0; s < SPRY_TERMS; s++) {
        aggregation m = aggregate(t.to[s]);
        auto bits = (unsigned long long)__double_as_longlong(fabs(product(t.a[s], t.x[s])));
        bits = join(m, bits, larger());
        if (m.leads && bits > 0)
            atomicMax(b.largest + t.to[s], bits);
    }
}

template <int levels, class Entries>
static __global__ void __launch_bounds__(BLOCK, RESIDENT) fill_bins(Entries entries, int64_t tiles, bins b) {
    await_earlier();
    const int64_t tile = thread_number() / WARP;
    if (tile >= tiles)
        return;
    terms t;
    entries.load(tile, t);
    int exponent[SPRY_TERMS];
#pragma unroll
    for (int s = 0; s < SPRY_TERMS; s++)
        exponent[s] = (int)(__ldg(b.largest + (t.to[s] > 0 ? t.to[s] : 0)) >> 52);
#pragma unroll
    for (int s = 0; s < SPRY_TERMS; s++) {
        double part[levels];
        cut(product(t.a[s], t.x[s]), exponent[s], b.growth, part);
        aggregation m = aggregate(t.to[s]);
#pragma unroll
        for (int l = 0; l < levels; l++) {
            double sum = join(m, part[l], add());
            if (m.leads && sum != 0)
                atomicAdd(b.sum + l * b.outputs + t.to[s], sum);
        }
    }
}

/* y = alpha (sum of the bins, the smallest first) + beta y, with but one NaN. */
template <int levels>
static __global__ void empty_bins(bins b, val_t alpha, val_t beta, val_t *y) {
    const int64_t j = thread_number();
    if (j >= b.outputs)
        return;
    const int exponent = (int)(b.largest[j] >> 52);
    double sum = 0;
#pragma unroll
    for (int l = levels - 1; l >= 0; l--)
        sum += b.sum[l * b.outputs + j];
    sum *= (double)alpha;
    if (exponent >= HUGE_TERMS && exponent < NOT_FINITE)
        sum *= 0x1p64;
    const double result = beta == 0 ? sum : sum + (double)beta * (double)y[j];
    y[j] = isnan(result) ? (val_t)NAN : (val_t)result;
}

/* Terms of one output, as far as is known without counting: duplicates are allowed. */
static int growth_of(const spry_matrix *matrix) {
    int growth = 2;
    while (growth < 62 && (int64_t)1 << growth < matrix->nnz)
        growth++;
    return growth;
}

/* So many bins that what is cut off of a term is less than half a last bit of the largest. They suffice for
   2^35 terms. */
#if SPRY_TMPL_TYPE == 32
static constexpr int DIGITS = 24;
static constexpr int LEVELS_LEAST = 1;
#else
static constexpr int DIGITS = 53;
static constexpr int LEVELS_LEAST = 2;
#endif

static int levels_of(const spry_matrix *matrix) {
    return LEVELS_LEAST * (54 - growth_of(matrix)) >= DIGITS + 2 ? LEVELS_LEAST : LEVELS_LEAST + 1;
}

template <int levels, class Arrays>
static void run_bins(spry_context *context, spry_op op, const spry_matrix *matrix, val_t alpha, const void *x,
                     val_t beta, val_t *y) {
    cudaStream_t stream = context->device->stream;
    auto largest = static_cast<unsigned long long *>(spry_workspace(&context->device->scratch));
    const int64_t outputs = spry_outputs(matrix, op);
    bins b = {outputs, growth_of(matrix), largest, reinterpret_cast<double *>(largest + outputs)};
    Arrays::for_each(matrix, op, x, [&](auto entries) {
        int64_t tiles = tiles_of(entries);
        launch_product(context, matrix, blocks_for(tiles * WARP, BLOCK), BLOCK,
                       find_largest<decltype(entries)>, entries, tiles, b);
    });
    Arrays::for_each(matrix, op, x, [&](auto entries) {
        int64_t tiles = tiles_of(entries);
        launch_product(context, matrix, blocks_for(tiles * WARP, BLOCK), BLOCK,
                       fill_bins<levels, decltype(entries)>, entries, tiles, b);
    });
    empty_bins<levels><<<blocks_for(outputs, BLOCK), BLOCK, 0, stream>>>(b, alpha, beta, y);
}

template <class Arrays>
static spry_status run_binned(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                              const spry_product *product) {
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta;
    val_t *y = static_cast<val_t *>(product->y);
    spry_status status = spry_cuda_check(context,
                                         cudaMemsetAsync(spry_workspace(&context->device->scratch), 0,
                                                         NAME(spry_scatter_scratch)(matrix, kernel->op),
                                                         context->device->stream),
                                         "clearing bins");
    if (status)
        return status;
    if (levels_of(matrix) == LEVELS_LEAST)
        run_bins<LEVELS_LEAST, Arrays>(context, kernel->op, matrix, alpha, product->x, beta, y);
    else
        run_bins<LEVELS_LEAST + 1, Arrays>(context, kernel->op, matrix, alpha, product->x, beta, y);
    return launched(context, kernel->name);
}

/* ---- once for all codes ---- */

#ifndef SPRY_TMPL_CODE
extern "C" size_t NAME(spry_scatter_scratch)(const spry_matrix *matrix, spry_op op) {
    size_t each = (size_t)(1 + levels_of(matrix)) * sizeof(double), bytes;
    if (__builtin_mul_overflow((size_t)spry_outputs(matrix, op), each, &bytes))
        return SIZE_MAX; /* which nobody has */
    return bytes;
}

/* One thread an entry: what a kernel does, and no more. */
static __global__ void scatter_entries(coo_entries a, val_t alpha, val_t *y) {
    int64_t k = thread_number();
    if (k < a.nnz)
        add_to(&y[a.to[k] - a.base], times(alpha, times(a.val[k], a.x[a.from[k]])));
}

static spry_status run_coo_atomic(spry_context *context, const spry_kernel *kernel, const spry_matrix *matrix,
                                  const spry_product *product) {
    spry_status status = scale_outputs(context, kernel->op, matrix, product->beta, product->y);
    if (status)
        return status;
    scatter_entries<<<blocks_for(matrix->nnz, BLOCK), BLOCK, 0, context->device->stream>>>(
        coo_entries_of(matrix, kernel->op, product->x), (val_t)product->alpha,
        static_cast<val_t *>(product->y));
    return launched(context, kernel->name);
}

static bool in_any_order(const spry_matrix *matrix) {
    return !matrix->row_sorted;
}

#endif

/* ---- the table ---- */

/* Columns whose entries go to rows anywhere. */
static spry_terms csc_work(const spry_candidate *candidate) {
    const spry_features *features = candidate->features;
    const int processors = candidate->context->device->multiprocessors;
    spry_terms amounts = spry_traffic(candidate, candidate->bytes, processors);
    amounts.entries = (double)features->nnz / processors;
    amounts.units = (double)features->cols / processors;
    /* As many additions to one place as the longest row has entries wait for each other. */
    amounts.critical = (double)features->longest;
    return amounts;
}

#define TWO_WAYS(name, FORMAT, OP, Arrays, ...)                                                              \
    SPRY_CUDA_KERNELS(name "_binned", FORMAT, OP, .run = run_binned<Arrays>, __VA_ARGS__),                   \
        SPRY_CUDA_KERNELS(name "_atomic", FORMAT, OP, .nondeterministic = true, .run = run_atomic<Arrays>,   \
                          __VA_ARGS__)

static const spry_kernel kernels[] = {
#ifndef SPRY_TMPL_CODE
    {SPRY_CUDA_KERNEL("coo_binned", SPRY_COO, SPRY_N), .takes = in_any_order,
     .run = run_binned<arrays_of<coo_entries_of>>},
    {SPRY_CUDA_KERNEL("coo_atomic", SPRY_COO, SPRY_N), .nondeterministic = true, .run = run_coo_atomic},
    {SPRY_CUDA_KERNEL("coo_binned", SPRY_COO, SPRY_T), .run = run_binned<arrays_of<coo_entries_of>>},
    {SPRY_CUDA_KERNEL("coo_atomic", SPRY_COO, SPRY_T), .nondeterministic = true, .run = run_coo_atomic},
    TWO_WAYS("ell", SPRY_ELL, SPRY_T, arrays_of<ell_entries_of>),
    TWO_WAYS("hyb", SPRY_HYB, SPRY_T, hyb_arrays),
    TWO_WAYS("jds", SPRY_JDS, SPRY_T, arrays_of<jds_entries_of>),
    TWO_WAYS("stencil", SPRY_STENCIL, SPRY_T, arrays_of<stencil_tiles_of>),
    TWO_WAYS("shape", SPRY_SHAPE, SPRY_T, arrays_of<shape_tiles_of>),
    TWO_WAYS("dia", SPRY_DIA, SPRY_T, arrays_of<dia_entries_of>),
#endif
#ifndef SPRY_TMPL_NARROW
    TWO_WAYS("bsr", SPRY_BSR, SPRY_T, arrays_of<bsr_entries_of>),
#endif
    TWO_WAYS("csr", SPRY_CSR, SPRY_T, arrays_of<slice_entries_of>),
    TWO_WAYS("csc", SPRY_CSC, SPRY_N, arrays_of<slice_entries_of>, .work = csc_work),
    TWO_WAYS("sell", SPRY_SELL, SPRY_T, arrays_of<sell_entries_of>),
};

extern "C" {
extern const spry_kernel_list CODED(spry_kernels_scatter);
const spry_kernel_list CODED(spry_kernels_scatter) = {sizeof kernels / sizeof *kernels, kernels};
}

} // namespace spmv_scatter
