/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting, then parsing, then mirroring: three parallel loops over the same pieces, so that each piece
   knows where its entries go before it is parsed, and the order is the file's with any number of threads. */
#include <inttypes.h>
#include <omp.h>
#include <stdatomic.h>

#include "core/team.h"
#include "io/entry.h"

/* Large enough to hide what a piece costs, small enough to share out evenly. */
#define LARGEST_PIECE ((size_t)1 << 20)
#define PIECES_A_THREAD 8
/* Bytes that are looked through for a line end at a time, in a file. */
#define LOOK 4096
/* Bytes for the pieces that are in memory, about. */
#define MOST_ROOM ((size_t)1 << 30)
/* Fewest bytes of one entry, "1\n" of an array. */
#define SMALLEST_LINE 2

static size_t piece_bytes(const spry_context *context, size_t size) {
    size_t bytes = size / ((size_t)context->threads * PIECES_A_THREAD) + 1;
    size_t smallest = (size_t)context->grain * SMALLEST_LINE;
    bytes = bytes < LARGEST_PIECE ? bytes : LARGEST_PIECE;
    return bytes > smallest ? bytes : smallest;
}

/* Behind the first line end from `at` on, or behind a zero byte before that, or the end of the text. */
static size_t find_line_end(const struct input *input, size_t at, bool *is_zero) {
    char room[LOOK + TEXT_PADDING];
    for (size_t next; at < input->size; at = next) {
        int error = 0;
        next = input->text || input->size - at < LOOK ? input->size : at + LOOK;
        const char *text = spry_input_load(input, at, next, room, &error);
        if (error)
            continue; /* whoever takes the piece says so */
        const char *line_end = memchr(text, '\n', next - at);
        const char *zero = memchr(text, '\0', line_end ? (size_t)(line_end - text) : next - at);
        *is_zero = zero;
        if (zero || line_end)
            return at + (size_t)((zero ? zero : line_end) - text) + 1;
    }
    return input->size;
}

/* Room for each thread's piece, with a line end before it. Where lines are so long that pieces are too, fewer threads
   have some. */
static spry_status make_room(spry_context *context, struct pieces *pieces) {
    size_t longest = 1;
    for (size_t i = 0; i < pieces->count; i++) {
        size_t bytes = pieces->piece[i].end - pieces->piece[i].begin;
        longest = bytes > longest ? bytes : longest;
    }
    size_t most = MOST_ROOM / longest + 1;
    pieces->threads = most < (size_t)pieces->threads ? (int)most : pieces->threads;
    pieces->room_bytes = (1 + longest + TEXT_PADDING + SPRY_ALIGNMENT - 1) / SPRY_ALIGNMENT * SPRY_ALIGNMENT;
    void *room;
    spry_status status = spry_allocate(context, (size_t)pieces->threads, pieces->room_bytes, &room);
    pieces->room = room;
    return status;
}

spry_status spry_pieces_cut(spry_context *context, const struct input *input, size_t begin,
                            struct pieces *pieces) {
    size_t bytes = piece_bytes(context, input->size - begin);
    *pieces = (struct pieces){.capacity = (input->size - begin) / bytes + 1};
    void *memory;
    spry_status status = spry_allocate(context, pieces->capacity, sizeof(struct piece), &memory);
    if (status)
        return status;
    pieces->piece = memory;
    bool is_zero = false;
    while (begin < input->size && !is_zero) {
        size_t left = input->size - begin;
        size_t next = left > bytes ? find_line_end(input, begin + bytes - 1, &is_zero) : input->size;
        pieces->piece[pieces->count++] = (struct piece){.begin = begin, .end = next};
        begin = next;
    }
    pieces->threads = pieces->count < (size_t)context->threads ? (int)pieces->count : context->threads;
    pieces->threads = pieces->threads ? pieces->threads : 1;
    return input->text ? SPRY_OK : make_room(context, pieces);
}

void spry_pieces_release(spry_context *context, struct pieces *pieces) {
    spry_release(&context->allocator, pieces->room, (size_t)pieces->threads, pieces->room_bytes);
    spry_release(&context->allocator, pieces->piece, pieces->capacity, sizeof *pieces->piece);
}

spry_status spry_pieces_check(spry_context *context, const struct input *input, const struct pieces *pieces) {
    for (size_t i = 0; i < pieces->count; i++)
        if (pieces->piece[i].error)
            return spry_input_error(context, input, pieces->piece[i].error);
    return SPRY_OK;
}

/* The text of a piece, in the room of this number: that of the thread in the library's own team, or 0 outside of one, where the
   thread may have any number in a team of the caller's. begin[-1] is readable, and no part of an entry. */
static const char *load(const struct body *body, const struct pieces *pieces, int number,
                        struct piece *piece) {
    char *room = pieces->room;
    if (room) {
        room += (size_t)number * pieces->room_bytes;
        *room++ = '\n';
    }
    const char *text = spry_input_load(body->input, piece->begin, piece->end, room, &piece->error);
    piece->fault.text = text;
    piece->fault.start = piece->begin;
    return text;
}

/* Where entry `n` of a text begins, counted from 0. */
static const char *find_entry(const char *text, const char *end, int64_t n) {
    const char *p = next_entry(text, end);
    while (n--)
        p = next_entry(skip_line(p, end), end);
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
        const char *text = load(body, pieces, 0, piece);
        const char *entry = find_entry(text, text + (piece->end - piece->begin), left);
        spry_fault_at(fault, piece->begin + (size_t)(entry - text),
                      "the end of the file after %" PRId64 " entries", declared);
        piece->count = left;
    }
}

int64_t spry_pieces_count(const struct body *body, struct pieces *pieces, struct fault *fault) {
#pragma omp parallel for num_threads(spry_team(pieces->threads)) schedule(dynamic)
    for (size_t i = 0; i < pieces->count; i++) {
        struct piece *piece = &pieces->piece[i];
        const char *text = load(body, pieces, omp_get_thread_num(), piece);
        piece->count = spry_count_entries(text, text + (piece->end - piece->begin));
    }
    int64_t counted = 0, declared = body->header->info.stored;
    for (size_t i = 0; i < pieces->count; i++) {
        pieces->piece[i].first = counted;
        counted += pieces->piece[i].count;
    }
    if (counted < declared)
        spry_fault_at(fault, body->input->size, "entry %" PRId64 " of %" PRId64, counted + 1, declared);
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
        const char *text = load(body, pieces, omp_get_thread_num(), piece),
                   *end = text + (piece->end - piece->begin);
        (array ? spry_parse_array : spry_parse_coordinates)(body, text, end, piece);
        if (piece->fault.found)
            while (i < known)
                if (atomic_compare_exchange_weak(&last, &known, i))
                    known = i;
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
