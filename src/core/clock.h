/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRY_CLOCK_H
#define SPRY_CLOCK_H

/* Seconds since some moment, which never go back. */
double spry_now(void);

#endif
