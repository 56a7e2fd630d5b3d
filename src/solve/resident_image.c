/* SPDX-License-Identifier: BSD-3-Clause */
/* The image of a matrix: slices, dealt out to blocks, and where their values come from. */
#include "analysis/rows.h"
#include "convert/convert.h"
#include "core/table.h"
#include "solve/resident.h"

/* Steps of the slowest warp in a product, at most: rounds of loads, and for each slice one more, which is about what it
   takes besides. A row that takes more, as a full one among short ones does, would keep all others waiting. */
#define STEPS_MOST 16

/* ---- how rows are dealt out ---- */

/* Of a CSR matrix, on the host. */
struct row_ends {
    void *ptr;
    size_t size;
};

/* Slots of the longest row from `begin` on, of `height` at most. */
static int64_t width_of(const struct row_ends *ends, int64_t begin, int64_t height, int64_t n) {
    int64_t width = 0;
    for (int64_t i = begin; i < begin + height && i < n; i++) {
        int64_t length = spry_row_length(ends->ptr, ends->size, i);
        width = length > width ? length : width;
    }
    return width;
}

/* Slices of so many rows, dealt out to the blocks. How many steps the slowest warp takes for a product. */
static int64_t deal_out(struct spry_resident *resident, const struct spry_room *room,
                        const struct row_ends *ends, int64_t height, int64_t n) {
    const int64_t slices = spry_cover(n, height), most_warps = room->threads / SPRY_RESIDENT_WARP;
    int64_t most = 0;
    resident->height = height;
    resident->blocks = room->blocks;
    resident->slices = spry_cover(slices, room->blocks);
    const int64_t warps = resident->slices < most_warps ? resident->slices : most_warps;
    resident->threads = (int)warps * SPRY_RESIDENT_WARP;
    resident->slots = 0;
    for (int64_t first = 0; first < slices; first += resident->slices) {
        int64_t slots = 0, steps[SPRY_RESIDENT_THREADS / SPRY_RESIDENT_WARP] = {0};
        for (int64_t s = 0; s < resident->slices && first + s < slices; s++) {
            int64_t here = width_of(ends, (first + s) * height, height, n) * height;
            slots += here;
            steps[s % warps] += 1 + spry_cover(here, SPRY_RESIDENT_WARP * SPRY_RESIDENT_ROUND);
            most = steps[s % warps] > most ? steps[s % warps] : most;
        }
        resident->slots = slots > resident->slots ? slots : resident->slots;
    }
    return most;
}

/* The slices that fit and take the fewest steps; of those the highest, which take the fewest lanes a row. */
static bool choose_slices(struct spry_resident *resident, const struct spry_room *room,
                          const struct row_ends *ends, const spry_matrix *csr) {
    struct spry_resident best = {0};
    int64_t least = STEPS_MOST + 1;
    for (int64_t height = SPRY_RESIDENT_WARP; height > 0; height /= 2) {
        int64_t steps = deal_out(resident, room, ends, height, csr->rows);
        if (steps >= least || spry_resident_bytes(resident, spry_type_size(csr->type)) > room->bytes)
            continue;
        least = steps;
        best = *resident;
    }
    if (least <= STEPS_MOST)
        *resident = best;
    return least <= STEPS_MOST;
}

/* ---- the image ---- */

static void count_up(spry_value_type type, int64_t n, void *numbers) {
    for (int64_t k = 0; k < n; k++)
        if (type == SPRY_F32)
            ((float *)numbers)[k] = (float)k;
        else
            ((double *)numbers)[k] = (double)k;
}

/* 0, 1, 2 … where the context works. */
static spry_status make_numbers(spry_context *context, spry_value_type type, int64_t n, void **numbers) {
    const size_t size = spry_type_size(type);
    void *host;
    spry_status status = spry_allocate(context, (size_t)n, size, &host);
    if (status)
        return status;
    count_up(type, n, host);
    status = spry_allocate_array(context, (size_t)n, size, numbers);
    if (!status)
        status = context->code->copy(context, *numbers, host, (size_t)n * size);
    spry_release(&context->allocator, host, (size_t)n, size);
    return status;
}

static spry_status fetch_row_ends(spry_context *context, const spry_matrix *csr, struct row_ends *ends) {
    ends->size = spry_pointer_size(csr->index);
    spry_status status = spry_allocate(context, (size_t)csr->rows + 1, ends->size, &ends->ptr);
    return status
               ? status
               : context->code->copy(context, ends->ptr, csr->csr.ptr, ((size_t)csr->rows + 1) * ends->size);
}

/* From the matrix with numbers for values, as CSR. There is no image where it does not fit. */
static spry_status make_image(spry_context *context, struct spry_resident *resident,
                              const struct spry_room *room, const spry_matrix *csr) {
    struct row_ends ends = {0};
    spry_status status = fetch_row_ends(context, csr, &ends);
    if (!status && choose_slices(resident, room, &ends, csr)) {
        const spry_storage slices = {.format = SPRY_SELL, .parameter = {resident->height, 1}};
        status = spry_from_hub(context, csr, &slices, &spry_any_fill, &resident->image);
    }
    spry_release(&context->allocator, ends.ptr, (size_t)csr->rows + 1, ends.size);
    return status;
}

/* Whether each entry has a place of its own in one array of values. */
static bool has_places(const spry_matrix *matrix) {
    return matrix->values == SPRY_VALUES_PLAIN && spry_format_traits(matrix)->values;
}

spry_status spry_resident_take_source(spry_context *context, struct spry_resident *resident,
                                      const spry_matrix *matrix) {
    struct spry_hub hub;
    resident->source = matrix;
    if (has_places(matrix))
        return SPRY_OK;
    spry_status status = spry_hub_open(context, matrix, &spry_keep_duplicates, &hub);
    if (!status)
        status = context->code->synchronize(context);
    if (status) {
        spry_hub_close(&hub);
        return status;
    }
    spry_matrix_destroy(resident->copy);
    resident->source = resident->copy = hub.made;
    resident->updates = matrix->updates;
    return SPRY_OK;
}

spry_status spry_resident_make_image(spry_context *context, struct spry_resident *resident,
                                     const struct spry_room *room) {
    const spry_matrix *matrix = resident->source;
    const int64_t slots = spry_matrix_slots(matrix);
    spry_matrix numbered = *matrix;
    struct spry_hub hub = {0};
    void *numbers = NULL;
    spry_status status = make_numbers(context, matrix->type, slots, &numbers);
    *spry_format_traits(matrix)->values(&numbered) = numbers;
    if (!status)
        status = spry_hub_open(context, &numbered, &spry_keep_duplicates, &hub);
    if (!status)
        status = make_image(context, resident, room, hub.csr);
    if (!status)
        status = context->code->synchronize(context);
    spry_hub_close(&hub);
    spry_release(&context->arrays, numbers, (size_t)slots, spry_type_size(matrix->type));
    return status;
}
