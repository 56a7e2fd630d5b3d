/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are timed side by side take turns, each round from another one on, and one that fails has no more. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measuring/rounds.h"
#include "support/check.h"

#define MOST_CALLS 64

/* Who was called, a letter each. */
static char calls[MOST_CALLS + 1];

struct caller {
    char letter;
    int left; /* calls before one fails; negative: none does */
    int milliseconds;
};

static spry_status call(void *user) {
    struct caller *caller = user;
    size_t count = strlen(calls);
    if (count < MOST_CALLS)
        calls[count] = caller->letter;
    if (caller->milliseconds)
        nanosleep(&(struct timespec){.tv_nsec = caller->milliseconds * 1000000L}, NULL);
    return caller->left-- == 0 ? SPRY_ERROR_DEVICE : SPRY_OK;
}

static spry_status race(struct contender *contenders, struct caller *callers, int count,
                        const struct rounds *rounds) {
    memset(calls, 0, sizeof calls);
    for (int i = 0; i < count; i++)
        contenders[i] = (struct contender){.call = call, .user = &callers[i]};
    return rounds_measure(NULL, contenders, count, rounds);
}

static bool is_time(const struct spread *time, int batches) {
    return time->batches == batches && 0.0 <= time->min && time->min <= time->q1 &&
           time->q1 <= time->median && time->median <= time->q3 && time->q3 <= time->max;
}

/* A call to warm up and one that is timed, as turns of one call are not repeated. */
static void turns_begin_with_another_one(void) {
    struct caller callers[] = {{'a', -1, 0}, {'b', -1, 0}, {'c', -1, 0}};
    struct contender contenders[3];
    check(race(contenders, callers, 3, &(struct rounds){.least = 3, .most = 3}) == SPRY_OK,
          "all are measured");
    check(strcmp(calls, "aabbcc"
                        "bbccaa"
                        "ccaabb") == 0,
          "each round begins with another one");
    for (int i = 0; i < 3; i++)
        check(is_time(&contenders[i].time, 3), "each has the times of all rounds");
}

/* A tenth of a second is far behind on any machine. */
static void one_far_behind_has_one_turn(void) {
    struct caller callers[] = {{'a', -1, 0}, {'b', -1, 100}};
    struct contender contenders[2];
    check(race(contenders, callers, 2, &(struct rounds){.least = 3, .most = 3, .behind = 2}) == SPRY_OK,
          "both are measured");
    check(strcmp(calls, "aabb"
                        "aa"
                        "aa") == 0,
          "the rounds go on without it");
    check(is_time(&contenders[0].time, 3) && is_time(&contenders[1].time, 1), "its only time counts");
}

static void a_failure_is_its_own(void) {
    struct caller callers[] = {{'a', -1, 0}, {'b', 2, 0}};
    struct contender contenders[2];
    check(race(contenders, callers, 2, &(struct rounds){.least = 3, .most = 3}) == SPRY_ERROR_DEVICE,
          "the failure is returned");
    check(strcmp(calls, "aabb"
                        "baa"
                        "aa") == 0,
          "who failed has no more turns");
    check(contenders[0].status == SPRY_OK && is_time(&contenders[0].time, 3), "others are measured");
    check(contenders[1].status == SPRY_ERROR_DEVICE, "who failed is told");
}

/* Time that is over ends it after the least, and time that is not goes on to the most. */
static void rounds_end(void) {
    struct caller caller = {'a', -1, 0};
    struct contender alone;
    check(race(&alone, &caller, 1, &(struct rounds){.least = 2, .most = 50, .seconds = 0}) == SPRY_OK &&
              alone.time.batches == 2,
          "there are no more rounds than there is time for");
    check(race(&alone, &caller, 1, &(struct rounds){.least = 2, .most = 5, .seconds = 1e9}) == SPRY_OK &&
              alone.time.batches == 5,
          "there are no more rounds than the most");
}

int main(void) {
    turns_begin_with_another_one();
    one_far_behind_has_one_turn();
    a_failure_is_its_own();
    rounds_end();
    return failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
