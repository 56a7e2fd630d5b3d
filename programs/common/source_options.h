/* SPDX-License-Identifier: BSD-3-Clause */
/* The options by which programs say how matrices are to be read: --type, --real-part, --unpack-limit. */
#ifndef SPRY_COMMON_SOURCE_OPTIONS_H
#define SPRY_COMMON_SOURCE_OPTIONS_H

#include <argp.h>

#include "common/source.h"

/* The children of a program's parser. With ARGP_KEY_INIT it has to set state->child_inputs[0] to its struct source_options,
   which gets their values, and those that hold without them. */
extern const struct argp_child source_options_children[];

#endif
