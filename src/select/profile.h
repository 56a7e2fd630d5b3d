/* SPDX-License-Identifier: BSD-3-Clause */
/* What a machine asks for each term of a product's cost, and of a conversion's: see docs/selector.md. */
#ifndef SPRY_PROFILE_H
#define SPRY_PROFILE_H

#include "analysis/work.h"

/* Terms of a conversion from CSR: what it takes at least, each byte that is read or written, each row, each slot whose value is put
   into a code. */
#define SPRY_CONVERSION_LIST(X)                                                                              \
    X(start)                                                                                                 \
    X(bytes)                                                                                                 \
    X(rows)                                                                                                  \
    X(encoding)
#define SPRY_CONVERSION_NAME(name) SPRY_CONVERSION_##name,
enum spry_conversion_term { SPRY_CONVERSION_LIST(SPRY_CONVERSION_NAME) SPRY_CONVERSION_COUNT };

#define SPRY_KERNEL_NAME 64

/* Prices of a kernel for values of one type, in seconds; also of those whose names begin with this and that have none of
   their own. */
struct spry_kernel_prices {
    spry_value_type type;
    char name[SPRY_KERNEL_NAME];
    union spry_terms price;
};

struct spry_profile {
    char machine[128]; /* as the backend has it; in a context's, remarks behind it */
    spry_backend backend;
    int processors;    /* threads, or multiprocessors */
    double memory_gbs; /* that it reads, in 10^9 bytes a second */
    int kernels;
    /* So many; but for the library's own profiles, they lie behind the profile. */
    const struct spry_kernel_prices *kernel;
    double conversion[SPRY_FORMAT_COUNT][SPRY_CONVERSION_COUNT]; /* seconds */
};

/* The profile of a context: what it was given, or the library's own for its machine or the nearest one. Neither takes
   more than a few kB, and nothing is measured. */
spry_status spry_profile_of(spry_context *context, const struct spry_profile **profile);
/* An empty profile with the context's memory, and room for the prices of so many kernels. */
spry_status spry_profile_new(spry_context *context, int kernels, struct spry_profile **profile);
void spry_profile_release(spry_context *context, struct spry_profile *profile);
/* The prices of a profile that spry_profile_new made. */
static inline struct spry_kernel_prices *spry_profile_prices(struct spry_profile *profile) {
    return (struct spry_kernel_prices *)(profile + 1);
}
/* A new one from JSON; `name` is of where that is from, for messages. */
spry_status spry_profile_parse(spry_context *context, const char *name, const char *text, size_t length,
                               struct spry_profile **profile);
/* Fit a profile that was read to the context, which owns it from now on, in place of what it had. */
void spry_profile_take(spry_context *context, struct spry_profile *profile);
/* A new profile with the prices that a context goes by, under the name of its own machine. */
spry_status spry_profile_draft(spry_context *context, struct spry_profile **draft);

/* Amounts times prices, added up; cost[i] becomes the part of each. */
double spry_weigh(const double *amount, const double *price, int count, double *cost);

/* The prices of a kernel; null: there are none. */
const union spry_terms *spry_prices_of(const struct spry_profile *profile, const spry_kernel *kernel);
/* The prices of the kernel that does the same without codes, whose name is this one's without theirs. */
const union spry_terms *spry_prices_without_codes(const struct spry_profile *profile,
                                                  const spry_kernel *kernel);

/* The profiles that the library brings along; null past the last one. */
const struct spry_profile *spry_builtin_profile(int i);

#endif
