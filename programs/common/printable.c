/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/printable.h"

/* Bytes of the control character that the text begins with; 0: it begins with another one. */
static int control_bytes(const char *text) {
    const unsigned char byte = (unsigned char)text[0], next = (unsigned char)text[1];
    if (byte == 0xc2 && 0x80 <= next && next < 0xa0)
        return 2;
    return byte < 0x20 || byte == 0x7f;
}

void make_printable(char *text) {
    char *to = text;
    while (*text) {
        const int control = control_bytes(text);
        *to++ = control > 0 ? '?' : *text;
        text += control > 0 ? control : 1;
    }
    *to = '\0';
}
