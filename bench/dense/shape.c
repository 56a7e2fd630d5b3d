/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/shape.h"

#include <stdio.h>
#include <string.h>

const char *const dense_shapes_known[] = {
    "nn:1024x1024x1024",
    "nn:2048x2048x2048",
    "tt:2048x2048x2048",
    "nn:4096x4096x4096",
    "tn:8x1x1000000",
    "tn:30x1x1000000",
    "tn:64x1x1000000",
    "nn:1000000x1x8+",
    "nn:1000000x1x30+",
    "nn:1000000x1x64+",
    "nn:8x1x1000000",
    "nn:30x1x1000000",
    "nn:64x1x1000000",
    "tn:1000000x1x8+",
    "tn:1000000x1x30+",
    "tn:1000000x1x64+",
    "tn:8x4x1000000",
    "tn:30x4x1000000",
    "tn:64x4x1000000",
    "tn:30x16x1000000",
    "tn:64x16x1000000",
    "tn:8x8x1000000",
    "tn:30x30x1000000",
    "tn:64x64x1000000",
    "nn:1000000x4x8+",
    "nn:1000000x4x30+",
    "nn:1000000x4x64+",
    "nn:1000000x16x30+",
    "nn:1000000x16x64+",
    "nn:1000000x8x8+",
    "nn:1000000x30x30+",
    "nn:1000000x64x64+",
    "nt:30x4x1000000",
    "nt:64x64x1000000",
    "nn:4x1000000x30+",
    "nn:64x1000000x64+",
    NULL,
};

/* One letter: n or t. */
static bool parse_transpose(char letter, bool *transpose) {
    *transpose = letter == 't';
    return letter == 'n' || letter == 't';
}

bool dense_shape_parse(const char *text, struct dense_shape *shape) {
    char a, b;
    long long m, n, k;
    int length = 0;
    if (sscanf(text, "%c%c:%18lldx%18lldx%18lld%n", &a, &b, &m, &n, &k, &length) != 5)
        return false;
    *shape = (struct dense_shape){.add = strcmp(text + length, "+") == 0, .m = m, .n = n, .k = k};
    return parse_transpose(a, &shape->transpose_a) && parse_transpose(b, &shape->transpose_b) &&
           (shape->add || text[length] == '\0') && m > 0 && n > 0 && k > 0 && m < INT64_MAX / 16 / k &&
           n < INT64_MAX / 16 / k && m < INT64_MAX / 16 / n;
}
