/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_COMMON_CLOCK_H
#define SPRY_COMMON_CLOCK_H

/* Seconds on the monotonic clock. */
double clock_now(void);

#endif
