/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of matrices in test_path, and what reading them should give. */
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include "backend.h"
#include "folder.h"
#include "list.h"

/* A small matrix. */
extern const char small_text[80];

/* The bytes of test_path, to be freed. */
void *get_file(size_t *size);
/* Put them there compressed. */
void put_gzip(const char *bytes, size_t size);

/* The matrix is the one that a text in memory holds, which one thread reads. */
void expect_matrix(const spry_matrix *matrix, const char *text);
/* Read `name`: it is the matrix of the text, or the status is the expected one and the message is the name and `message_end`. */
void expect_read(const char *name, const char *text, spry_status expected, const char *message_end);

#endif
