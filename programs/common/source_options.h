/* SPDX-License-Identifier: BSD-3-Clause */
/* The options by which programs say how matrices are to be read: --type, --real-part, --unpack-limit. */
#ifndef SPRY_COMMON_SOURCE_OPTIONS_H
#define SPRY_COMMON_SOURCE_OPTIONS_H

#include <argp.h>

#include "common/source.h"

/* To be a child of a program's parser, which with ARGP_KEY_INIT has to give it a struct source_options as its input. That gets the
   options' values, and those that hold without them. */
extern const struct argp source_options_parser;

#endif
