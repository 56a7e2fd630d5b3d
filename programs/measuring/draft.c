/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/failure.h"

/* What the library's largest profile comes to is less. */
#define PROFILE_BYTES 65536

static json_t *read_draft(spry_context *context, spry_status *status) {
    char *text = malloc(PROFILE_BYTES);
    *status = text ? spry_draft_profile(context, text, PROFILE_BYTES) : SPRY_ERROR_MEMORY;
    json_t *profile = *status == SPRY_OK ? json_loads(text, 0, NULL) : NULL;
    if (*status == SPRY_OK && !profile)
        *status = SPRY_ERROR_MEMORY;
    free(text);
    return profile;
}

/* Where there is no memory to measure it with, the library's guess stays. */
static int note_memory(struct place *place, json_t *profile) {
    if (place->backend != SPRY_CPU || place->open_memory(place) != SPRY_OK || isnan(place->memory_gbs))
        return 0;
    return json_object_set_new(profile, "memory_gbs", json_real(place->memory_gbs));
}

json_t *draft_profile(struct place *place, char *message, size_t size) {
    spry_status status;
    json_t *profile = read_draft(place->context, &status);
    if (profile && note_memory(place, profile) != 0) {
        json_decref(profile);
        profile = NULL;
        status = SPRY_ERROR_MEMORY;
    }
    if (!profile)
        snprintf(message, size, "%s", failure_text(place->context, status));
    return profile;
}
