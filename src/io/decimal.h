/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimal numbers in text to the nearest float or double, ties to even, whatever the locale. */
#ifndef SPRY_IO_DECIMAL_H
#define SPRY_IO_DECIMAL_H

/*
 * A real number: sign, digits with an optional point, an optional exponent after e, E, d or D; or nan, inf,
 * infinity in any case. Beyond the largest double it is infinite. Returns the first character behind it, or
 * null when there is no number; what follows the number is the caller's to judge.
 */
const char *spry_scan_real(const char *text, double *value);

/* As spry_scan_real, for an optional sign and digits alone. */
const char *spry_scan_integer(const char *text, double *value);

/* The float nearest to the number at `text`, of which `value` is the nearest double. */
float spry_narrow(const char *text, double value);

#endif
