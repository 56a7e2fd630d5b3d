/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entries of each format as terms a x of the outputs that a scattering product adds them to. Warps take tiles of
 * 32 × SPRY_TERMS entries: of COO, and of CSR, CSC and JDS wherever their slices begin and end, consecutive entries,
 * lane l those with number l, l + 32, … in the tile; of SELL, consecutive slots likewise; of ELL, stencils and
 * shapes, SPRY_TERMS slots or entries of 32 neighbouring rows, a row each lane; of DIA as many diagonals. So a row of
 * a million entries is no thread's work alone.
 */
#ifndef SPRY_SCATTER_CUH
#define SPRY_SCATTER_CUH

#include "cuda/find.cuh"
#include "formats/sell.cuh"
#include "formats/shape.cuh"

extern "C" {
#include "analysis/work.h"
#include "formats/bsr_blocks.h"
#include "formats/diagonals.h"
}

/* Bytes of workspace for a product that scatters. */
extern "C" size_t NAME(spry_scatter_scratch)(const spry_matrix *matrix, spry_op op);

#define SPRY_TERMS 8
#define SPRY_TERM_TILE (WARP * SPRY_TERMS)

/* What a lane has of a tile. `to` is -1 where it has nothing. */
struct terms {
    idx_t to[SPRY_TERMS];
    val_t a[SPRY_TERMS], x[SPRY_TERMS];
};

/* The slice that entry k lies in: the last i < slices with ptr[i] <= k. */
static __device__ inline int64_t find_slice(const ptr_t *ptr, int64_t slices, int64_t k) {
    return find_unit(slices, k, [&](int64_t i) { return ptr[i]; });
}

/* The same of entries k[0] and k[1] at once. */
static __device__ inline void find_slices(const ptr_t *ptr, int64_t slices, const int64_t (&k)[2],
                                          int64_t (&slice)[2]) {
    find_units(slices, k, slice, [&](int64_t i) { return ptr[i]; });
}

struct coo_entries {
    int64_t nnz;
    const idx_t *to, *from;
    const val_t *val, *x; /* x begins so much earlier that the base fits it */
    int base;

    __device__ void load(int64_t tile, terms &t) const {
        const int64_t begin = tile * SPRY_TERM_TILE + lane_number();
        idx_t source[SPRY_TERMS];
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++) {
            /* Past the last entry lanes repeat it, so that no load waits for a condition. */
            int64_t k = begin + s * WARP, at = k < nnz ? k : nnz - 1;
            t.to[s] = __ldg(to + at) - (idx_t)base;
            source[s] = __ldg(from + at);
            t.a[s] = __ldg(val + at);
            t.to[s] = k < nnz ? t.to[s] : -1;
        }
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++)
            t.x[s] = __ldg(x + source[s]);
    }
};

/* Rows of CSR, columns of CSC, where slice i goes with x[i]; diagonals of JDS, where entry e of any slice
   goes with x[perm[e]]. */
struct slice_entries {
    int64_t nnz, slices;
    const ptr_t *ptr;
    column_array idx;
    const idx_t *perm; /* null but for JDS */
    value_array val;
    const val_t *x;
    int base;

    __device__ void load(int64_t tile, terms &t) const {
        const int64_t begin = tile * SPRY_TERM_TILE,
                      end = begin + SPRY_TERM_TILE < nnz ? begin + SPRY_TERM_TILE : nnz;
        const int64_t edges[2] = {begin + base, end - 1 + base};
        int64_t slice[2];
        find_slices(ptr, slices, edges, slice);
        const ptr_t *first = ptr + slice[0];
        ptr_t key[SPRY_TERMS];   /* entry, as ptr counts */
        idx_t after[SPRY_TERMS]; /* its slice, counted from the first */
        stored_t stored[SPRY_TERMS];
        const auto place = [&](int s) {
            int64_t k = begin + s * WARP + lane_number();
            return k < end ? k : end - 1;
        };
        load_entries(idx, val, place, t.to, stored);
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++) {
            int64_t k = begin + s * WARP + lane_number(), at = place(s);
            t.to[s] = k < end ? t.to[s] - (idx_t)base : -1;
            key[s] = (ptr_t)(at + base);
            after[s] = 0;
        }
        for (idx_t left = (idx_t)(slice[1] - slice[0]) + 1; left > 1; left -= left / 2)
#pragma unroll
            for (int s = 0; s < SPRY_TERMS; s++)
                after[s] += first[after[s] + left / 2] <= key[s] ? left / 2 : 0;
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++)
            t.x[s] = __ldg(x + (perm ? perm[key[s] - first[after[s]]] : slice[0] + after[s]));
        values_of(val, stored, t.a);
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++)
            t.to[s] += t.to[s] < 0 ? 0 : base_of_row(idx, slice[0] + after[s]);
    }
};

struct ell_entries {
    int64_t rows, width, stride;
    const idx_t *len, *idx;
    const val_t *val, *x;

    __device__ void load(int64_t tile, terms &t) const {
        const int64_t across = (rows + WARP - 1) / WARP, i = tile % across * WARP + lane_number(),
                      begin = tile / across * SPRY_TERMS;
        const int64_t count = i < rows ? len[i] - begin : 0;
        const val_t factor = count > 0 ? __ldg(x + i) : 0;
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++) {
            t.to[s] = s < count ? __ldg(idx + (begin + s) * stride + i) : -1;
            t.a[s] = s < count ? __ldg(val + (begin + s) * stride + i) : 0;
            t.x[s] = factor;
        }
    }
};

/* Slot e of slice s belongs to position s * height + e % height. Past the end of its row it is padding, whose column may be
   anything. */
struct sell_entries {
    int64_t slots;
    slices sell;
    const val_t *x;

    __device__ void load(int64_t tile, terms &t) const {
        const int64_t begin = tile * SPRY_TERM_TILE,
                      end = begin + SPRY_TERM_TILE < slots ? begin + SPRY_TERM_TILE : slots;
        const int64_t edges[2] = {begin / sell.unit, (end - 1) / sell.unit};
        int64_t slice[2];
        find_slices(sell.ptr, sell.count, edges, slice);
        int64_t at[SPRY_TERMS], s[SPRY_TERMS];
        stored_t stored[SPRY_TERMS];
#pragma unroll
        for (int i = 0; i < SPRY_TERMS; i++) {
            const int64_t k = begin + i * WARP + lane_number();
            at[i] = k < end ? k : end - 1;
            s[i] = slice[0];
        }
        load_entries(
            sell.idx, sell.val, [&](int i) { return at[i]; }, t.to, stored);
        for (int64_t left = slice[1] - slice[0] + 1; left > 1; left -= left / 2)
#pragma unroll
            for (int i = 0; i < SPRY_TERMS; i++)
                s[i] += slice_begin(sell, s[i] + left / 2) <= at[i] ? left / 2 : 0;
#pragma unroll
        for (int i = 0; i < SPRY_TERMS; i++) {
            const int64_t slot = at[i] - slice_begin(sell, s[i]), p = s[i] * sell.height + slot % sell.height;
            const bool is_entry = begin + i * WARP + lane_number() < end && slot / sell.height < sell.len[p];
            t.to[i] = is_entry ? t.to[i] + base_of_group(sell.idx, s[i]) : -1;
            t.x[i] = is_entry ? __ldg(x + row_at(sell, p)) : 0;
        }
        values_of(sell.val, stored, t.a);
    }
};

/* Tiles of a group of rows are as many as the longest of them has. */
template <class Rows>
struct row_tiles {
    int64_t count, groups;
    const ptr_t *first; /* tile of each group */
    Rows a;
    const val_t *x;

    __device__ void load(int64_t tile, terms &t) const {
        const int64_t group = find_slice(first, groups, tile), i = group * WARP + lane_number(),
                      begin = (tile - first[group]) * SPRY_TERMS;
        const uint32_t number = i < a.rows ? number_of(a, i) : 0;
        const int64_t left = i < a.rows ? length_of(a, number) - begin : 0;
        const idx_t *offset = left > 0 ? a.offset + a.ptr[number] + begin : nullptr;
        const row_values value = left > 0 ? row_values_of(a, number, i) : row_values{nullptr, 0};
        const val_t factor = left > 0 ? __ldg(x + i) : 0;
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++) {
            t.to[s] = s < left ? (idx_t)(i + __ldg(offset + s)) : -1;
            t.a[s] = s < left ? __ldg(value.first + (begin + s) * value.step) : 0;
            t.x[s] = factor;
        }
    }
};

/* Place e belongs to block e / places. */
struct bsr_entries {
    int64_t slots;
    blocks bsr;
    value_array val;
    const val_t *x;

    __device__ void load(int64_t tile, terms &t) const {
        const int64_t begin = tile * SPRY_TERM_TILE,
                      end = begin + SPRY_TERM_TILE < slots ? begin + SPRY_TERM_TILE : slots;
        const int64_t edges[2] = {begin / bsr.places, (end - 1) / bsr.places};
        int64_t edge[2];
        find_slices(bsr.ptr, bsr.count, edges, edge);
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++) {
            const int64_t k = begin + s * WARP + lane_number(), at = k < end ? k : end - 1,
                          b = at / bsr.places;
            const int place = (int)(at % bsr.places), r = place / bsr.width, c = place % bsr.width;
            const bool is_entry = k < end && (mask_at(&bsr, b) >> place & 1);
            int64_t i = edge[0];
            for (int64_t left = edge[1] - edge[0] + 1; left > 1; left -= left / 2)
                i += bsr.ptr[i + left / 2] <= b ? left / 2 : 0;
            t.a[s] = value_of(val, load_stored(val, at));
            t.to[s] = is_entry ? (idx_t)((int64_t)__ldg(bsr.idx + b) * bsr.width + c) : -1;
            t.x[s] = is_entry ? __ldg(x + i * bsr.height + r) : 0;
        }
    }
};

/* SPRY_TERMS diagonals of 32 rows, wherever their slices begin and end. */
struct dia_entries {
    int64_t count; /* diagonals */
    diagonal_arrays dia;
    const val_t *x;

    __device__ void load(int64_t tile, terms &t) const {
        const int64_t begin = tile * SPRY_TERMS,
                      end = begin + SPRY_TERMS < count ? begin + SPRY_TERMS : count;
        const int64_t edges[2] = {begin, end - 1};
        int64_t edge[2];
        find_slices(dia.first, dia.slices, edges, edge);
        int64_t slice = edge[0];
#pragma unroll
        for (int s = 0; s < SPRY_TERMS; s++) {
            const int64_t d = begin + s < end ? begin + s : end - 1;
            while (slice < edge[1] && dia.first[slice + 1] <= d)
                slice++;
            const int64_t row = slice * WARP + lane_number();
            const bool is_entry = begin + s < end && (__ldg(dia.mask + d) >> lane_number() & 1);
            t.to[s] = is_entry ? (idx_t)(row + __ldg(dia.offset + d)) : -1;
            t.a[s] = __ldg(dia.val + d * WARP + lane_number());
            t.x[s] = is_entry ? __ldg(x + row) : 0;
        }
    }
};

template <class Entries>
static inline int64_t tiles_of(const Entries &entries) {
    return (entries.nnz + SPRY_TERM_TILE - 1) / SPRY_TERM_TILE;
}

static inline int64_t tiles_of(const sell_entries &entries) {
    return (entries.slots + SPRY_TERM_TILE - 1) / SPRY_TERM_TILE;
}

template <class Rows>
static inline int64_t tiles_of(const row_tiles<Rows> &entries) {
    return entries.count;
}

static inline int64_t tiles_of(const bsr_entries &entries) {
    return (entries.slots + SPRY_TERM_TILE - 1) / SPRY_TERM_TILE;
}

static inline int64_t tiles_of(const dia_entries &entries) {
    return (entries.count + SPRY_TERMS - 1) / SPRY_TERMS;
}

static inline int64_t tiles_of(const ell_entries &entries) {
    return (entries.rows + WARP - 1) / WARP * ((entries.width + SPRY_TERMS - 1) / SPRY_TERMS);
}

/* How each format's entries are found, for the operation that scatters. COO may scatter both ways. */
static inline coo_entries coo_entries_of(const spry_matrix *matrix, spry_op op, const void *x) {
    const spry_coo *coo = &matrix->coo;
    idx_t *row = as<idx_t>(coo->row), *col = as<idx_t>(coo->col);
    return {matrix->nnz,
            op == SPRY_N ? row : col,
            op == SPRY_N ? col : row,
            as<val_t>(coo->val),
            static_cast<const val_t *>(x) - coo->base,
            coo->base};
}

/* CSR and CSC. */
static inline slice_entries slice_entries_of(const spry_matrix *matrix, spry_op, const void *x) {
    const spry_csr *csr = &matrix->csr;
    return {matrix->nnz,
            matrix->format == SPRY_CSR ? matrix->rows : matrix->cols,
            as<ptr_t>(csr->ptr),
            column_array_of(matrix, csr->idx),
            nullptr,
            value_array_of(matrix, csr->val),
            static_cast<const val_t *>(x),
            csr->base};
}

static inline slice_entries jds_entries_of(const spry_matrix *matrix, spry_op, const void *x) {
    const spry_jds *jds = &matrix->jds;
    return {matrix->nnz,
            jds->diagonals,
            as<ptr_t>(jds->ptr),
            column_array_of(matrix, jds->idx),
            as<idx_t>(jds->perm),
            value_array_of(matrix, jds->val),
            static_cast<const val_t *>(x),
            0};
}

static inline sell_entries sell_entries_of(const spry_matrix *matrix, spry_op, const void *x) {
    return {matrix->sell.slots, slices_of(matrix), static_cast<const val_t *>(x)};
}

template <class Rows>
static inline row_tiles<Rows> row_tiles_of(const spry_matrix *matrix, const Rows &a, const void *x) {
    return {matrix->cuda.tiles.count, (matrix->rows + WARP - 1) / WARP, as<ptr_t>(matrix->cuda.tiles.first),
            a, static_cast<const val_t *>(x)};
}

static inline row_tiles<stencils> stencil_tiles_of(const spry_matrix *matrix, spry_op, const void *x) {
    return row_tiles_of(matrix, stencils_of(matrix), x);
}

static inline row_tiles<shapes> shape_tiles_of(const spry_matrix *matrix, spry_op, const void *x) {
    return row_tiles_of(matrix, shapes_of(matrix), x);
}

static inline bsr_entries bsr_entries_of(const spry_matrix *matrix, spry_op, const void *x) {
    const blocks a = blocks_of(matrix);
    return {matrix->bsr.blocks * a.places, a, value_array_of(matrix, matrix->bsr.val),
            static_cast<const val_t *>(x)};
}

static inline dia_entries dia_entries_of(const spry_matrix *matrix, spry_op, const void *x) {
    return {matrix->dia.diagonals, diagonal_arrays_of(matrix), static_cast<const val_t *>(x)};
}

static inline ell_entries ell_entries_of(const spry_matrix *matrix, spry_op, const void *x) {
    const spry_ell *ell = &matrix->ell;
    return {matrix->rows,
            ell->width,
            ell->stride,
            as<idx_t>(ell->len),
            as<idx_t>(ell->idx),
            as<val_t>(ell->val),
            static_cast<const val_t *>(x)};
}

#endif
