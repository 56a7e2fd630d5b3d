/* SPDX-License-Identifier: BSD-3-Clause */
/* SELL-C-σ from CSR and back: rows are sorted within windows, slices get the width of their longest row, and each thread
   fills whole slices. */
#include "formats/sell.h"

#include <string.h>

#include "codes/decode.h"
#include "convert/digits.h"
#include "convert/fill_limit.h"
#include "convert/renew.h"
#include "convert/slices.h"
#include "convert/sort_minor.h"
#include "core/saturate.h"
#include "core/table.h"
#include "core/team.h"
#include "formats/major.h"
#include "formats/sell_slices.h"
#include "primitives/pointers.h"

/* ---- rows in order ---- */

static int64_t longest_of(const compressed_t *rows, const idx_t *row, int64_t count) {
    int64_t longest = 0;
    for (int64_t k = 0; k < count; k++)
        longest = major_length(rows, row[k]) > longest ? major_length(rows, row[k]) : longest;
    return longest;
}

/* Put rows in the order of one digit of their lengths, the larger ones first, equal ones in their order. */
static void sort_by_digit(const compressed_t *rows, const idx_t *from, int64_t count, int shift, int bits,
                          idx_t *to) {
    const int64_t digits = (int64_t)1 << bits;
    idx_t place[SPRY_DIGITS] = {0}, before = 0;
    for (int64_t k = 0; k < count; k++)
        place[major_length(rows, from[k]) >> shift & (digits - 1)]++;
    for (int64_t digit = digits - 1; digit >= 0; digit--) {
        const idx_t alike = place[digit];
        place[digit] = before;
        before += alike;
    }
    for (int64_t k = 0; k < count; k++)
        to[place[major_length(rows, from[k]) >> shift & (digits - 1)]++] = from[k];
}

/* Sort the rows of a window by falling length, those of equal length in their order: by the lowest digit first (radix sort).
   `spare` has as much room. */
static void sort_window(const compressed_t *rows, idx_t *row, int64_t count, idx_t *spare) {
    const int64_t longest = longest_of(rows, row, count);
    const int bits = spry_digit_bits(count);
    idx_t *from = row, *to = spare;
    for (int shift = 0; spry_has_digits(longest, shift); shift += bits) {
        sort_by_digit(rows, from, count, shift, bits, to);
        idx_t *other = from;
        from = to;
        to = other;
    }
    if (from != row)
        memcpy(row, from, (size_t)count * sizeof *row);
}

/* Lengths of rows in their order, the width of each slice, and all slots. */
static void measure(const spry_context *context, const compressed_t *rows, spry_sell *sell) {
    int64_t slices = spry_sell_slices(rows->major, sell->height), height = sell->height, total = 0;
    idx_t *len = sell->len;
    ptr_t *ptr = sell->ptr;
#pragma omp parallel for num_threads(spry_team_over(context, rows->major)) reduction(+ : total)
    for (int64_t s = 0; s < slices; s++) {
        int64_t width = 0;
        for (int64_t p = s * height; p < (s + 1) * height; p++) {
            int64_t count = p < rows->major ? major_length(rows, row_at(sell, p)) : 0;
            len[p] = (idx_t)count;
            width = count > width ? count : width;
        }
        ptr[s] = (ptr_t)width;
        total += width;
    }
    sell->slots = spry_multiply_counts(total, height);
}

/* Sort all windows, in which rows of equal length are in their order, and measure the slices: rows in their order, or sorted in
   shorter windows. */
static spry_status sort_windows(spry_context *context, const compressed_t *rows, spry_sell *sell) {
    void *spare;
    spry_status status = spry_allocate(context, (size_t)rows->major, sizeof(idx_t), &spare);
    if (status)
        return status;
    const int64_t windows = spry_sell_slices(rows->major, sell->window);
#pragma omp parallel for num_threads(spry_team_over(context, rows->major)) schedule(dynamic)
    for (int64_t w = 0; w < windows; w++) {
        const int64_t begin = w * sell->window, left = rows->major - begin,
                      count = left < sell->window ? left : sell->window;
        sort_window(rows, (idx_t *)sell->perm + begin, count, (idx_t *)spare + begin);
    }
    spry_release(&context->allocator, spare, (size_t)rows->major, sizeof(idx_t));
    measure(context, rows, sell);
    return SPRY_OK;
}

/* The same, whatever rows were sorted in before. */
static spry_status sort_anew(spry_context *context, const compressed_t *rows, spry_sell *sell) {
    idx_t *perm = sell->perm;
#pragma omp parallel for num_threads(spry_team_over(context, rows->major))
    for (int64_t p = 0; p < rows->major; p++)
        perm[p] = (idx_t)p;
    return sort_windows(context, rows, sell);
}

/* Whether lengths rise nowhere within a window, so that sorting would move nothing. */
static bool is_in_order(const spry_context *context, const compressed_t *rows, int64_t window) {
    int rises = 0;
#pragma omp parallel for num_threads(spry_team_over(context, rows->major)) reduction(| : rises)
    for (int64_t i = 1; i < rows->major; i++)
        rises |= i % window != 0 && major_length(rows, i) > major_length(rows, i - 1);
    return !rises;
}

/* Slices in the window that was asked for. */
static spry_status sort_rows(spry_context *context, const compressed_t *rows, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    if (sell->window == 1 || is_in_order(context, rows, sell->window)) {
        sell->window = 1;
        measure(context, rows, sell);
        return SPRY_OK;
    }
    spry_status status = spry_matrix_array(context, matrix, rows->major, sizeof(idx_t), &sell->perm);
    if (status)
        return status;
    return sort_anew(context, rows, sell);
}

/* Slices in windows half as long for as long as threads would share most of them, and few slots are added. */
static spry_status shrink_window(spry_context *context, const compressed_t *rows, spry_sell *sell) {
    const int64_t longest = NAME(spry_longest)(context, rows),
                  most = spry_sell_slots_shrunk(sell->slots, rows->major, longest, sell->height);
    spry_status status = SPRY_OK;
    while (!status && sell->window > 1 && sell->slots <= most &&
           spry_sell_window_shrinks(context, sell->height, sell->window, rows->major, rows->nnz)) {
        sell->window /= 2;
        status = sort_anew(context, rows, sell);
    }
    if (status || sell->slots <= most)
        return status;
    sell->window *= 2;
    return sort_windows(context, rows, sell);
}

/* Slices in the library's own window: 1 where rows as they are fill them, or one that grows for as long as it does not. */
static spry_status choose_window(spry_context *context, const compressed_t *rows, spry_matrix *matrix) {
    spry_sell *sell = &matrix->sell;
    sell->window = 1;
    measure(context, rows, sell);
    if (spry_sell_is_full(sell->slots, rows->nnz))
        return SPRY_OK;
    sell->window = spry_sell_window(sell->height);
    spry_status status = sort_rows(context, rows, matrix);
    while (!status && sell->window > 1 && !spry_sell_is_fuller(sell->slots, rows->nnz) &&
           spry_sell_window_grows(context, sell->window, rows->major, rows->nnz)) {
        sell->window *= 2;
        status = sort_windows(context, rows, sell);
    }
    return status ? status : shrink_window(context, rows, sell);
}

/* ---- from CSR ---- */

static void fill_slice(const compressed_t *rows, const spry_matrix *matrix, int64_t s) {
    const spry_sell *sell = &matrix->sell;
    struct slice slice = slice_at(matrix, s);
    idx_t *idx = (idx_t *)sell->idx + slice.first;
    val_t *val = (val_t *)sell->val + slice.first;
    for (int64_t r = 0; r < sell->height; r++) {
        int64_t p = s * sell->height + r, count = ((const idx_t *)sell->len)[p];
        int64_t first = count > 0 ? rows->ptr[row_at(sell, p)] : 0;
        for (int64_t k = 0; k < count; k++) {
            idx[k * sell->height + r] = rows->idx[first + k];
            val[k * sell->height + r] = rows->val[first + k];
        }
        idx_t last = count > 0 ? rows->idx[first + count - 1] : 0;
        for (int64_t k = count; k < slice.width; k++) {
            idx[k * sell->height + r] = last;
            val[k * sell->height + r] = 0;
        }
    }
}

static spry_status from_csr(spry_context *context, const spry_matrix *csr,
                            const spry_convert_options *options, spry_matrix *matrix) {
    compressed_t rows = NAME(spry_compressed_of)(csr);
    spry_sell *sell = &matrix->sell;
    int64_t slices = spry_sell_slices(matrix->rows, sell->height);
    spry_status status = spry_check_longest(context, csr->index, NAME(spry_longest)(context, &rows));
    matrix->sorted = matrix->fills_padding = true;
    if (!status)
        status = spry_matrix_array(context, matrix, slices + 1, sizeof(ptr_t), &sell->ptr);
    if (!status)
        status = spry_matrix_array(context, matrix, slices * sell->height, sizeof(idx_t), &sell->len);
    if (!status)
        status =
            sell->window == 0 ? choose_window(context, &rows, matrix) : sort_rows(context, &rows, matrix);
    if (status)
        return status;
    status = NAME(spry_point_to_slices)(context, csr, options, matrix, sell->height, sell->ptr);
    if (!status)
        status = spry_matrix_entry_arrays(context, matrix, &sell->idx, &sell->val, sell->slots);
    if (status)
        return status;
#pragma omp parallel for num_threads(spry_team_over(context, sell->slots)) schedule(dynamic, 16)
    for (int64_t s = 0; s < slices; s++)
        fill_slice(&rows, matrix, s);
    return SPRY_OK;
}

/* ---- to CSR ---- */

static spry_status to_csr(spry_context *context, const spry_matrix *matrix,
                          const spry_convert_options *options, spry_matrix *csr) {
    (void)options;
    spry_status status = spry_matrix_csr_arrays(context, csr);
    if (status)
        return status;
    compressed_t rows = NAME(spry_compressed_of)(csr);
    const spry_sell *sell = &matrix->sell;
    const idx_t *len = sell->len, *idx = sell->idx;
    const val_t *val = sell->val;
    for (int64_t p = 0; p < rows.major; p++)
        rows.ptr[row_at(sell, p)] = (ptr_t)len[p];
    NAME(spry_scan)(context, rows.ptr, rows.major);
#pragma omp parallel for num_threads(spry_team_over(context, rows.nnz)) schedule(dynamic, 128)
    for (int64_t p = 0; p < rows.major; p++) {
        int64_t slot = first_slot(matrix, p);
        ptr_t first = rows.ptr[row_at(sell, p)];
        for (int64_t k = 0; k < len[p]; k++, slot += sell->height) {
            rows.idx[first + k] = idx[slot];
            rows.val[first + k] = val[slot];
        }
    }
    return matrix->sorted ? SPRY_OK : NAME(spry_sort_minor)(context, &rows);
}

/* ---- new values ---- */

/* How many of a slice's positions have rows. */
static int64_t rows_in_slice(const spry_matrix *matrix, int64_t s) {
    const int64_t height = matrix->sell.height, left = matrix->rows - s * height;
    return left < height ? left : height;
}

static bool is_same_slice(const compressed_t *rows, const spry_matrix *matrix, int64_t s) {
    const spry_sell *sell = &matrix->sell;
    const int64_t height = sell->height, first_slot = slice_begin(matrix, s);
    const idx_t *len = (const idx_t *)sell->len + s * height;
    for (int64_t r = 0; r < rows_in_slice(matrix, s); r++) {
        const int64_t row = row_at(sell, s * height + r), first = rows->ptr[row] - rows->base;
        if (len[r] != major_length(rows, row))
            return false;
        for (int64_t k = 0, slot = first_slot + r; k < len[r]; k++, slot += height)
            if (spry_decoded_column(matrix, sell->idx, s, slot) != rows->idx[first + k] - rows->base)
                return false;
    }
    return true;
}

static void take_slice(const compressed_t *rows, const spry_matrix *matrix, int64_t s) {
    const spry_sell *sell = &matrix->sell;
    const int64_t height = sell->height, first_slot = slice_begin(matrix, s);
    const idx_t *len = (const idx_t *)sell->len + s * height;
    val_t *val = sell->val;
    for (int64_t r = 0; r < rows_in_slice(matrix, s); r++) {
        const int64_t first = rows->ptr[row_at(sell, s * height + r)] - rows->base;
        for (int64_t k = 0, slot = first_slot + r; k < len[r]; k++, slot += height)
            val[slot] = rows->val[first + k];
    }
}

static spry_status update(spry_context *context, spry_matrix *matrix, const spry_matrix *csr) {
    if (!matrix->sorted)
        return spry_refuse_sell_update(context);
    const compressed_t rows = NAME(spry_compressed_of)(csr);
    const struct NAME(spry_renewal)
        renewal = {spry_sell_slices(matrix->rows, matrix->sell.height), is_same_slice, take_slice};
    return NAME(spry_renew)(context, &rows, matrix, &renewal);
}

const struct spry_convert_code NAME(spry_sell_convert) = {
    .from_csr = from_csr,
    .to_csr = to_csr,
    .update = update,
    .reads_columns = true,
};
