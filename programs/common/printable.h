/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that comes from elsewhere, such as names of files, for a terminal to show and not to obey. */
#ifndef SPRY_COMMON_PRINTABLE_H
#define SPRY_COMMON_PRINTABLE_H

/* Have '?' for control characters, those of ASCII and, in UTF-8, those of Latin-1, so that a line stays one. The text may become
   shorter. */
void make_printable(char *text);

#endif
