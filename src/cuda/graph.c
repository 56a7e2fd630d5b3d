/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "cuda/graph.h"

#include <pthread.h>

#include "cuda/device.h"

/* A lock for each device; more devices than these share some. Threads that record read it. None of them may be
   kept back by one that still waits to write, as ranks may wait for each other while they record: by default,
   readers come first. */
#define LOCK PTHREAD_RWLOCK_INITIALIZER
static pthread_rwlock_t locks[] = {LOCK, LOCK, LOCK, LOCK, LOCK, LOCK, LOCK, LOCK,
                                   LOCK, LOCK, LOCK, LOCK, LOCK, LOCK, LOCK, LOCK};
static _Thread_local bool records; /* this thread, which must not wait for itself */

static pthread_rwlock_t *lock_of(int device) {
    return &locks[(size_t)device % (sizeof locks / sizeof *locks)];
}

void spry_cuda_pause_recordings(int device) {
    if (!records)
        (void)pthread_rwlock_wrlock(lock_of(device));
}

void spry_cuda_resume_recordings(int device) {
    if (!records)
        (void)pthread_rwlock_unlock(lock_of(device));
}

bool spry_cuda_can_record(const spry_context *context) {
    return context->device->stream != cudaStreamLegacy;
}

/* A capture that was begun must be ended, whatever happened in between. */
static spry_status capture_alone(spry_context *context, spry_status (*body)(void *argument), void *argument,
                                 cudaGraph_t *graph) {
    cudaStream_t stream = context->device->stream;
    spry_status status = spry_cuda_check(
        context, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording");
    if (status)
        return status;
    status = body(argument);
    cudaError_t error = cudaStreamEndCapture(stream, graph);
    if (status)
        (void)cudaGetLastError();
    return status ? status : spry_cuda_check(context, error, "recording");
}

static spry_status capture(spry_context *context, spry_status (*body)(void *argument), void *argument,
                           cudaGraph_t *graph) {
    pthread_rwlock_t *lock = lock_of(context->device_number);
    const bool recorded = records;
    (void)pthread_rwlock_rdlock(lock);
    records = true;
    spry_status status = capture_alone(context, body, argument, graph);
    records = recorded;
    (void)pthread_rwlock_unlock(lock);
    return status;
}

spry_status spry_cuda_record(spry_context *context, spry_status (*body)(void *argument), void *argument,
                             void **recording) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;
    *recording = NULL;
    spry_status status = capture(context, body, argument, &graph);
    if (!status)
        status = spry_cuda_check(context, cudaGraphInstantiate(&executable, graph, 0), "making a graph");
    if (graph)
        (void)cudaGraphDestroy(graph);
    *recording = executable;
    return status;
}

spry_status spry_cuda_replay(spry_context *context, void *recording) {
    return spry_cuda_check(context, cudaGraphLaunch(recording, context->device->stream), "replaying a graph");
}

void spry_cuda_destroy_graph(void *recording) {
    if (recording)
        (void)cudaGraphExecDestroy(recording);
}
