/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "core/team.h"

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is known of the calling thread, to whom OpenMP's teams belong: the largest that was asked for, what of it could be
   started, and whether the thread is all that a fork left of a process with others. */
static _Thread_local struct {
    int asked, granted;
    bool leaves_others, alone;
} known;

static bool sees_forks;

/* Before a fork. A runtime does not tell whether a thread has a team, so any other thread counts as one of it. The
   directory has two links, and one for each thread. */
static void look_for_others(void) {
    struct stat threads;
    known.leaves_others = stat("/proc/self/task", &threads) != 0 || threads.st_nlink != 3;
}

/* After it, in the child. Threads that its parent could start are asked for again. */
static void begin_anew(void) {
    const bool alone = known.alone || known.leaves_others;
    memset(&known, 0, sizeof known);
    known.alone = alone;
}

/* When the library is loaded: by the first call a thread may have had the team of another's loop, and a fork. */
__attribute__((constructor)) static void watch_forks(void) {
    sees_forks = pthread_atfork(look_for_others, NULL, begin_anew) == 0;
}

/* Bytes of OMP_STACKSIZE or what GCC's runtime had before it: a number of kilobytes, or with B, K, M or G. 0: unset. */
static size_t stack_bytes(void) {
    const char *text = getenv("OMP_STACKSIZE");
    text = text ? text : getenv("GOMP_STACKSIZE");
    char *unit;
    unsigned long long number = text ? strtoull(text, &unit, 10) : 0;
    int shift = 10;
    while (number && *unit == ' ')
        unit++;
    if (number && *unit)
        switch (*unit | 0x20) {
        case 'b':
            shift = 0;
            break;
        case 'm':
            shift = 20;
            break;
        case 'g':
            shift = 30;
        }
    return number > SIZE_MAX >> shift ? 0 : (size_t)number << shift;
}

/* Threads wait here until all have been started. */
static void *wait_for_all(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Start as many threads as a team of `wanted` has besides the calling one, like OpenMP's, and end them again. Returns
   how many there were, the calling one counted in. They take no signals from the caller's handlers. */
static int try_threads(int wanted) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread[SPRY_MAX_THREADS];
    pthread_attr_t attributes;
    sigset_t all, before;
    int started = 1;
    if (pthread_attr_init(&attributes) != 0)
        return 1;
    size_t bytes = stack_bytes();
    if (bytes)
        pthread_attr_setstacksize(&attributes, bytes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&gate);
    while (started < wanted && pthread_create(&thread[started], &attributes, wait_for_all, &gate) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (int i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

int spry_team(int wanted) {
    if (wanted > omp_get_thread_limit())
        wanted = omp_get_thread_limit();
    if (wanted <= 1 || omp_get_active_level() >= omp_get_max_active_levels())
        return 1;
    if (!sees_forks || known.alone)
        return 1;
    if (wanted > known.asked) {
        known.granted = try_threads(wanted);
        known.asked = wanted;
    }
    return wanted < known.granted ? wanted : known.granted;
}

void spry_team_ask_again(void) {
    known.asked = known.granted;
}
