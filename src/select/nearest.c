/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/nearest.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"

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

/* How many instruction sets there are that either the machine has or the profile has prices of kernels for. */
static int other_sets(const struct spry_profile *profile, unsigned features) {
    int count = 0;
    for (const struct spry_cpu_feature_name *f = spry_cpu_feature_names; f->bit; f++) {
        bool priced = false;
        for (int k = 0; k < profile->kernels && !priced; k++)
            priced = strstr(profile->kernel[k].name, f->name);
        count += priced != ((features & f->bit) != 0);
    }
    return count;
}

/* How far a profile's machine is from another: what comes first decides. */
struct distance {
    int unknown; /* 0: the same machine, 1: of the same maker, 2: nothing is known that they have in common */
    int sets;    /* unless it is the same, its instruction sets say more than family and model */
    int unlikeness;
    double disparity; /* of two of one machine */
};

static struct distance distance_to(const struct spry_profile *profile, const char *machine, int processors,
                                   unsigned features) {
    const int unlikeness = spry_unlikeness(profile->machine, machine);
    struct distance distance = {.unknown = unlikeness == INT_MAX ? 2 : unlikeness > 0,
                                .unlikeness = unlikeness};
    if (distance.unknown)
        distance.sets = other_sets(profile, features);
    if (unlikeness < INT_MAX)
        distance.disparity = disparity(profile->processors, processors);
    return distance;
}

static bool is_less(struct distance a, struct distance b) {
    if (a.unknown != b.unknown)
        return a.unknown < b.unknown;
    if (a.sets != b.sets)
        return a.sets < b.sets;
    if (a.unlikeness != b.unlikeness)
        return a.unlikeness < b.unlikeness;
    return a.disparity < b.disparity;
}

const struct spry_profile *spry_nearest_profile(spry_backend backend, const char *machine, int processors,
                                                unsigned features) {
    const struct spry_profile *found = NULL, *profile;
    struct distance least = {0};
    for (int i = 0; (profile = spry_builtin_profile(i)); i++) {
        if (profile->backend != backend)
            continue;
        const struct distance distance = distance_to(profile, machine, processors, features);
        if (!found || is_less(distance, least)) {
            found = profile;
            least = distance;
        }
    }
    return found;
}
