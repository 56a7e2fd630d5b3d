/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/bench.h"

spry_status bench_open_vectors(struct bench *bench) {
    const struct subject *subject = bench->subject;
    spry_status status = place_vector_new(bench->place, subject->type, subject->x_count, &bench->x);
    if (status == SPRY_OK)
        status = place_vector_new(bench->place, subject->type, subject->y_count, &bench->y);
    if (status == SPRY_OK)
        status = spry_array_put(bench->place->context, bench->x, subject->x, subject->x_bytes);
    return status;
}

void bench_close_vectors(struct bench *bench) {
    const struct subject *subject = bench->subject;
    place_vector_free(bench->place, subject->type, subject->x_count, bench->x);
    place_vector_free(bench->place, subject->type, subject->y_count, bench->y);
}
