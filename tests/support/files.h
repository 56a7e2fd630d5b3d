/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of matrices in test_path, and what reading them should give. */
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include "backend.h"
#include "folder.h"
#include "list.h"

/* A matrix with four columns. */
extern const char small_text[80];

/* The bytes of test_path, to be freed. */
void *get_file(size_t *size);
/* Put them there compressed. */
void put_gzip(const char *bytes, size_t size);

/* Read `name`: it has so many columns, or the status is the expected one and the message is the name and `message_end`. */
void expect_read(const char *name, int64_t cols, spry_status expected, const char *message_end);

#endif
