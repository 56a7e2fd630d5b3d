/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs were compiled with is still so: members are where they were and as large, values have the same numbers. */
#include <stdio.h>
#include <string.h>

#include "layout.h"

int main(void) {
    int faults = 0, count = 0;
    for (const struct layout *then = layout_then, *now = layout_now; then->name; then++, now++, count++)
        if (strcmp(then->name, now->name) != 0 || then->value != now->value) {
            printf("%s was %zu, %s is %zu\n", then->name, then->value, now->name, now->value);
            faults++;
        }
    printf("%d of %d are not what they were\n", faults, count);
    return faults > 0 || count == 0;
}
