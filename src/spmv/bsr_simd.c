/* SPDX-License-Identifier: BSD-3-Clause */
/* BSR with vector registers: a register holds rows of a block, as many as fit one behind the other, so that what they are multiplied
   by is put together once for all registers of the block. Lanes are added up at the end of a row of blocks. A row of a block
   that is longer than a register is added to one in several pieces. */
#include "core/cover.h"
#include "spmv/bsr.h"
#include "spmv/simd.h"

/* Registers that a block takes, at most. Of one that takes so few, every other has registers of its own, so that fewer additions
   wait for each other. */
#define REGISTERS SPRY_BLOCK_MOST
#define IN_TURNS 2

/* What is INLINE here is told by constants, wherever it ends up, how many registers a block takes and whether its rows are in pieces; and
   of some blocks how high and wide they are. */

/* How a block lies in registers. */
struct tiling {
    int height, width, places;
    int together;          /* rows in a register, as far as the block has so many */
    int32_t column[LANES]; /* of the block, in each lane; where a row is in pieces, unused */
};

INLINE int rows_together(int height, int width) {
    const int fit = width < LANES ? LANES / width : 1;
    return fit < height ? fit : height;
}

INLINE int registers_of(int height, int width) {
    const int together = rows_together(height, width);
    return (int)spry_cover(height, together);
}

INLINE struct tiling tiling_of(int height, int width) {
    struct tiling tiling = {height, width, height * width, rows_together(height, width), {0}};
    for (int lane = 0; lane < LANES; lane++)
        tiling.column[lane] = lane % width;
    return tiling;
}

/* Where the last piece of a row in pieces begins: most instruction sets have two, known when this is compiled. */
INLINE int last_piece(const struct tiling *t) {
    return SPRY_BLOCK_MOST <= 2 * LANES ? LANES : (t->width - 1) / LANES * LANES;
}

/* Add the products of a block, all of whose places are entries. Lanes past a row may have values of the next one. */
INLINE void add_block(const struct tiling *t, int registers, bool in_pieces, const stored_t *val,
                      const val_t *x, vec *sum) {
    const int step = t->together * t->width;
    if (!in_pieces) {
        const vec factor = t->width == LANES  ? v_load(x)
                           : t->together == 1 ? v_load_first(x, t->width)
                                              : v_spread(x, t->width, t->column);
        for (int n = 0; n < registers; n++)
            sum[n] = v_fma(v_load_stored(val + n * step), factor, sum[n]);
        return;
    }
    const int last = last_piece(t), rest = t->width - last;
    for (int c = 0; c < last; c += LANES) {
        const vec factor = v_load(x + c);
        for (int n = 0; n < registers; n++)
            sum[n] = v_fma(v_load_stored(val + n * step + c), factor, sum[n]);
    }
    const vec factor = v_load_first(x + last, rest);
    for (int n = 0; n < registers; n++)
        sum[n] = v_fma(v_load_stored_first(val + n * step + last, rest), factor, sum[n]);
}

/* The same of a block, whose entries alone count, and no other value or x is read. */
INLINE void add_entries(const struct tiling *t, int registers, bool in_pieces, const stored_t *val,
                        uint64_t mask, const val_t *x, int64_t columns, vec *sum) {
    const int width = columns < t->width ? (int)columns : t->width, step = t->together * t->width;
    for (int c = 0; c < (in_pieces ? t->width : 1); c += LANES) {
        const vec factor = in_pieces ? v_load_first(x + c, width - c) : v_spread(x, width, t->column);
        for (int n = 0; n < registers; n++) {
            const int first = n * step + c, rest = (in_pieces ? (n + 1) * step : t->places) - first,
                      most = in_pieces ? LANES : step, held = rest < most ? rest : most;
            sum[n] = v_fma_some(v_load_stored_first(val + first, held), factor, sum[n],
                                mask >> first & spry_bsr_full_mask(held));
        }
    }
}

/* Add blocks b and b + 1, all of whose places are entries: one to `sum`, one to `odd`. */
INLINE void add_two(const struct tiling *t, int registers, bool in_pieces, const struct blocks *a, int64_t b,
                    const val_t *x, vec *sum, vec *odd) {
    const int64_t width = t->width;
    const stored_t *val = block_values(a, b);
    add_block(t, registers, in_pieces, val, x + a->idx[b] * width, sum);
    add_block(t, registers, in_pieces, val + t->places, x + a->idx[b + 1] * width, odd);
}

/* The blocks of a row of blocks. */
struct block_row {
    int64_t begin, end;
    /* Where those end, from the first on, that are known to have entries in all places and to be loaded whole. */
    int64_t full;
    int64_t whole; /* before which block of the matrix others may be loaded whole */
};

INLINE bool is_full(const struct tiling *t, const struct blocks *a, int64_t b) {
    return mask_at(a, b) == spry_bsr_full_mask(t->places);
}

/* Add block b, whichever it is. */
INLINE void add_any(const struct tiling *t, int registers, bool in_pieces, const struct blocks *a, int64_t b,
                    int64_t whole, const val_t *x, vec *sum) {
    const int64_t column = (int64_t)a->idx[b] * t->width;
    if (b < whole && is_full(t, a, b))
        add_block(t, registers, in_pieces, block_values(a, b), x + column, sum);
    else
        add_entries(t, registers, in_pieces, block_values(a, b), mask_at(a, b), x + column, a->cols - column,
                    sum);
}

INLINE void copy_sums(int registers, const vec *from, vec *to) {
#pragma GCC unroll 8
    for (int n = 0; n < registers; n++)
        to[n] = from[n];
}

/* Add the blocks from b on, before `whole`, whose masks say that all places are entries; those that take turns by pairs. Where they end.
   Sums are copied, as the compiler would store with each block what add_any sees. */
INLINE int64_t add_full(const struct tiling *t, int registers, bool in_pieces, const struct blocks *a,
                        int64_t b, int64_t whole, const val_t *x, vec *sum, vec *odd) {
    const bool turns = registers <= IN_TURNS;
    const idx_t *idx = a->idx;
    const int64_t width = t->width;
    vec s[REGISTERS], o[REGISTERS];
    copy_sums(registers, sum, s);
    if (turns)
        copy_sums(registers, odd, o);
    for (; turns && b + 1 < whole && is_full(t, a, b) && is_full(t, a, b + 1); b += 2)
        add_two(t, registers, in_pieces, a, b, x, s, o);
    for (; !turns && b < whole && is_full(t, a, b); b++)
        add_block(t, registers, in_pieces, block_values(a, b), x + idx[b] * width, s);
    copy_sums(registers, s, sum);
    if (turns)
        copy_sums(registers, o, odd);
    return b;
}

/* The registers of a row of blocks. Which of them a block is added to goes by its place in the row alone, so that bits do not
   depend on how rows are dealt out. Without masks a loop of its own, without copies, which cost blocks of five or six registers a
   tenth. */
INLINE void sum_blocks(const struct tiling *t, int registers, bool in_pieces, const struct blocks *a,
                       struct block_row row, const val_t *x, vec *sum) {
    const bool turns = registers <= IN_TURNS;
    const idx_t *idx = a->idx;
    const int64_t width = t->width;
    vec odd[REGISTERS];
    int64_t b = row.begin;
    for (int n = 0; n < registers; n++)
        sum[n] = odd[n] = v_zero();
    for (; turns && b + 1 < row.full; b += 2)
        add_two(t, registers, in_pieces, a, b, x, sum, odd);
    for (; !turns && b < row.full; b++)
        add_block(t, registers, in_pieces, block_values(a, b), x + idx[b] * width, sum);
    while (b < row.end) {
        if (a->mask)
            b = add_full(t, registers, in_pieces, a, b, row.whole, x, sum, odd);
        if (b < row.end)
            add_any(t, registers, in_pieces, a, b++, row.whole, x, sum);
        if (turns && b < row.end)
            add_any(t, registers, in_pieces, a, b++, row.whole, x, odd);
    }
    for (int n = 0; turns && n < registers; n++)
        sum[n] = v_add(sum[n], odd[n]);
}

/* What the rows in register n are: the sums of their lanes. */
INLINE void add_lanes(const struct tiling *t, bool in_pieces, vec lanes, int n, val_t *sum) {
    const int width = in_pieces ? LANES : t->width;
    val_t lane[LANES];
    v_store(lane, lanes);
    for (int r = 0; r < t->together && n * t->together + r < t->height; r++)
        for (int l = 0; l < width; l++)
            sum[n * t->together + r] += lane[r * width + l];
}

/* Where the blocks end whose registers can be loaded whole, of those before `end`: there are values behind them. */
INLINE int64_t loaded_whole(const struct tiling *t, int registers, bool in_pieces, int64_t end) {
    const int loaded = (registers - 1) * t->together * t->width + LANES;
    return in_pieces || loaded <= t->places ? end : end - (loaded - 1) / t->places;
}

INLINE void some_rows(int height, int width, int registers, bool in_pieces, struct blocks a, int64_t begin,
                      int64_t end, val_t alpha, const val_t *x, val_t beta, val_t *y) {
    const struct tiling t = tiling_of(height, width);
    const int64_t whole = loaded_whole(&t, registers, in_pieces, a.ptr[end]);
    a.height = height; /* as they are, and constants where height and width are */
    a.mask_bytes = spry_mask_bytes(t.places);
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = a.ptr[i], last = a.ptr[i + 1], full = last < whole ? last : whole;
        const struct block_row row = {first, last, a.mask ? first : full, full};
        val_t sum[SPRY_BLOCK_MOST] = {0};
        vec lanes[REGISTERS];
        sum_blocks(&t, registers, in_pieces, &a, row, x, lanes);
        for (int n = 0; n < registers; n++)
            add_lanes(&t, in_pieces, lanes[n], n, sum);
        put_rows(&a, i, sum, alpha, beta, y);
    }
}

/* Blocks with as many rows as columns, as nodes have that have several unknowns, by constants. */
static void rows(const spry_matrix *matrix, int64_t begin, int64_t end, val_t alpha, const val_t *x,
                 val_t beta, val_t *y) {
    const struct blocks a = blocks_of(matrix);
#define ROWS(height, width, registers)                                                                       \
    if (SPRY_BLOCK_MOST > LANES && (width) > LANES)                                                          \
        some_rows(height, width, registers, true, a, begin, end, alpha, x, beta, y);                         \
    else                                                                                                     \
        some_rows(height, width, registers, false, a, begin, end, alpha, x, beta, y);                        \
    break
#define SQUARE(side)                                                                                         \
    case side:                                                                                               \
        ROWS(side, side, registers_of(side, side))
#define OTHER(registers)                                                                                     \
    case registers:                                                                                          \
        ROWS(a.height, a.width, registers)
    switch (a.height == a.width ? a.height : 0) {
        SQUARE(2);
        SQUARE(3);
        SQUARE(4);
        SQUARE(5);
        SQUARE(6);
    default:
        switch (registers_of(a.height, a.width)) {
            OTHER(1);
            OTHER(2);
            OTHER(3);
            OTHER(4);
            OTHER(5);
            OTHER(6);
            OTHER(7);
            OTHER(8);
        }
    }
#undef OTHER
#undef SQUARE
#undef ROWS
}

/* Whether some block is expected to lack entries, so that all have masks: by the sample, or as rows are not as long as rows of full
   blocks. */
static bool expects_masks(const struct spry_features *features, const struct spry_block_estimate *estimate,
                          int width) {
    bool some = estimate->full < estimate->blocks;
    for (int length = 0; length < SPRY_LENGTH_EXACT; length++)
        some = some || (length % width != 0 && features->by_row[length] > 0);
    return some;
}

/* A step for each register of a block, and one for the block, its index and its values of x; where there are masks, each block's is
   looked at, and those with some entries are added register by register. */
static union spry_terms work(const struct spry_candidate *candidate) {
    const int64_t *parameter = candidate->storage.parameter;
    const int height = (int)parameter[0], width = (int)parameter[1], parts = spry_candidate_parts(candidate),
              registers = registers_of(height, width) * (int)spry_cover(width, LANES);
    const struct spry_block_estimate estimate = spry_blocks_of(candidate->features, height, width);
    union spry_terms amounts = CODED(spry_bsr_work)(candidate);
    amounts.steps = estimate.blocks * (registers + 1) / parts;
    amounts.entries = (estimate.blocks - estimate.full) * registers / parts;
    amounts.padding = expects_masks(candidate->features, &estimate, width) ? estimate.blocks / parts : 0;
    return amounts;
}

static const struct spry_kernel kernels[] = {
    SPRY_DECODING_VALUES(TMPL_INDEX, SIMD_NAME("bsr"), SPRY_BSR, SPRY_N, .needs = SIMD_NEEDS,
                         .run = SHARED(spry_units_run), .partials = SHARED(spry_partials), .work = work,
                         .part = (void (*)(void))rows),
};

extern const struct spry_kernel_list SIMD_LIST(bsr);
const struct spry_kernel_list SIMD_LIST(bsr) = {sizeof kernels / sizeof *kernels, kernels};
