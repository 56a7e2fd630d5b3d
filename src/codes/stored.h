/* SPDX-License-Identifier: BSD-3-Clause */
/* Values as kernels read them. Kernel files are compiled once for each code that their layouts have: SPRY_TMPL_CODE is its
   name, and not defined for values that are kept as they are. */
#ifndef SPRY_STORED_H
#define SPRY_STORED_H

#include "core/tmpl.h"

#ifdef SPRY_TMPL_CODE
typedef float stored_t;
#define TMPL_VALUES SPRY_VALUES_F32
#define TMPL_CODE_NAME "_f32"
#define TMPL_CODED(name) TMPL_PASTE(name, SPRY_TMPL_CODE)
#else
typedef val_t stored_t;
#define TMPL_VALUES SPRY_VALUES_PLAIN
#define TMPL_CODE_NAME ""
#define TMPL_CODED(name) name
#endif

/* The name of what there is once for each code. */
#define CODED(name) TMPL_CODED(NAME(name))

#endif
