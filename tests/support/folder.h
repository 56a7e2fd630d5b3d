/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of a test's own, and files in it. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

#include <stddef.h>

extern char test_folder[];
/* A file in it, which need not be there. */
extern char test_path[100];

void make_folder(void);
/* Removes both; there must be nothing else. */
void remove_folder(void);

void put_file(const char *name, const void *bytes, size_t size);

#endif
