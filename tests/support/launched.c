/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernels programs launch: each name once a process, a line each, at the end of the file that $LAUNCHED names.
   CUDA loads this library into each process that uses a device, where it is told to:
       LAUNCHED=names CUDA_INJECTION64_PATH=$PWD/build/tests/liblaunched.so build/tests/test_trsv && sort -u names */
#define _POSIX_C_SOURCE 200809L
#include <cupti.h>
#include <fcntl.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *names; /* a tree of those that were seen */
static int file = -1;

static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}

/* A line is written at once, so that those of several processes do not mix. */
static void note(const char *name) {
    if (tfind(name, &names, compare))
        return;
    char *line = malloc(strlen(name) + 2), *kept = strdup(name);
    if (!line || !kept || !tsearch(kept, &names, compare)) {
        free(line), free(kept);
        return;
    }
    const int length = sprintf(line, "%s\n", name);
    if (write(file, line, (size_t)length) != length)
        fprintf(stderr, "launched: a name was not written\n");
    free(line);
}

/* Of a call of the driver that launches or records a kernel, symbolName is the kernel's; of others it is null. */
static void CUPTIAPI call(void *nothing, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
    const CUpti_CallbackData *about = data;
    (void)nothing, (void)domain, (void)id;
    if (about->callbackSite != CUPTI_API_ENTER || !about->symbolName)
        return;
    pthread_mutex_lock(&lock);
    note(about->symbolName);
    pthread_mutex_unlock(&lock);
}

/* By this name CUDA looks for it; 1 is success. */
int InitializeInjection(void);
int InitializeInjection(void) {
    CUpti_SubscriberHandle subscriber;
    const char *path = getenv("LAUNCHED");
    file = open(path ? path : "", O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0 || cuptiSubscribe(&subscriber, call, NULL) != CUPTI_SUCCESS ||
        cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) != CUPTI_SUCCESS)
        fprintf(stderr, "launched: no file of names, or no CUPTI\n");
    return 1;
}
