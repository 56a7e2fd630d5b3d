/* SPDX-License-Identifier: BSD-3-Clause */
/* Small pictures inside a text. */
#ifndef SPRY_SPBENCH_PICTURE_H
#define SPRY_SPBENCH_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "spbench/pattern.h"

/* Write a pattern as the URI of a PNG (RFC 2397), a pixel a field: one colour, which is the less transparent the more
   entries a field has, so that it goes with light and dark pages. False when memory ran out: nothing is written. */
bool picture_put_pattern(FILE *file, const struct pattern *pattern);

#endif
