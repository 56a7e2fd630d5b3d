/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ctrl-C and SIGTERM: a program that catches them finishes the piece of work that it is at, prints what it has, and
 * ends with the status that a shell gives for the signal. The second one ends the program at once.
 */
#ifndef SPRY_COMMON_INTERRUPT_H
#define SPRY_COMMON_INTERRUPT_H

#include <stdbool.h>

#include <spry/spry.h>

/* From now on take note of SIGINT and SIGTERM instead of ending. One that the program was started to ignore stays
   ignored. At a terminal the first one is answered with a line on standard error that names the program. */
void interrupt_catch(const char *program);

/* What work that was cut short returns: no status of the library's. */
#define INTERRUPTED SPRY_STATUS_COUNT

/* Whether there was one. To be asked between pieces of work: batches of products, iterations. */
bool interrupt_seen(void);

/* The exit status for it, 130 for Ctrl-C and 143 for SIGTERM; 0 when there was none. */
int interrupt_status(void);

#endif
