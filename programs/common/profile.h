/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine profile that a program predicts by. */
#ifndef SPRY_COMMON_PROFILE_H
#define SPRY_COMMON_PROFILE_H

#include <stddef.h>

#include <spry/spry.h>

/*
 * Let a context predict by the profile in `file` or, where that is null, by the one that `spbench --calibrate` wrote
 * for this machine, if there is one. A `file` that is no profile is a failure, with the context's message. A calibrated
 * one that cannot be used is none: `note` then is a sentence that says why, and the context keeps the library's own
 * profile. In all other cases `note` is empty.
 */
spry_status profile_load(spry_context *context, const char *file, char *note, size_t size);

#endif
