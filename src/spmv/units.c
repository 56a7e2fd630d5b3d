/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of layouts whose rows lie in units: rows of blocks in BSR, slices in SELL. */
#include "codes/decode.h"
#include "core/team.h"
#include "formats/pointer.h"
#include "spmv/parts.h"

/* The first slot of unit u; past the last one, where that ends. */
static int64_t slot_of(const spry_matrix *matrix, const struct spry_units *units, int64_t u) {
    return pointer_at(matrix, units->ptr, u) * units->step;
}

/* Where the units end that are decoded together from unit u on. */
static int64_t decoded_units(const spry_matrix *matrix, const struct spry_units *units, int64_t u,
                             int64_t end) {
    const int64_t first = slot_of(matrix, units, u);
    int64_t stop = u + 1;
    while (stop < end && slot_of(matrix, units, stop + 1) - first <= SPRY_DECODE_NEAR)
        stop++;
    return stop;
}

/* Units begin … end - 1: all at once, or as many as are decoded together. */
static void some_units(NAME(spry_rows_part) * part, struct spry_decoder *decoder, int64_t begin, int64_t end,
                       const struct spry_product *product) {
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta;
    if (!spry_is_decoding(decoder)) {
        part(decoder->matrix, begin, end, alpha, product->x, beta, product->y);
        return;
    }
    const spry_matrix *matrix = decoder->matrix;
    const struct spry_units units = spry_format_code(matrix)->units(matrix);
    spry_matrix plain = *matrix;
    for (int64_t u = begin, stop; u < end; u = stop) {
        stop = decoded_units(matrix, &units, u, end);
        const int64_t first = slot_of(matrix, &units, u);
        SHARED(spry_decode_units)(decoder, u, first, slot_of(matrix, &units, stop) - first, &plain);
        part(&plain, u, stop, alpha, product->x, beta, product->y);
    }
}

/* Σ w[i] y[i] over the rows of units begin … end - 1. */
static double dot_units(const spry_matrix *matrix, const struct spry_units *units, int64_t begin, int64_t end,
                        const val_t *w, const val_t *y) {
    const int64_t rows = matrix->rows, first = begin * units->height, all = end * units->height,
                  last = all < rows ? all : rows;
    const idx_t *perm = units->perm;
    double sum = 0;
    if (!perm)
        return spry_near_dot(w, y, first, last);
    for (int64_t p = first; p < last; p++)
        sum += (double)w[perm[p]] * (double)y[perm[p]];
    return sum;
}

/* The product of a part, and what it adds to the sum: a few units at a time, while y is near at hand. */
static double dot_part(NAME(spry_rows_part) * part, struct spry_decoder *decoder, const struct spry_cut *cut,
                       const struct spry_product *product) {
    const spry_matrix *matrix = decoder->matrix;
    const struct spry_units units = spry_format_code(matrix)->units(matrix);
    const int64_t step = units.height < SPRY_DOT_ROWS ? SPRY_DOT_ROWS / units.height : 1;
    double sum = 0;
    for (int64_t u = cut[0].unit; u < cut[1].unit; u += step) {
        const int64_t end = cut[1].unit - u < step ? cut[1].unit : u + step;
        some_units(part, decoder, u, end, product);
        sum += dot_units(matrix, &units, u, end, product->w, product->y);
    }
    return sum;
}

/* One thread's share. */
static void run_part(const spry_context *context, const struct spry_kernel *kernel, const spry_matrix *matrix,
                     int p, const struct spry_product *product) {
    NAME(spry_rows_part) *part = (NAME(spry_rows_part) *)kernel->part;
    const struct spry_cut *cut = &matrix->plan.split[kernel->op].cut[p];
    struct spry_decoder decoder;
    SHARED(spry_set_decoder)(&decoder, kernel, matrix, context->scratch, p);
    if (product->partial)
        product->partial[p] = dot_part(part, &decoder, cut, product);
    else
        some_units(part, &decoder, cut[0].unit, cut[1].unit, product);
}

spry_status SHARED(spry_units_run)(spry_context *context, const struct spry_kernel *kernel,
                                   const spry_matrix *matrix, const struct spry_product *product) {
    const int parts = matrix->plan.split[kernel->op].parts;
    if (parts == 1) {
        run_part(context, kernel, matrix, 0, product);
        return SPRY_OK;
    }
#pragma omp parallel for num_threads(spry_team(parts)) schedule(static, 1)
    for (int p = 0; p < parts; p++)
        run_part(context, kernel, matrix, p, product);
    return SPRY_OK;
}
