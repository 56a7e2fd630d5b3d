/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes as a person reads them, for messages. */
#ifndef SPRY_CORE_SIZE_H
#define SPRY_CORE_SIZE_H

struct spry_size_text {
    char text[32];
};

/* Three significant digits and a unit of powers of ten: "12.3 MB". */
struct spry_size_text spry_size_text(double bytes);

#endif
