/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder that a file is in, and what it lets be done there. */
#ifndef SPRY_COMMON_FOLDER_H
#define SPRY_COMMON_FOLDER_H

#include <sys/stat.h>

/* The folder of a path, which the caller frees; null when there is no memory. */
char *folder_of(const char *path);

/* Whether another file may take the place of the one at `path`, of which these are the facts: in a folder with the sticky
   bit, as /tmp is, only its owner and the folder's may do that. 0, or an errno value. */
int folder_check_replacing(const char *path, const struct stat *facts);

#endif
