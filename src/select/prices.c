/* SPDX-License-Identifier: BSD-3-Clause */
/* The prices of kernels in a profile. */
#include "select/profile.h"

#include <string.h>

#include "core/table.h"

double spry_weigh(const double *amount, const double *price, int count, double *cost) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += cost[i] = amount[i] * price[i];
    return sum;
}

/* The length of a prefix of a name; 0: it is none. */
static size_t prefix_length(const char *prefix, const char *name) {
    size_t length = 0;
    while (prefix[length] && prefix[length] == name[length])
        length++;
    return prefix[length] ? 0 : length;
}

/* The prices under the longest prefix of a name, of which the first `length` letters count. */
static const union spry_terms *find_prices(const struct spry_profile *profile, spry_value_type type,
                                           const char *name, size_t length) {
    const struct spry_kernel_prices *best = NULL;
    size_t most = 0;
    for (int i = 0; i < profile->kernels; i++) {
        const struct spry_kernel_prices *prices = &profile->kernel[i];
        /* A longer prefix than the best so far has the next letter of the name. Few do, and others need not be compared. */
        const bool may_be = prices->type == type && prices->name[most] == name[most];
        size_t same = may_be ? prefix_length(prices->name, name) : 0;
        if (same > most && same <= length) {
            best = prices;
            most = same;
        }
    }
    return best ? &best->price : NULL;
}

const union spry_terms *spry_prices_of(const struct spry_profile *profile, const spry_kernel *kernel) {
    const char *name = kernel->priced_as ? kernel->priced_as : kernel->name;
    return find_prices(profile, kernel->type, name, strlen(name));
}

const union spry_terms *spry_prices_without_codes(const struct spry_profile *profile,
                                                  const spry_kernel *kernel) {
    size_t length = strlen(kernel->name);
    if (kernel->priced_as)
        return spry_prices_of(profile, kernel);
    if (kernel->values != SPRY_VALUES_PLAIN)
        length -= 1 + strlen(spry_value_code_name(kernel->values));
    if (kernel->columns != SPRY_COLUMNS_PLAIN)
        length -= 1 + strlen(spry_column_code_name(kernel->columns));
    return find_prices(profile, kernel->type, kernel->name, length);
}
