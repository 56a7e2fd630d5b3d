/* SPDX-License-Identifier: BSD-3-Clause */
/* spbench --compare. */
#ifndef SPRY_SPBENCH_COMPARE_H
#define SPRY_SPBENCH_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "spbench/options.h"

/* Print what differs between the two files that the options name, and put it on a page if they ask for one. False when
   it failed, and `message` says why. */
bool compare_files(const struct options *options, char *message, size_t size);

#endif
