/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of what spbench --json printed: a record a line. */
#ifndef SPRY_SPBENCH_RECORD_FILE_H
#define SPRY_SPBENCH_RECORD_FILE_H

#include "spbench/record.h"

/* Bytes of a line that are read at most, and records of a file. */
#define RECORD_LINE (64 << 20)
#define RECORDS_MOST 10000

struct record_file {
    const char *path;
    struct record *record;
    int count;
};

/* Read all of it: one record at least. Controls in its texts, which a terminal might obey, become '?'. On failure
   `message` says why, with the file's name and the line. Also then record_file_free is due. */
bool record_file_read(struct record_file *file, const char *path, char *message, size_t size);
void record_file_free(struct record_file *file);

#endif
