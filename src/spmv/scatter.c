/* SPDX-License-Identifier: BSD-3-Clause */
/* Products that scatter to y. Each part adds what only it touches of y to y itself, and the rest into a window of scratch
   memory; then each thread adds up the windows, in order, over its share of y. So no two threads write to one place, and the
   same number of parts gives the same bits. */
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

/* What a product is, for each of its parts. */
struct scattering {
    const struct spry_scatter_split *split;
    const spry_matrix *matrix;
    NAME(spry_scatter_part) * add;
    val_t alpha, beta;
    const val_t *x;
    val_t *y;
};

/* The first pieces of a part. */
static void fill_window(const struct scattering *product, const struct spry_scatter_part *part,
                        val_t *window) {
    if (part->window.count == 0)
        return;
    memset(window, 0, (size_t)part->window.count * sizeof *window);
    for (int i = part->begin; i < part->direct; i++)
        product->add(product->matrix, &product->split->cut[i], product->alpha, product->x,
                     window - part->window.first);
}

/* The other pieces. y is scaled as far as each of them reaches just before, so that it is near at hand. */
static void add_to_own(const struct scattering *product, const struct spry_scatter_part *part) {
    const int64_t end = spry_window_end(part->own);
    int64_t done = part->own.first;
    for (int i = part->direct; i < part->end; i++) {
        const int64_t reach = spry_window_end(product->split->touched[i]);
        if (reach > done) {
            scale(product->y, done, reach, product->beta);
            done = reach;
        }
        product->add(product->matrix, &product->split->cut[i], product->alpha, product->x, product->y);
    }
    scale(product->y, done, end, product->beta);
}

static void add_windows(const struct spry_scatter_split *split, const val_t *windows, val_t *y, int64_t begin,
                        int64_t end) {
    for (int p = 0; p < split->parts; p++) {
        struct spry_window window = split->part[p].window;
        int64_t from = window.first > begin ? window.first : begin;
        int64_t to = spry_window_end(window) < end ? spry_window_end(window) : end;
        for (int64_t j = from; j < to; j++)
            y[j] += windows[j - window.first];
        windows += window.count;
    }
}

/* Of columns, which are as many as the matrix's: rows as long as they would be in CSR are what is known of it. Prices are
   fitted to this: as if each part but the first cleared a window of y as long as what it touches, added to it, and it were added to y; of
   a band, only the pieces where parts meet have windows (core/scatter.h). */
union spry_terms SHARED(spry_scatter_work)(const struct spry_candidate *candidate) {
    const struct spry_features *features = candidate->features;
    int parts = spry_candidate_parts(candidate);
    double window = spry_window_share(features) + 1.0 / parts,
           windows = (double)features->rows * sizeof(val_t) * (window < 1 ? window : 1) * (parts - 1);
    union spry_terms amounts = spry_traffic(candidate, candidate->bytes + 3 * windows, parts);
    amounts.extra = parts > 1;
    amounts.units = (double)features->cols / parts;
    amounts.entries = (double)features->nnz / parts;
    return amounts;
}

spry_status SHARED(spry_scatter_run)(spry_context *context, const struct spry_kernel *kernel,
                                     const spry_matrix *matrix, const struct spry_product *asked) {
    const struct spry_scatter_split *split = spry_scatter_split(matrix, kernel->op);
    const int64_t outputs = spry_outputs(matrix, kernel->op);
    const struct scattering product = {.split = split,
                                       .matrix = matrix,
                                       .add = (NAME(spry_scatter_part) *)kernel->part,
                                       .alpha = (val_t)asked->alpha,
                                       .beta = (val_t)asked->beta,
                                       .x = asked->x,
                                       .y = asked->y};
    if (split->parts == 1) {
        add_to_own(&product, split->part);
        return SPRY_OK;
    }
#pragma omp parallel num_threads(spry_team(split->threads))
    {
        const int team = omp_get_num_threads(), self = omp_get_thread_num();
        val_t *window = context->scratch;
        for (int p = 0; p < split->parts; p++) {
            if (p % team == self) {
                fill_window(&product, &split->part[p], window);
                add_to_own(&product, &split->part[p]);
            }
            window += split->part[p].window.count;
        }
#pragma omp barrier
        add_windows(split, context->scratch, product.y, spry_share(outputs, self, team),
                    spry_share(outputs, self + 1, team));
    }
    return SPRY_OK;
}
