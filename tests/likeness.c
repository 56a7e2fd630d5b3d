/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several machines is taken to be like another one. */
#include <criterion/criterion.h>
#include <limits.h>

#include "select/likeness.h"

static const char genoa[] = "AuthenticAMD family 25 model 17", milan[] = "AuthenticAMD family 25 model 1",
                  turin[] = "AuthenticAMD family 26 model 2", rome[] = "AuthenticAMD family 23 model 49",
                  sapphire[] = "GenuineIntel family 6 model 143", ice[] = "GenuineIntel family 6 model 106",
                  unknown[] = "unknown processor", h200[] = "NVIDIA H200";

/* The machine is more like `near` than like `distant`, from whichever side it is looked at. */
static void expect_nearer(const char *machine, const char *near, const char *distant) {
    cr_expect_lt(spry_unlikeness(machine, near), spry_unlikeness(machine, distant), "%s: %s, %s", machine,
                 near, distant);
    cr_expect_lt(spry_unlikeness(near, machine), spry_unlikeness(distant, machine), "%s: %s, %s", machine,
                 near, distant);
}

Test(likeness, the_same) {
    static const char *const machines[] = {genoa, sapphire, unknown, h200, ""};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        cr_expect_eq(spry_unlikeness(machines[i], machines[i]), 0);
}

Test(likeness, model_then_family_then_maker) {
    expect_nearer(genoa, genoa, milan);
    expect_nearer(genoa, "AuthenticAMD family 25 model 97", turin);
    expect_nearer(milan, "AuthenticAMD family 25 model 2", genoa);
    expect_nearer(turin, genoa, rome);
    expect_nearer(turin, "AuthenticAMD family 26 model 9999", genoa);
    expect_nearer(rome, turin, sapphire);
    expect_nearer(sapphire, ice, genoa);
    expect_nearer(sapphire, "GenuineIntel family 6 model 207", "GenuineIntel family 15 model 143");
}

Test(likeness, nothing_in_common) {
    static const char *const others[] = {sapphire,
                                         unknown,
                                         h200,
                                         "",
                                         "HygonGenuine family 25 model 17",
                                         "AuthenticAMD family 25",
                                         "AuthenticAMD family 25 model 17 and more",
                                         "AuthenticAMD family 25 model 99999",
                                         "AuthenticAMDAuthenticAMD family 25 model 17",
                                         "AuthenticAMD family 99999999999 model 17"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cr_expect_eq(spry_unlikeness(genoa, others[i]), INT_MAX, "%s", others[i]);
        cr_expect_eq(spry_unlikeness(others[i], genoa), INT_MAX, "%s", others[i]);
    }
}
