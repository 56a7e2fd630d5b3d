/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs write: Matrix Market files, and standard output. */
#ifndef SPRY_COMMON_OUTPUT_H
#define SPRY_COMMON_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <spry/spry.h>

/* Whether a path names standard output, as "-" does. */
bool output_is_standard(const char *path);

/* Whether output_write can write to a path, as far as that can be told before: whether there is room cannot.
   False: `message`, of `size` bytes, says why, with the path. Nothing is changed. */
bool output_check(const char *path, char *message, size_t size);

/* Write a matrix to a file, as spry_write does, or to the descriptor `standard` where the path names standard
   output: there it comes after all that was written. False: `message` says why. */
bool output_write(spry_context *context, const char *path, int standard, const spry_matrix *matrix,
                  char *message, size_t size);

/* Close standard output, to which nothing is printed after that. False, after a complaint, where some of what was printed is lost. */
bool output_close(void);

#endif
