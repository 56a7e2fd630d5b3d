/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"

#define TEMPLATE "/tmp/spry_test_XXXXXX"
char test_folder[] = TEMPLATE;
char test_path[100];

void make_folder(void) {
    memcpy(test_folder, TEMPLATE, sizeof TEMPLATE);
    cr_assert(mkdtemp(test_folder));
    snprintf(test_path, sizeof test_path, "%s/file", test_folder);
}

void remove_folder(void) {
    unlink(test_path);
    cr_expect_eq(rmdir(test_folder), 0, "a file was left in %s", test_folder);
}

void put_file(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    cr_assert(file, "%s", name);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}
