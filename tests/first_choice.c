/* SPDX-License-Identifier: BSD-3-Clause */
/* What the first choice of a format takes, in a process that does nothing else: memory that stays under a bound whatever
   the machine has in caches and cores, known to the library or not. Its time is printed and not judged. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "spry/spry.h"
#include "support/backend.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#define MOST_KILOBYTES 20000

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The most that this program has had resident; getrusage would count what called it, too. 0: the system is silent. */
static long resident_kilobytes(void) {
    char line[128];
    long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes;
}

static spry_status choose(spry_context *context, spry_matrix **chosen) {
    int ptr[] = {0, 1, 2, 3}, idx[] = {0, 1, 2};
    double val[] = {1, 2, 3};
    spry_csr arrays = {.ptr = ptr, .idx = idx, .val = val};
    spry_matrix *wrapped;
    spry_status status = spry_wrap_csr(context, SPRY_F64, SPRY_I32, 3, 3, &arrays, &wrapped);
    if (!status)
        status = spry_convert(context, wrapped, SPRY_AUTO, NULL, chosen);
    spry_matrix_destroy(wrapped);
    return status;
}

/* With so many threads; 0: as many as there are. */
static void check(int threads) {
    spry_context *context;
    spry_matrix *chosen = NULL;
    double begin = now();
    spry_context_options options = {.size = sizeof options, .threads = threads};
    spry_status status = spry_context_create(&context, &options);
    if (!status)
        status = choose(context, &chosen);
    double seconds = now() - begin;
    long kilobytes = resident_kilobytes();
    printf("threads %d, %s: %.2f ms, %ld kB resident\n", spry_context_threads(context),
           spry_profile_machine(context), 1e3 * seconds, kilobytes);
    if (status || kilobytes > MOST_KILOBYTES) {
        fprintf(stderr, "expected success in %d kB: %s\n", MOST_KILOBYTES,
                status ? spry_status_string(status) : "too many");
        exit(EXIT_FAILURE);
    }
    spry_matrix_destroy(chosen);
    spry_context_destroy(context);
}

int main(void) {
#ifdef SANITIZED
    puts("skipped: a sanitizer's memory would be counted");
    return TEST_SKIPPED;
#endif
    if (resident_kilobytes() == 0) {
        puts("skipped: the system does not tell how much is resident");
        return TEST_SKIPPED;
    }
    for (int threads = 0; threads <= 4; threads++)
        check(threads);
    return EXIT_SUCCESS;
}
