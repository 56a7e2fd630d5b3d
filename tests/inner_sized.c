/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs that have grown since their first version, as none of the interface has yet. */
#include <criterion/criterion.h>
#include <string.h>

#include "core/sized.h"
#include "support/backend.h"

/* As callers of each version have it. */
struct first {
    size_t size;
    double limit;
};

struct second {
    size_t size;
    double limit;
    int64_t steps;
};

struct third {
    size_t size;
    double limit;
    int64_t steps;
    const char *name;
};

typedef struct third third;
SPRY_SIZED(third, limit, name);

Test(sized, older_callers_have_defaults) {
    spry_context *context = test_context(1);
    const struct first first = {sizeof first, 2.5};
    const struct second second = {sizeof second, 3.5, 7};
    struct third taken;
    memset(&taken, 0xa5, sizeof taken);
    cr_expect_eq(spry_take(context, &third_sized, &first, &taken), SPRY_OK);
    cr_expect(taken.size == sizeof taken && taken.limit == 2.5 && taken.steps == 0 && !taken.name);
    cr_expect_eq(spry_take(context, &third_sized, &second, &taken), SPRY_OK);
    cr_expect(taken.size == sizeof taken && taken.limit == 3.5 && taken.steps == 7 && !taken.name);
    cr_expect_eq(spry_take(context, &third_sized, NULL, &taken), SPRY_OK);
    cr_expect(taken.size == sizeof taken && taken.limit == 0 && taken.steps == 0 && !taken.name);
    const struct first small = {sizeof small - 8, 2.5};
    cr_expect_eq(spry_take(context, &third_sized, &small, &taken), SPRY_ERROR_ARGUMENT);
    cr_expect_eq(spry_take(NULL, &third_sized, &small, &taken), SPRY_ERROR_ARGUMENT);
    spry_context_destroy(context);
}

/* Nothing is written behind the struct that the caller has. */
Test(sized, older_callers_get_what_they_have_room_for) {
    struct {
        struct first first;
        double guard;
    } older = {{sizeof older.first, 0}, -1};
    struct {
        struct second second;
        double guard;
    } newer = {{sizeof newer.second, 0, 0}, -1};
    const struct third made = {sizeof made, 2.5, 7, "name"};
    spry_give(&third_sized, &made, &older);
    cr_expect(older.first.size == sizeof older.first && older.first.limit == 2.5 && older.guard == -1);
    spry_give(&third_sized, &made, &newer);
    cr_expect(newer.second.size == sizeof newer.second && newer.second.limit == 2.5);
    cr_expect(newer.second.steps == 7 && newer.guard == -1);
    spry_give(&third_sized, &made, NULL);
}
