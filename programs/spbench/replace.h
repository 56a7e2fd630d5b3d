/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that other programs read whenever they like. */
#ifndef SPRY_SPBENCH_REPLACE_H
#define SPRY_SPBENCH_REPLACE_H

/* Put `text` into a file, in place of what it had, if anything: whoever opens it finds all of the one or
   all of the other. Folders on the way to it are made. Returns 0, or an errno value. */
int replace_file(const char *path, const char *text);

#endif
