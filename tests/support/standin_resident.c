/* SPDX-License-Identifier: BSD-3-Clause */
#include "standin_resident.h"

#include <stdlib.h>

#include "core/table.h"

/* Room for 900 rows of a grid with five entries each, in f64, and not for 1,600. */
static spry_status room(spry_context *context, spry_value_type type, struct spry_room *found) {
    (void)context;
    (void)type;
    *found = (struct spry_room){.blocks = 4, .threads = 64, .bytes = 36 << 10};
    return SPRY_OK;
}

/* The values that the image's numbers stand for. */
static void *take_values(const spry_matrix *image, const void *values) {
    const int64_t slots = spry_matrix_slots(image);
    const size_t size = spry_type_size(image->type);
    void *taken = malloc((size_t)slots * size + 1);
    if (!taken)
        abort();
    for (int64_t k = 0; k < slots; k++)
        if (image->type == SPRY_F32)
            ((float *)taken)[k] = ((const float *)values)[(int64_t)((const float *)image->sell.val)[k]];
        else
            ((double *)taken)[k] = ((const double *)values)[(int64_t)((const double *)image->sell.val)[k]];
    return taken;
}

static spry_status multiply(spry_context *context, const struct spry_resident *resident, const void *values,
                            const void *x, void *y) {
    spry_matrix a = *resident->image;
    a.sell.val = take_values(&a, values);
    spry_status status = spry_spmv(context, SPRY_N, 1, &a, x, 0, y);
    free(a.sell.val);
    return status;
}

static struct spry_vectors vectors_of(const struct spry_operation *operation, void *const *array, int64_t n) {
    struct spry_vectors v = {.n = n};
#define TAKE(name)                                                                                           \
    if (operation->vector[SPRY_RESIDENT_##name] >= 0)                                                        \
        v.name = array[operation->vector[SPRY_RESIDENT_##name]];
    SPRY_RESIDENT_VECTORS(TAKE)
#undef TAKE
    return v;
}

static spry_status perform(spry_context *context, const struct spry_resident *resident,
                           const struct spry_operation *operation, const void *values, void *const *array,
                           struct spry_state *state) {
    if (operation->update == SPRY_UPDATE_COUNT)
        return multiply(context, resident, values, array[operation->from], array[operation->to]);
    struct spry_vectors v = vectors_of(operation, array, resident->image->rows);
    return spry_cpu_updates.run(context, resident->image->type, (enum spry_update)operation->update, &v,
                                state, NULL);
}

static spry_status play(spry_context *context, const struct spry_resident *resident, const void *values,
                        const struct spry_vectors *vectors, struct spry_state *state, int repeat) {
    void *array[SPRY_RESIDENT_COUNT];
    spry_status status = SPRY_OK;
    for (int k = 0; k < resident->arrays; k++)
        array[k] = spry_resident_vector_of(vectors, resident->home[k]);
    for (int i = 0; i < repeat * resident->operations && !status && state->outcome == SPRY_RUNNING; i++)
        status =
            perform(context, resident, &resident->operation[i % resident->operations], values, array, state);
    return status;
}

const struct spry_resident_code standin_resident = {room, play};
