/* SPDX-License-Identifier: BSD-3-Clause */
/* What a product with a matrix would do, in amounts that each machine has its prices for: see docs/selector.md. */
#ifndef SPRY_WORK_H
#define SPRY_WORK_H

#include "analysis/features.h"

/*
 * The terms of a product's cost. "Shared" amounts are those of one processor: a thread of the CPU, a multiprocessor of
 * a GPU.
 *
 * start    launches, or teams of threads woken
 * extra    parts of a product that wait for each other: a second launch, sums handed from block to block
 * critical steps of the longest row, one after the other, when others have done
 * near     bytes that come from the last-level cache, shared
 * far      bytes that come from memory
 * streams  those of `near` and `far` that are read from more places at once than a CPU's prefetch follows; on a GPU, that the
 *          nearest cache has lost before a row is gone on with
 * lines    cache lines of x that entries ask for, where the nearest cache does not hold x, shared
 * misses   those that the last-level cache does not hold either
 * steps    times through the inner loop, for a vector of entries or a warp of rows, shared
 * gathers  those of `steps` whose values of x do not lie beside each other, for kernels that look for that
 * units    rows, or groups of rows, begun, shared
 * entries  entries (or rows that are moved) handled one by one, shared
 * padding  slots of padding that lanes wait for, shared
 * branches rows that end where the branch predictor does not expect it, shared
 * decoding what codes are decoded before a kernel reads them: on a CPU, bytes of those of values, and columns; on a GPU slots of both; shared
 * carries  blocks that the sum of the longest row is handed on by
 */
#define SPRY_TERM_LIST(X)                                                                                    \
    X(start)                                                                                                 \
    X(extra)                                                                                                 \
    X(critical)                                                                                              \
    X(near)                                                                                                  \
    X(far)                                                                                                   \
    X(streams)                                                                                               \
    X(lines)                                                                                                 \
    X(misses)                                                                                                \
    X(steps)                                                                                                 \
    X(gathers)                                                                                               \
    X(units)                                                                                                 \
    X(entries)                                                                                               \
    X(padding)                                                                                               \
    X(branches)                                                                                              \
    X(decoding)                                                                                              \
    X(carries)

#define SPRY_TERM_NAME(name) SPRY_TERM_##name,
enum spry_term { SPRY_TERM_LIST(SPRY_TERM_NAME) SPRY_TERM_COUNT };

/* One number for each term: amounts of a product, or a machine's prices for them. */
union spry_terms {
#define SPRY_TERM_MEMBER(name) double name;
    struct {
        SPRY_TERM_LIST(SPRY_TERM_MEMBER)
    };
    double at[SPRY_TERM_COUNT];
};

/* A matrix as it would be in a format. Sizes are floating point, as they may be larger than any integer. */
struct spry_candidate {
    const spry_context *context;
    const spry_matrix *csr; /* what it would be made from */
    const spry_convert_options *options;
    const struct spry_features *features;
    spry_storage storage; /* with all parameters */
    double slots;         /* for entries, padding counted in */
    double bytes;         /* of its arrays */
    int64_t width;        /* of ELL, and of HYB's ELL part */
    double spilled;       /* HYB: entries of its COO part */
};

/* The terms in which formats differ by nothing but what they read: `bytes` of their arrays, and x and y, by so many
   processors. */
union spry_terms spry_traffic(const struct spry_candidate *candidate, double bytes, int processors);

/* What a product by this kernel would do, what reading codes takes included. */
union spry_terms spry_work_of(const struct spry_kernel *kernel, const struct spry_candidate *candidate);

/* On the CPU, parts that a product along the storage of so many entries and of all rows is split into; and of all entries. */
int spry_parts_over(const struct spry_candidate *candidate, double entries);
int spry_candidate_parts(const struct spry_candidate *candidate);

/* Into how many equal parts `rows` rows are in effect divided when they are dealt out in blocks of `block`; fewer than `parts` where
   there are few blocks. */
double spry_even_parts(double rows, double block, int parts);

/* Where rows are gone along side by side: steps of the longest row, of `longest` entries, that its thread is left with when each of the
   others has done its `steps`. */
double spry_steps_left(int64_t longest, double steps);

/* Of so many branches that go another way than the one before, dealt out to `parts` threads, those that the predictor of each does
   not know by heart from the product before. */
double spry_branch_misses(double changes, int parts);

/* What is left of all rows when they are cut into pieces of so many entries, a power of two. */
double spry_remainders(const struct spry_features *features, int piece);

/* About how many entries rows have that are longer than this. */
double spry_entries_of_longer(const struct spry_features *features, int64_t length);

/* Kinds of rows that a matrix has, its stencils or its shapes, and entries of all of them. */
void spry_expected_kinds(const struct spry_features *features, const struct spry_alike *alike, double *count,
                         double *entries);

/* Runs of rows that come back after alike->period rows, if only the one before them. */
double spry_expected_runs(const struct spry_features *features, const struct spry_alike *alike);
/* Entries of the first rows of all runs. */
double spry_expected_first_entries(const struct spry_features *features, const struct spry_alike *alike);

/* Of groups of `lanes` rows, the share whose columns do not follow each other from row to row. */
double spry_apart_share(const struct spry_features *features, int lanes);

/* The share of groups of `lanes` rows that are not all as long as each other, if rows of other lengths come anywhere. */
double spry_uneven_share(const struct spry_features *features, int lanes);

/* The share of x or y, around the diagonal, that neighbouring rows have in common. */
double spry_window_share(const struct spry_features *features);

/* The share of what is read from so many places at once that a CPU's prefetch does not follow. */
double spry_unfollowed(double streams);

/* The longest of each `lanes` rows, all added up, with `width` in place of longer ones. */
double spry_group_steps(const struct spry_features *features, int lanes, int64_t width);

/* Slots of slices of `lanes` rows, which are sorted by length within windows of so many; 1: they are as they are. */
double spry_slice_slots(const struct spry_features *features, int lanes, int64_t window);

/* Blocks of a size, and how many of them are full. */
struct spry_block_estimate {
    double blocks, full;
};

/* Of so many entries, by what was counted in a sample of them; as if all were full where it had none. */
struct spry_block_estimate spry_estimate_blocks(const struct spry_block_counts *counts, int64_t entries,
                                                int64_t height, int64_t width);

/* The same by the features. */
struct spry_block_estimate spry_blocks_of(const struct spry_features *features, int64_t height,
                                          int64_t width);

#endif
