/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program of tests does before Criterion's main: without the device that the tests are for, it says so and counts
   as skipped, where Criterion would report success for tests that did not run. There is no main here: on Ubuntu 24.04,
   Criterion's workers do not find their way past one that is not its own. And it says which of its tests were skipped, which
   Criterion counts as passed. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/backend.h"

__attribute__((constructor)) static void prepare(void) {
#ifdef TEST_BACKEND /* of a program that is for this one alone */
    setenv("SPRY_TEST_BACKEND", TEST_BACKEND, 1);
#endif
    if (!test_backend_is_here())
        exit(TEST_SKIPPED);
    /* One device serves few programs at once well. */
    if (test_backend() != SPRY_CPU)
        setenv("CRITERION_JOBS", "4", 0);
}

/* tools/count_tests.py reads these lines. Tests that --filter leaves out are none that were skipped. */
ReportHook(POST_TEST)(struct criterion_test_stats *stats) {
    if (stats->test_status == CR_STATUS_SKIPPED && !stats->test->data->disabled)
        printf("skipped %s::%s: %s\n", stats->test->category, stats->test->name,
               stats->message ? stats->message : "");
}
