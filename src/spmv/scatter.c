/* SPDX-License-Identifier: BSD-3-Clause */
/* Products that scatter to y. Each part adds into a window of scratch memory, as wide as what it touches;
   then each thread adds up the windows, in order, over its share of y. So no two threads write to one
   place, and the same number of parts gives the same bits. */
#include <omp.h>
#include <string.h>

#include "core/scatter.h"
#include "core/team.h"
#include "spmv/parts.h"

static void scale(val_t *y, int64_t begin, int64_t end, val_t beta) {
    if (beta == 0)
        memset(y + begin, 0, (size_t)(end - begin) * sizeof *y);
    else if (beta != 1)
        for (int64_t j = begin; j < end; j++)
            y[j] *= beta;
}

static void add_windows(const struct spry_split *split, const val_t *windows, val_t *y, int64_t begin,
                        int64_t end) {
    for (int p = 0; p < split->parts; p++) {
        struct spry_window window = split->window[p];
        int64_t from = window.first > begin ? window.first : begin;
        int64_t to = window.first + window.count < end ? window.first + window.count : end;
        for (int64_t j = from; j < to; j++)
            y[j] += windows[j - window.first];
        windows += window.count;
    }
}

/* Of columns, which are as many as the matrix's: rows as long as they would be in CSR are what is known of it. Each part
   clears a window of y, adds to it, and it is added to y. */
union spry_terms SHARED(spry_scatter_work)(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    double window = spry_window_share(features) + 1.0 / parts,
           windows = (double)features->rows * sizeof(val_t) * (window < 1 ? window : 1) * parts;
    union spry_terms amounts =
        spry_traffic(candidate, candidate->bytes + (parts > 1 ? 3 * windows : 0), parts);
    amounts.extra = parts > 1;
    amounts.units = (double)features->cols / parts;
    amounts.entries = (double)features->nnz / parts;
    return amounts;
}

spry_status SHARED(spry_scatter_run)(spry_context *context, const struct spry_kernel *kernel,
                                     const spry_matrix *matrix, const struct spry_product *product) {
    NAME(spry_scatter_part) *part = (NAME(spry_scatter_part) *)kernel->part;
    const struct spry_split *split = spry_scatter_split(matrix, kernel->op);
    int64_t outputs = kernel->op == SPRY_N ? matrix->rows : matrix->cols;
    const val_t alpha = (val_t)product->alpha, beta = (val_t)product->beta, *x = product->x;
    val_t *y = product->y, *windows = context->scratch;
    if (split->parts == 1) {
        scale(y, 0, outputs, beta);
        part(matrix, split->cut, alpha, x, y);
        return SPRY_OK;
    }
#pragma omp parallel num_threads(spry_team(split->threads))
    {
        int team = omp_get_num_threads();
        val_t *window = windows;
        for (int p = 0; p < split->parts; p++) {
            size_t count = (size_t)split->window[p].count;
            if (p % team == omp_get_thread_num() && count > 0) {
                memset(window, 0, count * sizeof *window);
                part(matrix, &split->cut[p], alpha, x, window - split->window[p].first);
            }
            window += count;
        }
#pragma omp barrier
        int64_t begin = spry_share(outputs, omp_get_thread_num(), team);
        int64_t end = spry_share(outputs, omp_get_thread_num() + 1, team);
        scale(y, begin, end, beta);
        add_windows(split, windows, y, begin, end);
    }
    return SPRY_OK;
}
