/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that are alike. They get keys that follow from their entries; the keys are numbered in the order of the first rows that
 * have them. A key may stand for two different rows, so each row is compared with what its number stands for before the matrix
 * is given out.
 */
#include "convert/kinds.h"

#include <string.h>

#include "core/bits.h"
#include "core/table.h"
#include "core/team.h"
#include "primitives/pointers.h"

static uint64_t key_of(const struct row *row, int salt, bool with_values) {
    uint64_t key = spry_stencil_key(salt, row->length);
    for (int64_t k = 0; k < row->length; k++)
        key = with_values ? spry_stencil_add(key, offset_of(row, k), load_bits(row->val, sizeof(val_t), k))
                          : spry_mix(key, (uint64_t)offset_of(row, k));
    return key;
}

static bool has_offsets(const struct row *row, const struct stencil_entries *entries) {
    bool same = row->length == entries->length;
    for (int64_t k = 0; k < entries->length && same; k++)
        same = offset_of(row, k) == entries->offset[k];
    return same;
}

static bool has_values(const struct row *row, const struct stencil_entries *entries) {
    return entries->length == 0 ||
           memcmp(row->val, entries->val, (size_t)entries->length * sizeof *row->val) == 0;
}

/* ---- keys and their numbers ---- */

/* Keys in the order in which they came, found by open addressing. */
struct keys {
    int64_t count, room; /* room: a power of two, at least twice the keys */
    uint64_t *key;       /* room / 2 */
    int64_t *first_row;  /* room / 2: the first that has the key */
    uint32_t *place;     /* room: 1 + number of a key, or 0 */
};

#define ROOM_FIRST 1024

static void keys_close(const spry_context *context, struct keys *keys) {
    const spry_allocator *allocator = &context->allocator;
    spry_release(allocator, keys->key, (size_t)keys->room / 2, sizeof *keys->key);
    spry_release(allocator, keys->first_row, (size_t)keys->room / 2, sizeof *keys->first_row);
    spry_release(allocator, keys->place, (size_t)keys->room, sizeof *keys->place);
    *keys = (struct keys){0};
}

static spry_status keys_open(spry_context *context, struct keys *keys, int64_t room) {
    void *key, *first_row = NULL, *place = NULL;
    spry_status status = spry_allocate(context, (size_t)room / 2, sizeof *keys->key, &key);
    if (!status)
        status = spry_allocate(context, (size_t)room / 2, sizeof *keys->first_row, &first_row);
    if (!status)
        status = spry_allocate(context, (size_t)room, sizeof *keys->place, &place);
    *keys = (struct keys){0, room, key, first_row, place};
    if (status)
        keys_close(context, keys);
    else
        memset(place, 0, (size_t)room * sizeof *keys->place);
    return status;
}

/* Where a key is, or the free place for it. */
static uint32_t *place_of(const struct keys *keys, uint64_t key) {
    const uint64_t mask = (uint64_t)keys->room - 1;
    uint64_t at = key & mask;
    while (keys->place[at] != 0 && keys->key[keys->place[at] - 1] != key)
        at = (at + 1) & mask;
    return &keys->place[at];
}

static void add_key(struct keys *keys, uint32_t *place, uint64_t key, int64_t row) {
    keys->key[keys->count] = key;
    keys->first_row[keys->count] = row;
    *place = (uint32_t)++keys->count;
}

static spry_status grow(spry_context *context, struct keys *keys) {
    struct keys larger;
    spry_status status = keys_open(context, &larger, 2 * keys->room);
    if (status)
        return status;
    for (int64_t s = 0; s < keys->count; s++)
        add_key(&larger, place_of(&larger, keys->key[s]), keys->key[s], keys->first_row[s]);
    keys_close(context, keys);
    *keys = larger;
    return SPRY_OK;
}

/* The number of a row's key; it is a new one if no row before had it. */
static spry_status number_of(spry_context *context, const spry_matrix *matrix, struct keys *keys,
                             uint64_t key, int64_t row, int64_t *number) {
    uint32_t *place = place_of(keys, key);
    spry_status status = SPRY_OK;
    if (*place == 0 && keys->count == keys->room / 2) {
        status = grow(context, keys);
        place = place_of(keys, key);
    }
    if (status)
        return status;
    if (*place == 0 && keys->count == SPRY_STENCILS_MOST - 1)
        return spry_fail(context, SPRY_ERROR_OVERFLOW, "%s: more than 2^32 - 1 different rows",
                         spry_format_name(matrix->format));
    if (*place == 0)
        add_key(keys, place, key, row);
    *number = (int64_t)*place - 1;
    return SPRY_OK;
}

static void find_keys(const spry_context *context, const compressed_t *rows, int salt, bool with_values,
                      uint64_t *key) {
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz)) schedule(dynamic, 4096)
    for (int64_t i = 0; i < rows->major; i++) {
        struct row row = row_of(rows, i);
        key[i] = key_of(&row, salt, with_values);
    }
}

/* Each key becomes its number. */
static spry_status number_keys(spry_context *context, const spry_matrix *matrix, uint64_t *key,
                               struct keys *keys) {
    spry_status status = SPRY_OK;
    uint64_t before = 0;
    int64_t number = 0;
    for (int64_t i = 0; i < matrix->rows && !status; i++) {
        if (i == 0 || key[i] != before)
            status = number_of(context, matrix, keys, key[i], i, &number);
        before = key[i];
        key[i] = (uint64_t)number;
    }
    return status;
}

/* ---- the arrays ---- */

static void write_numbers(const spry_context *context, int64_t rows, const uint64_t *number,
                          const spry_stencil *stencil) {
#pragma omp parallel for num_threads(spry_team_over(context, rows))
    for (int64_t i = 0; i < rows; i++)
        store_bits(stencil->number, (size_t)stencil->number_size, i, number[i]);
}

static void write_entries(const spry_context *context, const compressed_t *rows, const struct keys *keys,
                          const spry_stencil *stencil) {
    const ptr_t *ptr = stencil->ptr;
#pragma omp parallel for num_threads(spry_team_over(context, stencil->entries))
    for (int64_t s = 0; s < keys->count; s++) {
        struct row row = row_of(rows, keys->first_row[s]);
        for (int64_t k = 0; k < row.length; k++) {
            ((idx_t *)stencil->offset)[ptr[s] + k] = (idx_t)offset_of(&row, k);
            if (stencil->val)
                ((val_t *)stencil->val)[ptr[s] + k] = row.val[k];
        }
    }
}

/* Take and fill the arrays of a new matrix. */
static spry_status write_kinds(spry_context *context, const compressed_t *rows, const struct keys *keys,
                               const uint64_t *number, bool with_values, spry_matrix *matrix,
                               spry_stencil *stencil) {
    stencil->count = keys->count;
    stencil->number_size = spry_stencil_number_size(keys->count);
    spry_status status =
        spry_matrix_array(context, matrix, rows->major, (size_t)stencil->number_size, &stencil->number);
    if (!status)
        status = spry_matrix_array(context, matrix, keys->count + 1, sizeof(ptr_t), &stencil->ptr);
    if (status)
        return status;
    ptr_t *ptr = stencil->ptr;
    for (int64_t s = 0; s < keys->count; s++)
        ptr[s] = (ptr_t)major_length(rows, keys->first_row[s]);
    NAME(spry_scan)(context, ptr, keys->count);
    stencil->entries = ptr[keys->count];
    status = spry_matrix_array(context, matrix, stencil->entries, sizeof(idx_t), &stencil->offset);
    if (!status && with_values)
        status = spry_matrix_array(context, matrix, stencil->entries, sizeof(val_t), &stencil->val);
    if (status)
        return status;
    write_numbers(context, rows->major, number, stencil);
    write_entries(context, rows, keys, stencil);
    return SPRY_OK;
}

bool NAME(spry_are_of_kinds)(const spry_context *context, const compressed_t *rows,
                             const spry_stencil *stencil, bool with_values) {
    int differs = 0;
#pragma omp parallel for num_threads(spry_team_over(context, rows->nnz)) schedule(dynamic, 4096)             \
    reduction(|                                                                                              \
              : differs)
    for (int64_t i = 0; i < rows->major; i++) {
        struct row row = row_of(rows, i);
        struct stencil_entries entries = stencil_at(stencil, stencil_number(stencil, i));
        differs |= !has_offsets(&row, &entries) || (with_values && !has_values(&row, &entries));
    }
    return !differs;
}

/* The arrays, and whether they say what the rows are: they do not where a key stands for different rows. */
static spry_status try_salt(spry_context *context, const compressed_t *rows, int salt, uint64_t *key,
                            bool with_values, spry_matrix *matrix, spry_stencil *stencil, bool *done) {
    struct keys keys;
    spry_status status = keys_open(context, &keys, ROOM_FIRST);
    if (status)
        return status;
    find_keys(context, rows, salt, with_values, key);
    status = number_keys(context, matrix, key, &keys);
    if (!status)
        status = write_kinds(context, rows, &keys, key, with_values, matrix, stencil);
    keys_close(context, &keys);
    *done = !status && NAME(spry_are_of_kinds)(context, rows, stencil, with_values);
    return status;
}

static void drop_arrays(spry_matrix *matrix, spry_stencil *stencil) {
    while (matrix->owned_count > 0)
        spry_matrix_drop_array(matrix, matrix->owned[0].pointer);
    *stencil = (spry_stencil){0};
}

spry_status NAME(spry_make_kinds)(spry_context *context, const compressed_t *rows, bool with_values,
                                  spry_matrix *matrix, spry_stencil *stencil) {
    void *key;
    bool done = false;
    spry_status status = spry_allocate(context, (size_t)rows->major, sizeof(uint64_t), &key);
    if (status)
        return status;
    for (int salt = 0; salt < SPRY_STENCIL_SALTS && !status && !done; salt++) {
        drop_arrays(matrix, stencil);
        status = try_salt(context, rows, salt, key, with_values, matrix, stencil, &done);
    }
    spry_release(&context->allocator, key, (size_t)rows->major, sizeof(uint64_t));
    return status || done ? status
                          : spry_fail(context, SPRY_ERROR_UNSUPPORTED,
                                      "%s: different rows have the same key, whatever the salt",
                                      spry_format_name(matrix->format));
}
