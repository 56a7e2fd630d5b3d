/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several machines is taken to be like another one. */
#include <criterion/criterion.h>
#include <limits.h>

#include "core/cpu.h"
#include "select/nearest.h"
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

/* ---- of the library's own profiles ---- */

enum { WIDE = SPRY_CPU_AVX2 | SPRY_CPU_AVX512 };

static void expect_nearest(const char *machine, int threads, unsigned features, const char *name,
                           int processors) {
    const struct spry_profile *profile = spry_nearest_profile(SPRY_CPU, machine, threads, features);
    cr_assert_not_null(profile);
    cr_expect_str_eq(profile->machine, name, "%s, %d threads, sets %u: %s", machine, threads, features,
                     profile->machine);
    cr_expect_eq(profile->processors, processors, "%s, %d threads", machine, threads);
}

/* Two are of one machine. */
Test(likeness, of_one_machine_by_threads) {
    static const char emerald[] = "GenuineIntel family 6 model 207";
    static const struct {
        const char *machine;
        int threads, expected;
    } cases[] = {{emerald, 1, 2},  {emerald, 2, 2},    {emerald, 5, 2},
                 {emerald, 6, 16}, {emerald, 256, 16}, {sapphire, 8, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_nearest(cases[i].machine, cases[i].threads, WIDE, emerald, cases[i].expected);
}

/* A Zen 3 for desktops has a model that is nearer to a Zen 4, and a Zen 2 a family from which both are as far. */
Test(likeness, of_the_same_instruction_sets) {
    static const char vermeer[] = "AuthenticAMD family 25 model 33",
                      raphael[] = "AuthenticAMD family 25 model 97";
    expect_nearest(milan, 2, SPRY_CPU_AVX2, milan, 2);
    expect_nearest(vermeer, 2, SPRY_CPU_AVX2, milan, 2);
    expect_nearest(rome, 2, SPRY_CPU_AVX2, milan, 2);
    expect_nearest(raphael, 2, WIDE, genoa, 2);
    expect_nearest("AuthenticAMD family 25 model 2", 2, WIDE, genoa, 2);
}

/* Which sets it has does not make a machine another one, nor one of another maker's. */
Test(likeness, of_other_instruction_sets) {
    expect_nearest(genoa, 2, SPRY_CPU_AVX2, genoa, 2);
    expect_nearest(milan, 2, 0, milan, 2);
    expect_nearest("GenuineIntel family 6 model 151", 2, SPRY_CPU_AVX2, "GenuineIntel family 6 model 207", 2);
}

Test(likeness, of_no_machine_that_is_known) {
    for (int threads = 1; threads <= 16; threads *= 16) {
        expect_nearest(unknown, threads, WIDE, genoa, 2);
        expect_nearest(unknown, threads, SPRY_CPU_AVX2, milan, 2);
    }
}
