/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting, then parsing, then mirroring: three parallel loops over the same pieces, so that each piece
   knows where its entries go before it is parsed, and the order is the file's with any number of threads. */
#include <inttypes.h>
#include <stdatomic.h>

#include "core/team.h"
#include "io/entry.h"

/* Large enough to hide what a piece costs, small enough to share out evenly. */
#define LARGEST_PIECE ((size_t)1 << 20)
#define PIECES_A_THREAD 8
/* Fewest bytes of one entry, "1\n" of an array. */
#define SMALLEST_LINE 2

static size_t piece_bytes(const spry_context *context, size_t size) {
    size_t bytes = size / ((size_t)context->threads * PIECES_A_THREAD) + 1;
    size_t smallest = (size_t)context->grain * SMALLEST_LINE;
    bytes = bytes < LARGEST_PIECE ? bytes : LARGEST_PIECE;
    return bytes > smallest ? bytes : smallest;
}

spry_status spry_pieces_cut(spry_context *context, const char *begin, const char *end,
                            struct pieces *pieces) {
    size_t bytes = piece_bytes(context, (size_t)(end - begin));
    *pieces = (struct pieces){.capacity = (size_t)(end - begin) / bytes + 1};
    void *memory;
    spry_status status = spry_allocate(context, pieces->capacity, sizeof(struct piece), &memory);
    if (status)
        return status;
    pieces->piece = memory;
    while (begin < end) {
        size_t left = (size_t)(end - begin);
        const char *line_end = left > bytes ? memchr(begin + bytes - 1, '\n', left - bytes + 1) : NULL;
        const char *next = line_end ? line_end + 1 : end;
        pieces->piece[pieces->count++] = (struct piece){.begin = begin, .end = next};
        begin = next;
    }
    pieces->threads = pieces->count < (size_t)context->threads ? (int)pieces->count : context->threads;
    pieces->threads = pieces->threads ? pieces->threads : 1;
    return SPRY_OK;
}

/* Where entry `n` of a piece begins, counted from 0. */
static const char *find_entry(const struct body *body, const struct piece *piece, int64_t n) {
    const char *p = next_entry(piece->begin, body->end);
    while (n--)
        p = next_entry(memchr(p, '\n', (size_t)(body->end - p)), body->end);
    return p;
}

/* Pieces that go past the declared number of entries are shortened; what follows it is a fault. */
static void shorten(const struct body *body, struct pieces *pieces, struct fault *fault) {
    int64_t declared = body->header->info.stored;
    for (size_t i = 0; i < pieces->count; i++) {
        struct piece *piece = &pieces->piece[i];
        int64_t left = piece->first < declared ? declared - piece->first : 0;
        if (piece->count <= left)
            continue;
        spry_fault(fault, find_entry(body, piece, left), "the end of the file after %" PRId64 " entries",
                   declared);
        piece->count = left;
    }
}

int64_t spry_pieces_count(const struct body *body, struct pieces *pieces, struct fault *fault) {
#pragma omp parallel for num_threads(spry_team(pieces->threads)) schedule(dynamic)
    for (size_t i = 0; i < pieces->count; i++)
        pieces->piece[i].count = spry_count_entries(pieces->piece[i].begin, pieces->piece[i].end);
    int64_t counted = 0, declared = body->header->info.stored;
    for (size_t i = 0; i < pieces->count; i++) {
        pieces->piece[i].first = counted;
        counted += pieces->piece[i].count;
    }
    if (counted < declared)
        spry_fault(fault, body->end, "entry %" PRId64 " of %" PRId64, counted + 1, declared);
    if (counted <= declared)
        return counted;
    shorten(body, pieces, fault);
    return declared;
}

/* Parse every piece up to the first with a fault; those behind it do not matter any more. */
static void parse(const struct body *body, struct pieces *pieces) {
    bool array = body->header->info.array;
    atomic_size_t last = pieces->count;
#pragma omp parallel for num_threads(spry_team(pieces->threads)) schedule(dynamic)
    for (size_t i = 0; i < pieces->count; i++) {
        struct piece *piece = &pieces->piece[i];
        size_t known = atomic_load(&last);
        if (i > known)
            continue;
        (array ? spry_parse_array : spry_parse_coordinates)(body, piece);
        if (piece->fault.at)
            while (i < known && !atomic_compare_exchange_weak(&last, &known, i))
                continue;
    }
}

void spry_pieces_parse(const struct body *body, struct pieces *pieces, struct fault *fault) {
    parse(body, pieces);
    for (size_t i = 0; i < pieces->count; i++)
        spry_fault_merge(fault, &pieces->piece[i].fault);
}

void spry_pieces_mirror(const struct body *body, struct pieces *pieces, int64_t stored) {
    for (size_t i = 0; i < pieces->count; i++) {
        pieces->piece[i].to = stored;
        stored += pieces->piece[i].mirrored;
    }
    body->matrix->nnz = stored;
#pragma omp parallel for num_threads(spry_team(pieces->threads)) schedule(dynamic)
    for (size_t i = 0; i < pieces->count; i++)
        spry_mirror(body, &pieces->piece[i]);
}
