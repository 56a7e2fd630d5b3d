/* SPDX-License-Identifier: BSD-3-Clause */
/* Criterion's own main, but for this: without the device that the tests are for, the program says so and counts as
   skipped. Criterion would report success for tests that did not run. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdlib.h>

#include "support/backend.h"

int main(int argc, char *argv[]) {
#ifdef TEST_BACKEND /* of a program that is for this one alone */
    setenv("SPRY_TEST_BACKEND", TEST_BACKEND, 1);
#endif
    if (!test_backend_is_here())
        return TEST_SKIPPED;
    struct criterion_test_set *tests = criterion_initialize();
    /* One device serves few programs at once well. */
    if (test_backend() != SPRY_CPU)
        criterion_options.jobs = 4;
    int result = criterion_handle_args(argc, argv, true) && !criterion_run_all_tests(tests);
    criterion_finalize(tests);
    return result;
}
