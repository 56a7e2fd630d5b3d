/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches in which the processor was taken away are noticed and repeated, a bounded number of times. Another process on
   the same processor sees to it that this happens. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measuring/quiet.h"
#include "support/check.h"

#define SKIPPED 77

static long times_taken(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

struct work {
    int calls;
    int rough;   /* so many calls, from the first on, last until the processor was taken away */
    int failing; /* this call fails; 0: none */
};

static spry_status work(void *user) {
    struct work *work = user;
    long before = times_taken();
    work->calls++;
    while (work->calls <= work->rough && times_taken() == before)
        ;
    return work->calls == work->failing ? SPRY_ERROR_DEVICE : SPRY_OK;
}

/* All attempts are disturbed, and there are as many as there may be. */
static void every_attempt_is_disturbed(void) {
    struct work rough = {.rough = 1000};
    double spare = 1e9, seconds = -1.0;
    bool disturbed = false;
    check(quiet_time(&(struct batch){.call = work, .user = &rough, .calls = 1}, &spare, &seconds,
                     &disturbed) == SPRY_OK,
          "it is timed");
    check(disturbed, "that all attempts were disturbed is told");
    /* One call each, and one before each repetition. */
    check(rough.calls == 1 + 2 * (QUIET_ATTEMPTS - 1), "there are as many attempts as there may be");
    check(seconds > 0.0, "the shortest counts");
    check(spare < 1e9, "what repetitions take is taken off");
}

static void nothing_to_spare(void) {
    struct work rough = {.rough = 1000};
    double spare = 0.0, seconds;
    bool disturbed = false;
    quiet_time(&(struct batch){.call = work, .user = &rough, .calls = 1}, &spare, &seconds, &disturbed);
    check(disturbed && rough.calls == 1, "without time to spare nothing is repeated");
}

static void a_disturbed_batch_is_repeated(void) {
    struct work rough = {.rough = 1};
    double spare = 1e9, seconds;
    bool disturbed;
    quiet_time(&(struct batch){.call = work, .user = &rough, .calls = 1}, &spare, &seconds, &disturbed);
    check(rough.calls >= 3, "a disturbed batch is repeated, after a call to warm up");
}

static void failures_end_it(void) {
    struct work failing = {.rough = 1000, .failing = 2};
    double spare = 1e9, seconds;
    bool disturbed;
    check(quiet_time(&(struct batch){.call = work, .user = &failing, .calls = 1}, &spare, &seconds,
                     &disturbed) == SPRY_ERROR_DEVICE,
          "a failure is returned");
    check(failing.calls == 2, "and ends it");
}

/* A measurement counts what was disturbed, and ends. */
static void a_measurement_tells(void) {
    struct work rough = {.rough = 1000000000};
    struct spread spread = {0};
    check(timing_measure(work, &rough, 1e-3, &spread) == SPRY_OK, "it is measured");
    check(spread.batches >= 5 && spread.disturbed == spread.batches, "all batches were disturbed");
    check(0.0 < spread.min && spread.min <= spread.median && spread.median <= spread.max,
          "times are in order");
}

/* A process that is always ready to run where this one does; 0 when there can be none. */
static pid_t start_rival(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        return 0;
    pid_t rival = fork();
    if (rival == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (volatile long i = 0;; i = i + 1)
            ;
    }
    return rival > 0 ? rival : 0;
}

int main(void) {
    pid_t rival = start_rival();
    if (rival == 0) {
        puts("skipped: no process can be bound to a processor here");
        return SKIPPED;
    }
    every_attempt_is_disturbed();
    nothing_to_spare();
    a_disturbed_batch_is_repeated();
    failures_end_it();
    a_measurement_tells();
    kill(rival, SIGKILL);
    waitpid(rival, NULL, 0);
    return failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
