/* SPDX-License-Identifier: BSD-3-Clause */
/* How wide output may be. */
#ifndef SPRY_COMMON_TERMINAL_H
#define SPRY_COMMON_TERMINAL_H

/* Columns of the terminal that a file descriptor leads to; 0: it leads to none, or to one that does not say. */
int terminal_columns(int descriptor);

/*
 * Columns of the page that standard output is made for: $COLUMNS where that is set to a whole number over 0, or else
 * the terminal's width, or 100 where it goes to no terminal. Between PAGE_LEAST, which tables need, and PAGE_MOST,
 * past which lines are hard to follow.
 */
int terminal_page(void);

#define PAGE_LEAST 60
#define PAGE_MOST 132

#endif
