/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several machines is taken to be like another one. */
#include <criterion/criterion.h>
#include <limits.h>

#include "select/likeness.h"
#include "select/profile.h"

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

/* Two of the library's own are of one machine. */
Test(likeness, of_one_machine_by_threads) {
    static const char emerald[] = "GenuineIntel family 6 model 207";
    static const struct {
        const char *machine;
        int threads, expected;
    } cases[] = {{emerald, 1, 2},  {emerald, 2, 2},    {emerald, 5, 2},
                 {emerald, 6, 16}, {emerald, 256, 16}, {sapphire, 8, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct spry_profile *profile =
            spry_nearest_profile(SPRY_CPU, cases[i].machine, cases[i].threads);
        cr_assert_not_null(profile);
        cr_expect_str_eq(profile->machine, emerald);
        cr_expect_eq(profile->processors, cases[i].expected, "%d threads", cases[i].threads);
    }
    for (int threads = 1; threads <= 16; threads *= 16)
        cr_expect_str_eq(spry_nearest_profile(SPRY_CPU, unknown, threads)->machine, genoa);
}
