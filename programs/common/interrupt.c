/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A shell's exit status for a program that a signal ended is this and the signal's number. */
#define STATUS_OF_SIGNALS 128

static const int signals[] = {SIGINT, SIGTERM};
#define SIGNAL_COUNT (sizeof signals / sizeof *signals)

static volatile sig_atomic_t seen;
/* What the first one is answered with, written beforehand, since a handler may not print; "" away from a terminal. */
static char answer[128];

static void take_note(int number);

/* From now on a signal ends the program, unless it is one that was left as it was. */
static void release_signal(int number) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == take_note)
        signal(number, SIG_DFL);
}

static void take_note(int number) {
    if (!seen && answer[0] != '\0')
        (void)!write(STDERR_FILENO, answer, strlen(answer));
    seen = number;
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        release_signal(signals[i]);
}

static void catch_signal(int number) {
    struct sigaction action = {.sa_handler = take_note, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaddset(&action.sa_mask, signals[i]);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void interrupt_catch(const char *program) {
    if (isatty(STDERR_FILENO))
        snprintf(answer, sizeof answer,
                 "\r\033[K%s: stopping after what is under way; once more ends it at once\n", program);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        catch_signal(signals[i]);
}

bool interrupt_seen(void) {
    return seen != 0;
}

int interrupt_status(void) {
    return seen != 0 ? STATUS_OF_SIGNALS + (int)seen : 0;
}
