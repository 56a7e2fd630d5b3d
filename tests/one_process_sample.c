/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that pass, fail and are skipped, for support/one_process.c. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>

static int begun, ended;

static void start(void) {
    begun++;
}

static void stop(void) {
    ended++;
}

TestSuite(around, .init = start, .fini = stop);

/* In one process, whichever of them comes second. */
static void check(void) {
    cr_assert_eq(begun, ended + 1);
    printf("begun %d\n", begun);
}

Test(around, one) {
    check();
}

Test(around, other) {
    check();
}

Test(fails, at_once) {
    cr_assert_eq(1 + 1, 3, "that is said");
    puts("not reached");
}

Test(fails, twice) {
    cr_expect(false, "once");
    cr_expect(false, "and again");
}

Test(others, skipped) {
    cr_skip_test("nothing %s", "here");
}

ParameterizedTestParameters(others, each) {
    static int numbers[] = {7, 8, 9};
    return cr_make_param_array(int, numbers, 3);
}

ParameterizedTest(int *number, others, each) {
    printf("number %d\n", *number);
}
