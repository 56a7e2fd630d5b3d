/* SPDX-License-Identifier: BSD-3-Clause */
#include "measuring/place.h"

#include "common/failure.h"

const char *place_failure(const struct place *place, spry_status status) {
    return place->message[0] ? place->message : failure_text(place->context, status);
}
