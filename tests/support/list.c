/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "list.h"

void *test_malloc(size_t bytes) {
    void *pointer = malloc(bytes ? bytes : 1);
    if (!pointer)
        abort();
    return pointer;
}

struct list list_new(int64_t rows, int64_t cols) {
    return (struct list){.rows = rows, .cols = cols};
}

void list_free(struct list *list) {
    free(list->row);
    free(list->col);
    free(list->val);
    *list = (struct list){0};
}

static void *grown(void *array, int64_t capacity) {
    void *larger = realloc(array, (size_t)capacity * sizeof(int64_t));
    if (!larger)
        abort();
    return larger;
}

void list_add(struct list *list, int64_t row, int64_t col, double val) {
    if (list->nnz == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->row = grown(list->row, list->capacity);
        list->col = grown(list->col, list->capacity);
        list->val = grown(list->val, list->capacity);
    }
    list->row[list->nnz] = row;
    list->col[list->nnz] = col;
    list->val[list->nnz++] = val;
}

struct list list_copy(const struct list *list) {
    struct list copy = list_new(list->rows, list->cols);
    for (int64_t k = 0; k < list->nnz; k++)
        list_add(&copy, list->row[k], list->col[k], list->val[k]);
    return copy;
}

struct list list_transposed(const struct list *list) {
    struct list transposed = list_new(list->cols, list->rows);
    for (int64_t k = 0; k < list->nnz; k++)
        list_add(&transposed, list->col[k], list->row[k], list->val[k]);
    return transposed;
}

/* Stable, by counting: `key` is row or col of the list, below `keys`. */
static void sort_by(struct list *list, const int64_t *key, int64_t keys) {
    int64_t *next = test_malloc((size_t)(keys + 1) * sizeof *next);
    memset(next, 0, (size_t)(keys + 1) * sizeof *next);
    for (int64_t k = 0; k < list->nnz; k++)
        next[key[k] + 1]++;
    for (int64_t i = 0; i < keys; i++)
        next[i + 1] += next[i];
    struct list sorted = list_copy(list);
    for (int64_t k = 0; k < list->nnz; k++) {
        int64_t place = next[key[k]]++;
        sorted.row[place] = list->row[k];
        sorted.col[place] = list->col[k];
        sorted.val[place] = list->val[k];
    }
    free(next);
    list_free(list);
    *list = sorted;
}

void list_sort(struct list *list) {
    sort_by(list, list->col, list->cols);
    sort_by(list, list->row, list->rows);
}

void list_shuffle(struct list *list, uint64_t seed) {
    for (int64_t k = list->nnz - 1; k > 0; k--) {
        int64_t other = test_below(&seed, k + 1);
        int64_t row = list->row[k], col = list->col[k];
        double val = list->val[k];
        list->row[k] = list->row[other];
        list->col[k] = list->col[other];
        list->val[k] = list->val[other];
        list->row[other] = row;
        list->col[other] = col;
        list->val[other] = val;
    }
}

void list_round(struct list *list, spry_value_type type) {
    if (type == SPRY_F32)
        for (int64_t k = 0; k < list->nnz; k++)
            list->val[k] = (float)list->val[k];
}

int64_t *list_lengths(const struct list *list, spry_op op) {
    int64_t units = op == SPRY_N ? list->rows : list->cols;
    const int64_t *unit = op == SPRY_N ? list->row : list->col;
    int64_t *length = test_malloc((size_t)units * sizeof *length);
    memset(length, 0, (size_t)units * sizeof *length);
    for (int64_t k = 0; k < list->nnz; k++)
        length[unit[k]]++;
    return length;
}

uint64_t test_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int64_t test_below(uint64_t *state, int64_t below) {
    return (int64_t)(test_random(state) % (uint64_t)below);
}

double test_value(uint64_t *state) {
    double magnitude = (double)(test_random(state) % 0xfffff + 1) / 0x100000;
    return test_random(state) & 1 ? magnitude : -magnitude;
}
