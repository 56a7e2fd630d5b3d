/* SPDX-License-Identifier: BSD-3-Clause */
/* Products on the CPU, timed by its clock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/machine.h"
#include "measuring/bandwidth.h"
#include "measuring/place.h"

/* Products are measured all the same where there is no memory for that. */
static spry_status open_memory(struct place *place) {
    struct bandwidth *bandwidth = place->own;
    if (bandwidth->buffer)
        return SPRY_OK;
    int error = bandwidth_measure(place->context, place->seconds, bandwidth);
    place->memory_gbs = error ? NAN : bandwidth->read_gbs;
    return SPRY_OK;
}

static spry_status time_call(struct place *place, timed_call *call, void *user, double min_time,
                             struct spread *warm, struct spread *cold) {
    (void)place;
    (void)cold;
    return timing_measure(call, user, min_time, warm);
}

static double roof_gbs(const struct place *place, size_t bytes) {
    return bandwidth_at(place->own, bytes);
}

static void close_cpu(struct place *place) {
    if (place->own)
        bandwidth_free(place->own);
    free(place->own);
}

bool place_open_cpu(struct place *place, spry_context *context) {
    *place = (struct place){
        .context = context,
        .backend = SPRY_CPU,
        .own = calloc(1, sizeof(struct bandwidth)),
        .seconds = INFINITY,
        .open_memory = open_memory,
        .time = time_call,
        .roof_gbs = roof_gbs,
        .close = close_cpu,
    };
    machine_cpu(place->processor, sizeof place->processor);
    if (!place->own)
        snprintf(place->message, sizeof place->message, "out of memory");
    return place->own != NULL;
}
