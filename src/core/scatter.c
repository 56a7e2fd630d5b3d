/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "core/scatter.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "core/saturate.h"
#include "core/team.h"

/* Pieces of a part at most. Of a band, one in so many adds to a window, and y is cleared by so much of it at a time; and each
   piece has to be begun. */
#define MOST_PIECES 16

struct spry_scatter {
    spry_op op;
    spry_cut_function *cut;
    spry_span_function *span;
    int most, pieces;  /* parts that there is room for, and pieces of each */
    atomic_bool made;  /* once it is, nothing here changes */
    atomic_long maker; /* number of the process whose thread makes it; 0: none does */
    struct spry_scatter_split split;
    struct spry_cut cuts[]; /* of most · pieces, with what they touch and the parts behind them */
};

static size_t bytes_for(int most, int pieces) {
    const size_t parts = (size_t)most, all = parts * (size_t)pieces;
    return sizeof(struct spry_scatter) + (all + 1) * sizeof(struct spry_cut) +
           all * sizeof(struct spry_window) + parts * sizeof(struct spry_scatter_part);
}

/* One for each grain of work. */
static int pieces_for(const spry_context *context, const spry_matrix *matrix, spry_op op, int parts) {
    const int64_t grains = spry_sum_counts(matrix->nnz, spry_outputs(matrix, op)) / context->grain / parts;
    return parts == 1 || grains < 1 ? 1 : grains < MOST_PIECES ? (int)grains : MOST_PIECES;
}

spry_status spry_plan_scatter(spry_context *context, spry_matrix *matrix, spry_op op, spry_cut_function *cut,
                              spry_span_function *span) {
    const int most = spry_split_parts(context, matrix, op), pieces = pieces_for(context, matrix, op, most);
    void *pointer;
    spry_status status = spry_allocate(context, bytes_for(most, pieces), 1, &pointer);
    if (status)
        return status;
    struct spry_scatter *scatter = pointer;
    *scatter = (struct spry_scatter){.op = op, .cut = cut, .span = span, .most = most, .pieces = pieces};
    scatter->split.threads = most;
    scatter->split.cut = scatter->cuts;
    scatter->split.touched = (struct spry_window *)(scatter->cuts + most * pieces + 1);
    scatter->split.part = (struct spry_scatter_part *)(scatter->split.touched + most * pieces);
    matrix->scatter[op] = scatter;
    return SPRY_OK;
}

spry_status spry_plan_by_rows(spry_context *context, spry_matrix *matrix, spry_cut_function *cut,
                              spry_span_function *span) {
    spry_status status = spry_plan_gather(context, matrix, SPRY_N, cut);
    return status ? status : spry_plan_scatter(context, matrix, SPRY_T, cut, span);
}

void spry_scatter_free(spry_matrix *matrix, spry_op op) {
    const struct spry_scatter *scatter = matrix->scatter[op];
    if (scatter)
        spry_release(&matrix->allocator, matrix->scatter[op], bytes_for(scatter->most, scatter->pieces), 1);
}

/* Both, and what is between them. */
static struct spry_window join(struct spry_window a, struct spry_window b) {
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;
    const int64_t first = a.first < b.first ? a.first : b.first,
                  end = spry_window_end(a) > spry_window_end(b) ? spry_window_end(a) : spry_window_end(b);
    return (struct spry_window){first, end - first};
}

/* The part that these pieces are, where y belongs to earlier ones up to `from`. */
static struct spry_scatter_part part_of(const struct spry_window *touched, int begin, int end, int64_t from) {
    struct spry_scatter_part part = {.begin = begin, .direct = begin, .end = end, .own = {from, 0}};
    for (int i = begin; i < end; i++) {
        if (touched[i].count > 0 && touched[i].first < from)
            part.direct = i + 1;
        if (spry_window_end(touched[i]) > spry_window_end(part.own))
            part.own.count = spry_window_end(touched[i]) - from;
    }
    for (int i = begin; i < part.direct; i++)
        part.window = join(part.window, touched[i]);
    return part;
}

/* The parts, from what the pieces touch. Returns how many outputs all windows have together. */
static int64_t make_parts(struct spry_scatter_split *split, int pieces, int64_t outputs) {
    int64_t from = 0, total = 0;
    for (int p = 0; p < split->parts; p++) {
        split->part[p] = part_of(split->touched, p * pieces, (p + 1) * pieces, from);
        from = spry_window_end(split->part[p].own);
        total = spry_sum_counts(total, split->part[p].window.count);
    }
    split->part[split->parts - 1].own.count += outputs - from;
    return total;
}

static void look_at_pieces(const spry_matrix *matrix, const struct spry_scatter *scatter, int count) {
    const struct spry_scatter_split *split = &scatter->split;
#pragma omp parallel for num_threads(spry_team(split->threads)) schedule(static)
    for (int i = 0; i < count; i++)
        split->touched[i] = scatter->span(matrix, &split->cut[i]);
}

/* A window is written, cleared and read again where an entry of the matrix is read once: together they may be as many as the
   entries, or little more than the outputs, which a band gives, unless nearly all the outputs are empty. */
static int64_t most_outputs(const spry_matrix *matrix, int64_t outputs) {
    const int64_t band = spry_sum_counts(outputs, outputs / 8), few = spry_multiply_counts(4, matrix->nnz),
                  most = band < few ? band : few;
    return matrix->nnz > most ? matrix->nnz : most;
}

static void make(const spry_matrix *matrix, struct spry_scatter *scatter) {
    struct spry_scatter_split *split = &scatter->split;
    const int64_t outputs = spry_outputs(matrix, scatter->op), most = most_outputs(matrix, outputs);
    for (split->parts = scatter->most;; split->parts /= 2) {
        struct spry_split even = {.parts = split->parts == 1 ? 1 : split->parts * scatter->pieces,
                                  .cut = split->cut};
        scatter->cut(matrix, &even);
        if (split->parts == 1) {
            split->part[0] = (struct spry_scatter_part){.end = 1, .own = {0, outputs}};
            split->touched[0] = split->part[0].own;
            return;
        }
        look_at_pieces(matrix, scatter, even.parts);
        const int64_t total = make_parts(split, scatter->pieces, outputs);
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

const struct spry_scatter_split *spry_scatter_split(const spry_matrix *matrix, spry_op op) {
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
