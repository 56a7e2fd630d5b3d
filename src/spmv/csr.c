/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR in plain C: the reference that every other CSR kernel is checked against. The transpose of CSC is
   the same product. */
#include "spmv/parts.h"

static void rows(const ptr_t *ptr, const idx_t *idx, const val_t *val, int64_t begin, int64_t end,
                 val_t alpha, const val_t *x, val_t beta, val_t *y) {
    for (int64_t i = begin; i < end; i++) {
        val_t sum = 0;
        for (ptr_t k = ptr[i]; k < ptr[i + 1]; k++)
            sum += val[k] * x[idx[k]];
        y[i] = spry_blend(alpha, sum, beta, &y[i]);
    }
}

/* alpha times entries begin … end - 1 of one row. */
static val_t piece(NAME(spry_csr_part) * part, const idx_t *idx, const val_t *val, int64_t begin, int64_t end,
                   val_t alpha, const val_t *x) {
    ptr_t ptr[2] = {0, (ptr_t)(end - begin)};
    val_t sum;
    part(ptr, idx + begin, val + begin, 0, 1, alpha, x, 0, &sum);
    return sum;
}

void NAME(spry_csr_run)(const struct spry_kernel *kernel, const spry_matrix *matrix, double alpha_,
                        const void *x_, double beta_, void *y_, void *scratch) {
    (void)scratch;
    NAME(spry_csr_part) *part = (NAME(spry_csr_part) *)kernel->part;
    const spry_csr *csr = &matrix->csr;
    const struct spry_split *split = &matrix->plan.split[kernel->op];
    /* Pointers and indices count from the base, so the arrays are taken to begin that much earlier. */
    int base = csr->base;
    const ptr_t *ptr = csr->ptr;
    const idx_t *idx = (const idx_t *)csr->idx - base;
    const val_t *val = (const val_t *)csr->val - base, *x = (const val_t *)x_ - base;
    val_t alpha = (val_t)alpha_, beta = (val_t)beta_, *y = y_;
    /* What each part adds to the row that an earlier part began. */
    val_t head[SPRY_MAX_THREADS];

#pragma omp parallel for num_threads(split->parts) schedule(static, 1)
    for (int p = 0; p < split->parts; p++) {
        struct spry_cut begin = split->cut[p], end = split->cut[p + 1];
        int64_t first = begin.unit, from = begin.entry + base, to = end.entry + base;
        head[p] = 0;
        if (p > 0 && from > ptr[first]) {
            head[p] = piece(part, idx, val, from, ptr[first + 1] < to ? ptr[first + 1] : to, alpha, x);
            first++;
        }
        if (first < end.unit)
            part(ptr, idx, val, first, end.unit, alpha, x, beta, y);
        if (first <= end.unit && p + 1 < split->parts && to > ptr[end.unit])
            y[end.unit] =
                spry_blend(1, piece(part, idx, val, ptr[end.unit], to, alpha, x), beta, &y[end.unit]);
    }
    for (int p = 1; p < split->parts; p++)
        if (split->cut[p].entry + base > ptr[split->cut[p].unit])
            y[split->cut[p].unit] += head[p];
}

static void scatter(const spry_matrix *matrix, const struct spry_cut *cut, val_t alpha, const val_t *x,
                    val_t *out) {
    const spry_csr *csr = &matrix->csr;
    int base = csr->base;
    const ptr_t *ptr = csr->ptr;
    const idx_t *idx = csr->idx;
    const val_t *val = csr->val;
    int64_t i = cut[0].unit;
    out -= base;
    for (int64_t k = cut[0].entry; k < cut[1].entry; i++) {
        int64_t end = ptr[i + 1] - base < cut[1].entry ? ptr[i + 1] - base : cut[1].entry;
        val_t scaled = end > k ? alpha * x[i] : 0;
        for (; k < end; k++)
            out[idx[k]] += val[k] * scaled;
    }
}

static const struct spry_kernel kernels[] = {
    {SPRY_KERNEL("csr", SPRY_CSR, SPRY_N), .run = NAME(spry_csr_run), .part = (void (*)(void))rows},
    {SPRY_KERNEL("csr", SPRY_CSR, SPRY_T), .run = NAME(spry_scatter_run), .part = (void (*)(void))scatter},
    {SPRY_KERNEL("csc", SPRY_CSC, SPRY_N), .run = NAME(spry_scatter_run), .part = (void (*)(void))scatter},
    {SPRY_KERNEL("csc", SPRY_CSC, SPRY_T), .run = NAME(spry_csr_run), .part = (void (*)(void))rows},
};

const struct spry_kernel_list NAME(spry_kernels_csr) = {sizeof kernels / sizeof *kernels, kernels};
