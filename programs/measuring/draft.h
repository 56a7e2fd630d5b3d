/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to know of a machine before its prices are measured. */
#ifndef SPRY_MEASURING_DRAFT_H
#define SPRY_MEASURING_DRAFT_H

#include <jansson.h>

#include "measuring/place.h"

/*
 * A profile of the machine that a place is on: its name, its processors, how fast it reads memory (measured on the CPU
 * here, on a GPU as its driver states it), and the prices that the place's context predicts by. Null, with words in
 * `message`, when there is none. The caller releases it.
 */
json_t *draft_profile(struct place *place, char *message, size_t size);

#endif
