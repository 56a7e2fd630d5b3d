/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "vector.h"

/* Values on either side. Odd, so that the data is not aligned to a vector register. */
#define GUARD 21

static size_t bytes_of(const struct vector *vector, int64_t count) {
    return (size_t)count * spry_type_size(vector->type);
}

struct vector vector_new(spry_value_type type, int64_t count, double guard) {
    struct vector vector = {.type = type, .count = count + 2 * GUARD, .guard = guard};
    vector.block = vector.data = test_malloc(bytes_of(&vector, vector.count));
    vector_fill(&vector, guard);
    vector.data = (char *)vector.block + bytes_of(&vector, GUARD);
    vector.count = count;
    return vector;
}

void vector_free(struct vector *vector) {
    free(vector->block);
}

void vector_copy(struct vector *to, const struct vector *from) {
    memcpy(to->data, from->data, bytes_of(from, from->count));
}

void vector_fill(struct vector *vector, double value) {
    for (int64_t i = 0; i < vector->count; i++)
        vector_set(vector, i, value);
}

void vector_random(struct vector *vector, uint64_t seed) {
    for (int64_t i = 0; i < vector->count; i++)
        vector_set(vector, i, test_value(&seed));
}

bool vector_same_bits(const struct vector *a, const struct vector *b) {
    return memcmp(a->data, b->data, bytes_of(a, a->count)) == 0;
}

static size_t bytes_with_guards(const struct vector *vector) {
    return bytes_of(vector, vector->count + 2 * GUARD);
}

struct placed vector_place(spry_context *context, const struct vector *vector) {
    struct placed placed = placed_new(context, vector->block, bytes_with_guards(vector), 0);
    placed.data = (char *)placed.block + bytes_of(vector, GUARD);
    return placed;
}

spry_status vector_put(const struct vector *vector, const struct placed *to) {
    return spry_array_put(to->context, to->block, vector->block, bytes_with_guards(vector));
}

spry_status vector_fetch(struct vector *vector, const struct placed *from) {
    return spry_array_get(from->context, from->block, vector->block, bytes_with_guards(vector));
}

bool vector_guarded(const struct vector *vector) {
    struct vector fresh = vector_new(vector->type, 0, vector->guard);
    size_t guard = bytes_of(vector, GUARD);
    const char *behind = (const char *)vector->data + bytes_of(vector, vector->count);
    bool intact = memcmp(vector->block, fresh.block, guard) == 0 && memcmp(behind, fresh.block, guard) == 0;
    vector_free(&fresh);
    return intact;
}
