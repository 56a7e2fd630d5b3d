/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/size.h"

#include "core/print.h"

struct spry_size_text spry_size_text(double bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    size_t unit = 0;
    struct spry_size_text size;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000.0;
        unit++;
    }
    int decimals = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
    spry_print(size.text, sizeof size.text, "%.*f %s", decimals, bytes, units[unit]);
    return size;
}
