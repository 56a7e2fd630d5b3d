/* SPDX-License-Identifier: BSD-3-Clause */
/* One line on standard error that says what is being done; nothing when that is not a terminal. */
#ifndef SPRY_COMMON_PROGRESS_H
#define SPRY_COMMON_PROGRESS_H

/* Replace the line. Cut to the terminal's width. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What was last said to be done, whether it was shown or not; "" in the beginning. */
const char *progress_last(void);

/* Erase the line; to be called before anything else is printed. */
void progress_clear(void);

#endif
