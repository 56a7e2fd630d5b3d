/* SPDX-License-Identifier: BSD-3-Clause */
/* What the products of a matrix on a device need, prepared when it is built. */
#ifndef SPRY_CORE_CUDA_PLAN_H
#define SPRY_CORE_CUDA_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a block of segments begins. */
struct spry_segment_cut {
    int64_t begin; /* its first entry */
    int64_t
        open; /* the block in which the segment of that entry begins: this one where a segment begins here */
};

/*
 * Entries in the order of their rows (columns, for CSC), seen as segments of entries of one row, whatever their lengths.
 * They are dealt out to blocks, which are cut where segments begin if there is such a place nearby, and in a block to
 * `warps` warps, 32 × `words` consecutive entries to each; see spmv/segments.cuh. Arrays are on the device.
 */
struct spry_segments {
    int warps, words;             /* of a block; of ends, that a warp has. 0: the matrix has no such plan */
    int64_t blocks;               /* that cover all entries */
    struct spry_segment_cut *cut; /* a block each, and the end */
    uint32_t *ends;               /* a bit for each place of each warp: a segment has ended just before it */
    void *before;                 /* pointer, a warp each: segments that end before its entries */
    void *row;   /* index, a segment each: its row; null where segment and row are the same */
    void *empty; /* index: rows without entries, rising */
    int64_t count, empty_count;
    int64_t longest; /* entries of the longest segment; 0: nobody has asked */
};

/* JDS: slices of 32 sorted rows. Of those with more than `share` diagonals, which come first, warps take so many
   each; see spmv/jds.cu. */
struct spry_slices {
    int64_t share;
    int64_t deep, deep_warps; /* how many slices are that deep, and warps that they take */
    void *first_warp;         /* pointer, deep + 1 or more, on the device: number of the first warp of each */
};

/* SELL: groups of 32 neighbouring positions. Those with a row of more than `longest` entries are a block's each; see
   spmv/sell.cu. Stencils: the same of rows; see spmv/stencil.cu. */
struct spry_groups {
    int64_t longest;
    int64_t long_count; /* of such groups */
    void *long_group;   /* index, long_count, on the device: their numbers */
};

/* Stencils: groups of 32 neighbouring rows as products that scatter go through them, a tile of 8 entries of each row after the
   other; see spmv/scatter.cuh. */
struct spry_tiles {
    int64_t count;
    void *first; /* pointer, groups + 1, on the device: number of the first tile of each */
};

/* Stencils: which rows a thread has, `near` of them in each of `count` planes of so many rows; see spmv/stencil.cu. */
struct spry_planes {
    int near, count;
    int64_t rows;
};

/* The part of a matrix that passes through the last-level cache: so many bytes of an array, of which a share leaves it first; none
   where there is room for all that a product reads. See cuda/passing.c. */
struct spry_passing {
    void *array; /* on the device */
    size_t bytes;
    float share;
};

struct spry_cuda_plan {
    int lanes; /* ELL, SELL: threads that share a row; BSR: blocks of a row that are read at once */
    struct spry_segments segments; /* CSR, CSC, and COO in row order */
    struct spry_slices slices;     /* JDS */
    struct spry_groups groups;     /* SELL, stencils */
    struct spry_planes planes;     /* stencils */
    struct spry_tiles tiles;       /* stencils */
    void *typical;                 /* stencils: one, and what others have of it; see spmv/stencil.cuh */
    uint32_t *spill;               /* HYB: bit i % 32 of word i / 32: row i has entries in the COO part */
    void *spill_before;            /* HYB: pointer, a word each: such rows before the word's */
    struct spry_passing passing;
    size_t scratch[2]; /* bytes of workspace of a product that scatters, by operation */
    size_t partial;    /* bytes of workspace of the product that does not */
    size_t carry;      /* bytes of workspace that are zero before and after each product */
};

#endif
