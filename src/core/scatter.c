/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "core/scatter.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "core/saturate.h"
#include "core/team.h"

struct spry_scatter {
    spry_op op;
    spry_cut_function *cut;
    spry_span_function *span;
    int most;          /* parts that there is room for */
    atomic_bool made;  /* once it is, nothing here changes */
    atomic_long maker; /* number of the process whose thread makes it; 0: none does */
    struct spry_split split;
    struct spry_cut cuts[]; /* most + 1, and most windows after them */
};

static size_t bytes_for(int parts) {
    return sizeof(struct spry_scatter) + ((size_t)parts + 1) * sizeof(struct spry_cut) +
           (size_t)parts * sizeof(struct spry_window);
}

spry_status spry_plan_scatter(spry_context *context, spry_matrix *matrix, spry_op op, spry_cut_function *cut,
                              spry_span_function *span) {
    const int most = spry_split_parts(context, matrix, op);
    void *pointer;
    spry_status status = spry_allocate(context, bytes_for(most), 1, &pointer);
    if (status)
        return status;
    struct spry_scatter *scatter = pointer;
    *scatter = (struct spry_scatter){.op = op, .cut = cut, .span = span, .most = most};
    scatter->split.threads = most;
    scatter->split.cut = scatter->cuts;
    scatter->split.window = (struct spry_window *)(scatter->cuts + most + 1);
    matrix->scatter[op] = scatter;
    return SPRY_OK;
}

void spry_scatter_free(spry_matrix *matrix, spry_op op) {
    const struct spry_scatter *scatter = matrix->scatter[op];
    if (scatter)
        spry_release(&matrix->allocator, matrix->scatter[op], bytes_for(scatter->most), 1);
}

/* How many outputs all windows have together. */
static int64_t open_windows(const spry_matrix *matrix, const struct spry_scatter *scatter) {
    const struct spry_split *split = &scatter->split;
    int64_t total = 0;
#pragma omp parallel for num_threads(spry_team(split->threads)) schedule(static, 1)
    for (int p = 0; p < split->parts; p++)
        split->window[p] = scatter->span(matrix, &split->cut[p]);
    for (int p = 0; p < split->parts; p++)
        total = spry_sum_counts(total, split->window[p].count);
    return total;
}

/* A window is written, cleared and read again where an entry of the matrix is read once: together they may be as many as the
   entries, or little more than the outputs, which a band gives, unless nearly all the outputs are empty. */
static int64_t most_outputs(const spry_matrix *matrix, spry_op op) {
    const int64_t outputs = op == SPRY_N ? matrix->rows : matrix->cols,
                  band = spry_sum_counts(outputs, outputs / 8), few = spry_multiply_counts(4, matrix->nnz),
                  most = band < few ? band : few;
    return matrix->nnz > most ? matrix->nnz : most;
}

static void make(const spry_matrix *matrix, struct spry_scatter *scatter) {
    struct spry_split *split = &scatter->split;
    const int64_t most = most_outputs(matrix, scatter->op);
    for (split->parts = scatter->most;; split->parts /= 2) {
        scatter->cut(matrix, split);
        if (split->parts == 1)
            return;
        const int64_t total = open_windows(matrix, scatter);
        if (total > most)
            continue;
        split->scratch = spry_multiply_sizes((size_t)total, spry_type_size(matrix->type));
        return;
    }
}

/* Whether the calling thread is to make it. A child of fork that was begun meanwhile has a maker that does not exist there:
   this is why no mutex is waited for. */
static bool claim(struct spry_scatter *scatter) {
    const long here = (long)getpid();
    long maker = atomic_load_explicit(&scatter->maker, memory_order_relaxed);
    return maker != here && atomic_compare_exchange_strong_explicit(
                                &scatter->maker, &maker, here, memory_order_relaxed, memory_order_relaxed);
}

static bool is_made(const struct spry_scatter *scatter) {
    return atomic_load_explicit(&scatter->made, memory_order_acquire);
}

const struct spry_split *spry_scatter_split(const spry_matrix *matrix, spry_op op) {
    static const struct timespec moment = {.tv_nsec = 20000};
    struct spry_scatter *scatter = matrix->scatter[op];
    while (!is_made(scatter))
        if (claim(scatter)) {
            make(matrix, scatter);
            atomic_store_explicit(&scatter->made, true, memory_order_release);
        } else {
            (void)nanosleep(&moment, NULL);
        }
    return &scatter->split;
}
