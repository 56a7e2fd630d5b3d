/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR with vector registers, in two ways: along the rows, and by products. */
#include "codes/decode.h"
#include "spmv/csr.h"
#include "spmv/csr_products.h"

_Static_assert(SPRY_DECODE_ROWS % LANES == 0, "groups of rows are decoded whole");

#ifdef SPRY_SIMD_GATHER
/* The share of a row's registers whose columns are not neighbours, which these kernels look for. */
static double scattered_share(const struct spry_features *features) {
    const struct spry_block_estimate runs = spry_blocks_of(features, 1, SPRY_BLOCK_MOST);
    return runs.blocks > 0 ? 1 - runs.full * SPRY_BLOCK_MOST / (double)features->nnz : 1;
}
#endif

/* A row of whole vectors, and what is left of it: LANES / 2 of most rows. */
static union spry_terms rows_work(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes, parts);
    double left = spry_remainders(features, LANES);
    amounts.units = (double)features->rows / parts;
    amounts.entries = left / parts;
    amounts.steps = ((double)features->nnz - left) / LANES / parts;
#ifdef SPRY_SIMD_GATHER
    amounts.gathers = amounts.steps * scattered_share(features);
#endif
    amounts.branches = spry_branch_misses((double)features->changes, parts);
    return amounts;
}

/* The share of rows that are summed without the buffer: as long as their neighbours, and not too long. */
static double alike_share(const struct spry_features *features) {
#if FOLDED
    const int neighbours = FOLDED_GROUPS * LANES;
    const int64_t together = spry_count_bins(features->by_row, 1, FOLDED_MOST + 1);
#else
    const int neighbours = LANES;
    const int64_t together = spry_count_bins(features->by_row, 0, TOGETHER + 1);
#endif
    const double rows = (double)features->rows;
    return rows >= neighbours ? (1 - spry_uneven_share(features, neighbours)) * (double)together / rows : 0;
}

/* Of rows in the buffer all products, and then the sums of LANES rows at a time, one register a row for as many as the longest
   has. Of rows that follow each other no columns are read, and nothing is gathered; others that are alike take a step to find. */
static union spry_terms products_work(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    const double nnz = (double)features->nnz, steps = nnz / LANES, groups = (double)features->rows / LANES,
                 longest = spry_group_steps(features, LANES, features->longest),
                 apart = spry_apart_share(features, LANES), together = alike_share(features),
                 buffered = FOLDED ? apart * (1 - together) : 1 - together,
                 alike = apart > buffered ? apart - buffered : 0,
                 unread =
                     candidate->storage.columns == SPRY_COLUMNS_PLAIN ? (1 - apart) * nnz * sizeof(idx_t) : 0;
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes - unread, parts);
    amounts.units = buffered * groups / parts;
    amounts.steps = (steps + alike * groups) / parts;
    amounts.gathers = (apart > buffered ? apart : buffered) * steps / parts;
    amounts.entries = buffered * (longest + groups * LANES / 2) / parts;
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
