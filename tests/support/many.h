/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernels for many columns products ran through. */
#ifndef TEST_MANY_H
#define TEST_MANY_H

#include <stdbool.h>

#include "spry/spry.h"

/* What is switched off so that each kernel is run for some matrix: instruction sets on the CPU, on a device what those for
   many columns go by. */
#define TEST_CHOICES 3
const char *test_without(int choice);

/* Note in `seen`, which has a place for each row of the table, those that spry_spmm runs for a matrix of this context: the
   last that it may run, for each operation. */
void many_note(const spry_context *context, const spry_matrix *matrix, bool *seen);

/* A row of the table for many columns, and for values kept plain or in a code, that the context runs and that was not seen;
   null: none. */
const char *many_missed(const spry_context *context, bool plain, const bool *seen);

#endif
