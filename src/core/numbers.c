/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled once per backend and number type: collects their algorithms. algorithm_files.h is written by the build from
   its lists of files, of which SPRY_TMPL_ALGORITHM_FILES names the one for this backend and kind of number. */
#include "core/algorithm.h"
#include "core/number.h"
#include "algorithm_files.h"

#define DECLARE(file) extern const struct spry_algorithm_list NAME(spry_algorithms_##file);
SPRY_TMPL_ALGORITHM_FILES(DECLARE)

#define LIST(file) &NAME(spry_algorithms_##file),
static const struct spry_algorithm_list *const lists[] = {SPRY_TMPL_ALGORITHM_FILES(LIST)};

extern const struct spry_number_instance NAME(spry_number_instance);
const struct spry_number_instance NAME(spry_number_instance) = {sizeof lists / sizeof *lists, lists};
