/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/place.h"

#include <stdlib.h>

#include "common/failure.h"
#include "common/vector.h"

const char *place_failure(const struct place *place, spry_status status) {
    return place->message[0] ? place->message : failure_text(place->context, status);
}

spry_status place_vector_new(const struct place *place, spry_value_type type, int64_t count, void **vector) {
    if (place->backend != SPRY_CPU)
        return spry_array_new(place->context, (size_t)count * spry_type_size(type), vector);
    *vector = vector_new(type, count, place->context);
    return *vector ? SPRY_OK : SPRY_ERROR_MEMORY;
}

void place_vector_free(const struct place *place, spry_value_type type, int64_t count, void *vector) {
    if (place->backend != SPRY_CPU)
        spry_array_free(place->context, vector, (size_t)count * spry_type_size(type));
    else
        free(vector);
}
