/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that other programs read whenever they like. */
#ifndef SPRY_SPBENCH_REPLACE_H
#define SPRY_SPBENCH_REPLACE_H

/* Put `text` into a file, in place of what it had, if anything, and with the permissions that it had: whoever opens it
   finds all of the one or all of the other. Folders on the way to it are made. What is there and is no plain file, as a
   device, a pipe or a link, is written to as it is. Returns 0, or an errno value. */
int replace_file(const char *path, const char *text);

/* What replace_file would fail for now, but for want of room: 0, or an errno value. The file stays as it is. */
int replace_check(const char *path);

#endif
