/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine profile of this machine. */
#ifndef SPRY_SPBENCH_CALIBRATE_H
#define SPRY_SPBENCH_CALIBRATE_H

#include "measuring/place.h"
#include "spbench/options.h"

/*
 * Measure generated matrices in all formats, fit the prices of the kernels that ran and of the conversions,
 * write the profile to options->calibrate_file, or where spry_load_profile finds it by itself, and print
 * what came of it. Each matrix takes about options->min_time seconds of products, and all a limited time.
 * `host` is a context on the CPU. False, and `message` of `size` bytes says why.
 */
bool calibrate(spry_context *host, struct place *place, const struct options *options, char *message,
               size_t size);

#endif
