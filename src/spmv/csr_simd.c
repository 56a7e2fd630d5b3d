/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR with vector registers, in two ways. Along the rows, for rows that are long or whose lengths the
   branch predictor learns; what whole registers leave of a row goes one by one, or into a register of its own where that
   is gathered as fast. And by products: entries are multiplied without looking at rows, into a buffer
   that stays in the first-level cache, and the rows are summed from there, as many at once as a register
   has lanes; so short rows of any length cost no mispredicted branch. The second is what CSR-stream does on
   a GPU (Greathouse and Daga, "Efficient sparse matrix-vector multiplication on GPUs using the CSR storage
   format", SC 2014). */
#include "core/cpu.h"
#include "spmv/csr.h"
#include "spmv/simd.h"

/* Ask for the lines of two registers of entries that lie ahead, each once. */
static inline void ask_ahead(const idx_t *idx, const stored_t *val) {
    v_prefetch(idx + SPRY_AHEAD);
    if (2 * LANES * sizeof *idx > SPRY_LINE)
        v_prefetch(idx + LANES + SPRY_AHEAD);
    v_prefetch(val + SPRY_AHEAD);
    if (2 * LANES * sizeof *val > SPRY_LINE)
        v_prefetch(val + LANES + SPRY_AHEAD);
}

#ifdef SIMD_GATHERS_FIRST

/* What the lanes of a row add up to. What is left after whole registers is one more step. */
static vec lanes_of(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x) {
    vec sum = v_zero();
    int64_t k = 0;
    for (; k + LANES < count; k += LANES) {
        v_prefetch(idx + k + SPRY_AHEAD);
        v_prefetch(val + k + SPRY_AHEAD);
        sum = v_fma(v_load_stored(val + k), v_gather(x, idx + k), sum);
    }
    v_prefetch(idx + k + SPRY_AHEAD);
    v_prefetch(val + k + SPRY_AHEAD);
    return v_fma(v_load_stored_first(val + k, count - k), v_gather_first(x, idx + k, count - k), sum);
}

static void rows(const ptr_t *ptr, const idx_t *idx, const stored_t *val, int64_t begin, int64_t end,
                 val_t alpha, const val_t *x, val_t beta, val_t *y) {
    int64_t i = begin;
    for (; i + LANES <= end; i += LANES) {
        vec row[LANES];
        for (int r = 0; r < LANES; r++)
            row[r] = lanes_of(idx + ptr[i + r], val + ptr[i + r], ptr[i + r + 1] - ptr[i + r], x);
        vec sum = v_mul(v_set(alpha), v_sums(row));
        v_store(y + i, beta == 0 ? sum : v_fma(v_set(beta), v_load(y + i), sum));
    }
    for (; i < end; i++)
        y[i] = spry_blend(alpha, v_sum(lanes_of(idx + ptr[i], val + ptr[i], ptr[i + 1] - ptr[i], x)), beta,
                          &y[i]);
}

#else

static val_t row(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x) {
    vec a = v_zero(), b = v_zero();
    int64_t k = 0;
    for (; k + 2 * LANES <= count; k += 2 * LANES) {
        ask_ahead(idx + k, val + k);
        a = v_fma(v_load_stored(val + k), v_gather(x, idx + k), a);
        b = v_fma(v_load_stored(val + k + LANES), v_gather(x, idx + k + LANES), b);
    }
    if (k < count) {
        v_prefetch(idx + k + SPRY_AHEAD);
        v_prefetch(val + k + SPRY_AHEAD);
    }
    if (k + LANES <= count) {
        a = v_fma(v_load_stored(val + k), v_gather(x, idx + k), a);
        k += LANES;
        v_prefetch(val + k + SPRY_AHEAD);
    }
    val_t sum = count >= LANES ? v_sum(v_add(a, b)) : 0;
    for (; k < count; k++)
        sum += val[k] * x[idx[k]];
    return sum;
}

static void rows(const ptr_t *ptr, const idx_t *idx, const stored_t *val, int64_t begin, int64_t end,
                 val_t alpha, const val_t *x, val_t beta, val_t *y) {
    for (int64_t i = begin; i < end; i++)
        y[i] = spry_blend(alpha, row(idx + ptr[i], val + ptr[i], ptr[i + 1] - ptr[i], x), beta, &y[i]);
}

#endif

/* Products in the buffer: 8 KiB of f64, so that it and what streams past fit the first-level cache. */
#define BUFFER 1024
/* Rows longer than this are summed one by one: others in their group would wait for them. */
#define TOGETHER (8 * LANES)

static void multiply(const idx_t *idx, const stored_t *val, int64_t count, const val_t *x, val_t *product) {
    int64_t k = 0;
    for (; k + 2 * LANES <= count; k += 2 * LANES) {
        ask_ahead(idx + k, val + k);
        v_store(product + k, v_mul(v_load_stored(val + k), v_gather(x, idx + k)));
        v_store(product + k + LANES, v_mul(v_load_stored(val + k + LANES), v_gather(x, idx + k + LANES)));
    }
    for (; k < count; k++)
        product[k] = val[k] * x[idx[k]];
}

static int64_t longest(const ptr_t *ptr) {
    ptr_t most = 0;
    for (int r = 0; r < LANES; r++)
        most = ptr[r + 1] - ptr[r] > most ? ptr[r + 1] - ptr[r] : most;
    return most;
}

/* Sums of LANES rows whose products begin at product + ptr[0] - first. */
static vec sum_group(const ptr_t *ptr, ptr_t first, const val_t *product) {
    int64_t most = longest(ptr);
    vec sum[LANES];
    if (most > TOGETHER) {
        val_t one[LANES];
        for (int r = 0; r < LANES; r++) {
            int64_t count = ptr[r + 1] - ptr[r], k = 0;
            vec a = v_zero();
            for (; k + LANES <= count; k += LANES)
                a = v_add(a, v_load(product + (ptr[r] - first) + k));
            one[r] = v_sum(v_add(a, v_load_first(product + (ptr[r] - first) + k, count - k)));
        }
        return v_load(one);
    }
    for (int r = 0; r < LANES; r++)
        sum[r] = v_load_first(product + (ptr[r] - first), ptr[r + 1] - ptr[r]);
    for (int64_t k = LANES; k < most; k += LANES)
        for (int r = 0; r < LANES; r++)
            sum[r] = v_add(sum[r], v_load_first(product + (ptr[r] - first) + k, ptr[r + 1] - ptr[r] - k));
    return v_sums(sum);
}

/* Rows begin … end - 1, whose products `product` has. */
static void sum_rows(const ptr_t *ptr, const val_t *product, int64_t begin, int64_t end, val_t alpha,
                     val_t beta, val_t *y) {
    for (int64_t i = begin; i < end; i += LANES) {
        vec sum = v_mul(v_set(alpha), sum_group(ptr + i, ptr[begin], product));
        v_store(y + i, beta == 0 ? sum : v_fma(v_set(beta), v_load(y + i), sum));
    }
}

static void products(const ptr_t *ptr, const idx_t *idx, const stored_t *val, int64_t begin, int64_t end,
                     val_t alpha, const val_t *x, val_t beta, val_t *y) {
    val_t product[BUFFER];
    for (int64_t i = begin; i < end;) {
        int64_t stop = i;
        while (stop + LANES <= end && ptr[stop + LANES] - ptr[i] <= BUFFER)
            stop += LANES;
        if (stop == i) {
            stop = i + LANES < end ? i + LANES : end;
            rows(ptr, idx, val, i, stop, alpha, x, beta, y);
        } else {
            multiply(idx + ptr[i], val + ptr[i], ptr[stop] - ptr[i], x, product);
            sum_rows(ptr, product, i, stop, alpha, beta, y);
        }
        i = stop;
    }
}

/* A row of whole vectors, and what is left of it: LANES / 2 of most rows. */
static union spry_terms rows_work(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    double left = spry_remainders(features, LANES);
    amounts.units = (double)features->rows / parts;
    amounts.entries = left / parts;
    amounts.steps = ((double)features->nnz - left) / LANES / parts;
    amounts.branches = spry_branch_misses(features) / parts;
    return amounts;
}

/* All products, and then the sums of LANES rows at a time, one register a row for as many as the longest has. */
static union spry_terms products_work(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    double groups = (double)features->rows / LANES,
           longest = spry_group_steps(features, LANES, features->longest);
    amounts.units = groups / parts;
    amounts.steps = (double)features->nnz / LANES / parts;
    amounts.entries = (longest + groups * LANES / 2) / parts;
    return amounts;
}

#define KERNEL(format, FORMAT, OP, way, ...)                                                                 \
    SPRY_DECODING(TMPL_INDEX, SIMD_NAME(format), FORMAT, OP, .needs = SIMD_NEEDS,                            \
                  .run = CODED(spry_csr_run), .part = (void (*)(void))way, __VA_ARGS__)

static const struct spry_kernel kernels[] = {
    KERNEL("csr", SPRY_CSR, SPRY_N, rows, .partials = SHARED(spry_partials), .work = rows_work),
    KERNEL("csc", SPRY_CSC, SPRY_T, rows, .work = rows_work, .priced_as = SIMD_NAME("csr")),
    KERNEL("csr_products", SPRY_CSR, SPRY_N, products, .partials = SHARED(spry_partials),
           .work = products_work),
    KERNEL("csc_products", SPRY_CSC, SPRY_T, products, .work = products_work,
           .priced_as = SIMD_NAME("csr_products")),
};

extern const struct spry_kernel_list SIMD_LIST(csr);
const struct spry_kernel_list SIMD_LIST(csr) = {sizeof kernels / sizeof *kernels, kernels};
