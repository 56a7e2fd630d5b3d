/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pieces of A and B, 16 lines of 16 values, for tensor cores. A warp copies them to shared memory in the order in which lanes
 * multiply them, so that neither copying nor reading meets itself in a bank, and as much of a line at once as a piece has
 * of it, which is what memory is fastest for. Which lines and places of an instruction stand for which of the piece is
 * free, as long as both factors have the places alike. It is chosen so that pairs of neighbours, on a line or across two,
 * are copied at once, and sums are pairs of neighbours too; or, where values do not lie in pairs, so that lanes side by
 * side have neighbours. Lanes read what others copied: they wait for each other in between.
 *
 * Values of f32 are multiplied as f64, which takes no longer where memory is what is waited for.
 */
#ifndef SPRY_GEMM_PIECE_CUH
#define SPRY_GEMM_PIECE_CUH

#include "primitives/gemm_copy.cuh"
#include "primitives/gemm_tensor.cuh"

/* Lines of a piece, and places. */
#define PIECE 16
/* Pairs of a piece, 4 for each lane. */
#define PIECE_PAIRS (PIECE * PIECE / 2)

typedef packet<2> pair;

static inline int64_t pieces_of(int64_t lines) {
    return (lines + PIECE - 1) / PIECE;
}

/* Whether two neighbours on a line, or on two neighbouring lines, can be copied at once. */
enum pairing { ALONG_LINES, ACROSS_LINES, NO_PAIRS };

static inline pairing pairing_of(const num_t *at, int64_t across, int64_t along) {
    if (reinterpret_cast<uintptr_t>(at) % sizeof(pair) != 0)
        return NO_PAIRS;
    return along == 1 && across % 2 == 0   ? ALONG_LINES
           : across == 1 && along % 2 == 0 ? ACROSS_LINES
                                           : NO_PAIRS;
}

static inline pairing pairing_of(const factor &f) {
    return pairing_of(f.at, f.across, f.along);
}

/* What the lanes have of a piece, in pairs or not. Of the lines of an instruction, numbers k and k + 8 are line(k) and
   the second after it. */
struct arrangement {
    bool pairs;

    __device__ int line(int k) const {
        return (k / 2 + k % 2 * 4) * (pairs ? 2 : 1);
    }
    __device__ int second() const {
        return pairs ? 1 : 8;
    }
    /* Place s of 4 of a lane. */
    __device__ int place(int lane, int s) const {
        return pairs ? lane % 4 * 2 + s / 2 * 8 + s % 2 : lane % 4 + s * 4;
    }
};

/* How many of two values from `first` on are before `end`. */
static __device__ inline int inside(int64_t first, int64_t end) {
    return first >= end ? 0 : first + 1 == end ? 1 : 2;
}

/* Of a piece from a line and a place of a factor on, the pairs along lines: 4 lines at a time, each 16 places long. */
static __device__ inline void copy_along(pair *to, const factor &f, int64_t depth, int64_t line,
                                         int64_t place) {
    const arrangement lanes{true};
    const int quad = lane_number() % 4, half = lane_number() / 8 % 2,
              k = lane_number() / 16 * 2 + lane_number() / 4 % 2;
    line += lanes.line(k);
    place += lanes.place(quad, 2 * half);
    to += 2 * half * WARP + 4 * k + quad;
    const num_t *from = f.at + line * f.across + place;
    const int count = inside(place, depth);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int next = i / 2 * 4 + i % 2;
        copy_async<2, true>(to[i / 2 * 16 + i % 2 * WARP].value, from + next * f.across,
                            line + next < f.lines ? count : 0);
    }
}

/* The pairs across lines: 4 places at a time, of all 16 lines. */
static __device__ inline void copy_across(pair *to, const factor &f, int64_t depth, int64_t line,
                                          int64_t place) {
    const arrangement lanes{true};
    line += lanes.line(lane_number() / 4);
    place += lanes.place(lane_number(), 0);
    const num_t *from = f.at + line + place * f.along;
    const int count = inside(line, f.lines);
#pragma unroll
    for (int s = 0; s < 4; s++) {
        const int next = s / 2 * 8 + s % 2;
        copy_async<2, true>(to[s * WARP + lane_number()].value, from + next * f.along,
                            place + next < depth ? count : 0);
    }
}

/* Single values: 8 places at a time of every fourth line. */
static __device__ inline void copy_singles(pair *to, const factor &f, int64_t depth, int64_t line,
                                           int64_t place) {
    const arrangement lanes{false};
    const int quad = lane_number() % 4, k = lane_number() / 4 % 2, second = lane_number() / 8 % 2,
              half = lane_number() / 16;
    line += lanes.line(k) + second * lanes.second();
    place += half * 4 + quad;
    num_t *slot = to[half * WARP + 4 * k + quad].value + second;
    const num_t *from = f.at + line * f.across + place * f.along;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int next = i / 4 * 8, further = i % 4;
        copy_async<1>(slot + (i / 4 * 2 * WARP + i % 4 * 8) * 2, from + further * f.across + next * f.along,
                      place + next < depth && line + further < f.lines ? 1 : 0);
    }
}

/* Have a piece copied. What is beyond the factor's lines and `depth` becomes zero. */
static __device__ inline void copy_piece(pair *to, const factor &f, pairing pairs, int64_t depth,
                                         int64_t line, int64_t place) {
    if (pairs == ALONG_LINES)
        copy_along(to, f, depth, line, place);
    else if (pairs == ACROSS_LINES)
        copy_across(to, f, depth, line, place);
    else
        copy_singles(to, f, depth, line, place);
}

/* What a lane has of a piece: of the places s = 0 to 3, values 2 s and 2 s + 1 are of its two lines. */
struct piece {
    double value[8];

    piece() = default;
    template <class Pair>
    __device__ piece(const Pair *from, bool along_lines) {
        from += lane_number();
#pragma unroll
        for (int s = 0; s < 4; s += 2) {
            const Pair x = from[s * WARP], y = from[(s + 1) * WARP];
            value[2 * s] = x.value[0];
            value[2 * s + 1] = along_lines ? y.value[0] : x.value[1];
            value[2 * s + 2] = along_lines ? x.value[1] : y.value[0];
            value[2 * s + 3] = y.value[1];
        }
    }
};

/* 16 × 16 sums. Of A's lines l / 4 and 8 more, i being 0 or 1, and of B's 2 (l % 4) + e and 8 more, e and j being 0 or 1,
   lane l has the sum in value[j][2 i + e]. */
struct piece_sums {
    double value[2][4] = {};

    __device__ void add(const piece &a, const piece &b) {
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const double line[4] = {b.value[j], b.value[2 + j], b.value[4 + j], b.value[6 + j]};
            mma_16x8x16(value[j], a.value, line);
        }
    }
};

#endif
