/* SPDX-License-Identifier: BSD-3-Clause */
/* CSR times many columns, in plain C. The transpose of CSC is the same product. */
#include "spmv/csr_many.h"

#include "codes/decode.h"
#include "core/saturate.h"
#include "core/split.h"
#include "core/team.h"

/* Entries and rows before row i. */
static int64_t work_before(const spry_matrix *matrix, int64_t i) {
    return pointer_at(matrix, matrix->csr.ptr, i) - matrix->csr.base + i;
}

/* Where the rows begin that have so much work before them. Rows are not cut, so how many threads share the work shows in no result. */
static int64_t first_row(const struct csr_rows *rows, int64_t work) {
    return spry_unit_from(rows->matrix, rows->count, work, work_before);
}

/* As many rows from i on as are worked on, and decoded, together. */
static int64_t near_rows(const struct csr_rows *rows, int64_t i, int64_t end, bool decodes) {
    int64_t stop = end - i < SPRY_MANY_NEAR ? end : i + SPRY_MANY_NEAR;
    while (decodes && stop > i + 1 && csr_begin(rows, stop) - csr_begin(rows, i) > SPRY_DECODE_NEAR)
        stop = i + (stop - i) / 2;
    return stop;
}

/* Rows begin … end - 1. */
static void some_rows(many_part *part, struct many m, struct csr_rows rows, struct spry_decoder *decoder,
                      int64_t begin, int64_t end) {
    const int base = rows.matrix->csr.base;
    const bool decodes = spry_is_decoding(decoder);
    m.rows = &rows;
    for (int64_t i = begin, stop; i < end; i = stop) {
        stop = near_rows(&rows, i, end, decodes);
        const int64_t first = csr_begin(&rows, i), count = csr_begin(&rows, stop) - first;
        if (decoder->values)
            rows.val = (const stored_t *)SHARED(spry_decode_values)(decoder, first - base, count) - first;
        if (decoder->columns)
            rows.idx = SHARED(spry_decode_columns)(decoder, i, first - base, count) - first;
        part(&m, i, stop);
    }
}

spry_status CODED(spry_csr_many_run)(spry_context *context, const struct spry_kernel *kernel,
                                     const spry_matrix *matrix, const struct spry_product *product) {
    many_part *part = (many_part *)kernel->part;
    const int base = matrix->csr.base;
    const struct csr_rows rows = {matrix, spry_outputs(matrix, kernel->op),
                                  (const idx_t *)matrix->csr.idx - base,
                                  (const stored_t *)matrix->csr.val - base};
    struct many m = many_of(product, &rows);
    /* Where X has one row, any step will do, and a long one leads outside the memory that there can be. */
    if (spry_outputs(matrix, kernel->op == SPRY_N ? SPRY_T : SPRY_N) == 1)
        m.x_step = 1;
    m.x -= base * m.x_step;
    const int64_t work = matrix->nnz + rows.count;
    const int parts = spry_part_count(context, spry_multiply_counts(work, m.columns));
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        struct spry_decoder decoder;
        SHARED(spry_set_decoder)(&decoder, kernel, matrix, context->scratch, p);
        some_rows(part, m, rows, &decoder, first_row(&rows, spry_share(work, p, parts)),
                  first_row(&rows, spry_share(work, p + 1, parts)));
    }
    return SPRY_OK;
}

static void part(const struct many *m, int64_t begin, int64_t end) {
    all_columns(m, begin, end, csr_columns);
}

#define ROWS(INDEX)                                                                                          \
    SPRY_DECODING(INDEX, "csr_many", SPRY_CSR, SPRY_N, .many = true, .run = CODED(spry_csr_many_run),        \
                  .part = (void (*)(void))part),                                                             \
        SPRY_DECODING(INDEX, "csc_many", SPRY_CSC, SPRY_T, .many = true, .run = CODED(spry_csr_many_run),    \
                      .part = (void (*)(void))part)

SPRY_SHARED_LISTS(spry_kernels_csr_many, ROWS)
