/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernels for many columns products ran through. */
#ifndef TEST_MANY_H
#define TEST_MANY_H

#include <stdbool.h>

#include "spry/spry.h"

/* Kernels that may be switched off one after the other until plain C is left. */
#define TEST_INSTRUCTION_SETS 3
extern const char *const test_without[TEST_INSTRUCTION_SETS];

/* Note in `seen`, which has a place for each row of the table, those that spry_spmm runs for a matrix of this context: the
   last that it may run, for each operation. */
void many_note(const spry_context *context, const spry_matrix *matrix, bool *seen);

/* A row of the table for many columns, and for values kept plain or in a code, that the context runs and that was not seen;
   null: none. */
const char *many_missed(const spry_context *context, bool plain, const bool *seen);

#endif
