/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ times many columns, in plain C: row by row within a slice, whose slots stay near at hand meanwhile. */
#include "core/saturate.h"
#include "core/split.h"
#include "core/team.h"
#include "spmv/many.h"
#include "spmv/sell.h"

/* A few slices at a time, for all columns. */
static void slices(many_part *part, const struct many *m, int64_t begin, int64_t end, int64_t height) {
    const int64_t step = height < SPRY_MANY_NEAR ? SPRY_MANY_NEAR / height : 1;
    for (int64_t s = begin; s < end; s += step)
        part(m, s, end - s < step ? end : s + step);
}

/* One slice at a time, decoded. */
static void decoded_slices(many_part *part, struct many m, struct spry_decoder *decoder, int64_t begin,
                           int64_t end) {
    const int64_t height = decoder->matrix->sell.height;
    spry_matrix plain = *decoder->matrix;
    m.rows = &plain;
    for (int64_t s = begin; s < end; s++) {
        const struct slice slice = slice_at(&plain, s);
        SHARED(spry_decode_units)(decoder, s, slice.first, slice.width * height, &plain);
        part(&m, s, s + 1);
    }
}

/* Rows are not cut, so how many threads share the work shows in no result. */
spry_status CODED(spry_sell_many_run)(spry_context *context, const struct spry_kernel *kernel,
                                      const spry_matrix *matrix, const struct spry_product *product) {
    many_part *part = (many_part *)kernel->part;
    const spry_sell *sell = &matrix->sell;
    const struct many m = many_of(product, matrix);
    const int64_t work = sell->slots + matrix->rows;
    const int parts = spry_part_count(context, spry_multiply_counts(work, m.columns));
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++) {
        struct spry_decoder decoder;
        SHARED(spry_set_decoder)(&decoder, kernel, matrix, context->scratch, p);
        const int64_t begin = slice_from(matrix, spry_share(work, p, parts)),
                      end = slice_from(matrix, spry_share(work, p + 1, parts));
        if (spry_is_decoding(&decoder))
            decoded_slices(part, m, &decoder, begin, end);
        else
            slices(part, &m, begin, end, sell->height);
    }
    return SPRY_OK;
}

/* Columns that lie anywhere. */
INLINE void columns(const struct many *m, int64_t begin, int64_t end, int64_t first, int count) {
    const spry_matrix *matrix = m->rows;
    const spry_sell *sell = &matrix->sell;
    const int64_t height = sell->height;
    for (int64_t s = begin; s < end; s++) {
        const int64_t slot = slice_begin(matrix, s);
        for (int64_t p = s * height; p < (s + 1) * height && p < matrix->rows; p++) {
            const int64_t at = slot + p - s * height;
            const struct entries row = {(const idx_t *)sell->idx + at, (const stored_t *)sell->val + at,
                                        ((const idx_t *)sell->len)[p], height};
            row_columns(m, row, row_at(sell, p), first, count);
        }
    }
}

static void part(const struct many *m, int64_t begin, int64_t end) {
    all_columns(m, begin, end, columns);
}

#define ROWS(INDEX)                                                                                          \
    SPRY_DECODING(INDEX, "sell_many", SPRY_SELL, SPRY_N, .many = true, .run = CODED(spry_sell_many_run),     \
                  .part = (void (*)(void))part)

SPRY_SHARED_LISTS(spry_kernels_sell_many, ROWS)
