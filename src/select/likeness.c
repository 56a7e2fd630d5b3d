/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/likeness.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/profile.h"

/* Numbers are read up to four digits, so that no two models are as far apart as two families. */
#define MOST_NUMBER 9999
#define FAMILY (MOST_NUMBER + 1)

struct processor {
    char maker[16];
    int family, model;
};

static bool read_name(const char *name, struct processor *processor) {
    int end = 0;
    return sscanf(name, "%15s family %4d model %4d%n", processor->maker, &processor->family,
                  &processor->model, &end) == 3 &&
           name[end] == '\0';
}

int spry_unlikeness(const char *one, const char *other) {
    struct processor a, b;
    if (strcmp(one, other) == 0)
        return 0;
    if (!read_name(one, &a) || !read_name(other, &b) || strcmp(a.maker, b.maker) != 0)
        return INT_MAX;
    return 1 + FAMILY * abs(a.family - b.family) + abs(a.model - b.model);
}

/* How many times as many processors one has as the other. */
static double disparity(int one, int other) {
    return one > other ? (double)one / other : (double)other / one;
}

const struct spry_profile *spry_nearest_profile(spry_backend backend, const char *machine, int processors) {
    const struct spry_profile *found = NULL, *profile;
    int least = INT_MAX;
    for (int i = 0; (profile = spry_builtin_profile(i)); i++) {
        int unlikeness = spry_unlikeness(profile->machine, machine);
        if (profile->backend != backend)
            continue;
        if (!found || unlikeness < least ||
            (unlikeness == least && least < INT_MAX &&
             disparity(profile->processors, processors) < disparity(found->processors, processors))) {
            found = profile;
            least = unlikeness;
        }
    }
    return found;
}
