/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of a call that puts work into a stream. Host and driver take longer to start a kernel than a small product
   takes to run: so calls are captured in a graph, and its replays are timed by events on the device. */
#include "measuring/gpu.h"

/* A graph this long is long against what the device takes to go from one replay to the next. */
#define GRAPH_SECONDS 0.5e-3
#define MOST_CALLS 100
/* Least time that is believed: a product of an empty matrix leaves nothing between two events. */
#define LEAST_SECONDS 1e-9

static double at_least(double value, double least) {
    return value > least ? value : least;
}

static long clamp(double value, long least, long most) {
    return value < (double)least ? least : value > (double)most ? most : (long)value;
}

/* Seconds from one recorded event to another; the host waits for it. */
static spry_status elapsed(struct place *place, cudaEvent_t from, cudaEvent_t to, double *seconds) {
    float milliseconds = 0;
    spry_status status = gpu_check(place, cudaEventSynchronize(to), "waiting for the device");
    if (status == SPRY_OK)
        status = gpu_check(place, cudaEventElapsedTime(&milliseconds, from, to), "reading a time");
    *seconds = at_least((double)milliseconds * 1e-3, LEAST_SECONDS);
    return status;
}

static spry_status record(struct place *place, cudaEvent_t event) {
    return gpu_check(place, cudaEventRecord(event, ((struct gpu *)place->own)->stream), "recording an event");
}

/* About how long a call takes, the second time: too long for short ones, where it is the host's time. */
static spry_status estimate(struct place *place, timed_call *call, void *user, double *seconds) {
    struct gpu *gpu = place->own;
    spry_status status = call(user);
    if (status == SPRY_OK)
        status = record(place, gpu->event[0]);
    if (status == SPRY_OK)
        status = call(user);
    if (status == SPRY_OK)
        status = record(place, gpu->event[1]);
    return status == SPRY_OK ? elapsed(place, gpu->event[0], gpu->event[1], seconds) : status;
}

/* ---- warm ---- */

/* The calls as a graph. A capture that was begun is ended, whatever fails in between. Relaxed, since what another
   library may do beside its kernels is its own affair. */
static spry_status capture(struct place *place, timed_call *call, void *user, long calls,
                           cudaGraphExec_t *graph) {
    struct gpu *gpu = place->own;
    cudaGraph_t captured = NULL;
    spry_status status = gpu_check(place, cudaStreamBeginCapture(gpu->stream, cudaStreamCaptureModeRelaxed),
                                   "capturing products");
    if (status != SPRY_OK)
        return status;
    for (long i = 0; i < calls && status == SPRY_OK; i++)
        status = call(user);
    cudaError_t error = cudaStreamEndCapture(gpu->stream, &captured);
    if (status == SPRY_OK)
        status = gpu_check(place, error, "capturing products");
    if (status == SPRY_OK)
        status = gpu_check(place, cudaGraphInstantiate(graph, captured, 0), "making a graph of products");
    if (captured)
        (void)cudaGraphDestroy(captured);
    (void)cudaGetLastError(); /* a capture that failed has left its error there as well */
    return status;
}

static spry_status launch(struct place *place, cudaGraphExec_t graph, long times) {
    struct gpu *gpu = place->own;
    cudaError_t error = cudaSuccess;
    for (long i = 0; i < times && error == cudaSuccess; i++)
        error = cudaGraphLaunch(graph, gpu->stream);
    return gpu_check(place, error, "replaying products");
}

/* Seconds of `launches` replays, `count` times. All of it is queued behind a first replay, so that the device
   never waits for the host. */
static spry_status replay(struct place *place, cudaGraphExec_t graph, long launches, int count,
                          double *samples) {
    struct gpu *gpu = place->own;
    spry_status status = launch(place, graph, 1);
    for (int i = 0; i <= count && status == SPRY_OK; i++) {
        status = record(place, gpu->event[i]);
        if (status == SPRY_OK && i < count)
            status = launch(place, graph, launches);
    }
    for (int i = 0; i < count && status == SPRY_OK; i++)
        status = elapsed(place, gpu->event[i], gpu->event[i + 1], &samples[i]);
    return status;
}

static spry_status time_warm(struct place *place, timed_call *call, void *user, double about, double min_time,
                             struct spread *warm) {
    double samples[GPU_SAMPLES];
    long calls = clamp(GRAPH_SECONDS / about, 1, MOST_CALLS);
    double graph_seconds = about * (double)calls;
    int count = (int)clamp(min_time / graph_seconds, GPU_LEAST_SAMPLES, GPU_SAMPLES);
    long launches = clamp(min_time / (graph_seconds * count), 1, 10000);
    cudaGraphExec_t graph = NULL;
    spry_status status = capture(place, call, user, calls, &graph);
    if (status == SPRY_OK)
        status = replay(place, graph, launches, count, samples);
    if (graph)
        (void)cudaGraphExecDestroy(graph);
    if (status != SPRY_OK)
        return status;
    for (int i = 0; i < count; i++)
        samples[i] /= (double)(calls * launches);
    *warm = timing_spread(samples, count);
    return SPRY_OK;
}

spry_status gpu_time_warm(struct place *place, timed_call *call, void *user, double min_time,
                          struct spread *warm) {
    double about;
    spry_status status = estimate(place, call, user, &about);
    return status == SPRY_OK ? time_warm(place, call, user, about, min_time, warm) : status;
}

/* ---- cold ---- */

/* One call with an empty cache. Emptying it takes the device longer than the host takes to queue what follows. */
static spry_status queue_cold(struct place *place, timed_call *call, void *user, cudaEvent_t before,
                              cudaEvent_t after) {
    spry_status status = gpu_check(place, gpu_empty_cache(place), "emptying the cache");
    if (status == SPRY_OK)
        status = record(place, before);
    if (status == SPRY_OK)
        status = call(user);
    return status == SPRY_OK ? record(place, after) : status;
}

static spry_status time_cold(struct place *place, timed_call *call, void *user, double about, double min_time,
                             struct spread *cold) {
    struct gpu *gpu = place->own;
    double samples[GPU_SAMPLES], flush = 3.0 * (double)place->cache_bytes / (place->memory_gbs * 1e9);
    int count = (int)clamp(min_time / (about + flush), GPU_LEAST_SAMPLES, GPU_SAMPLES);
    spry_status status = SPRY_OK;
    for (int i = 0; i < count && status == SPRY_OK; i++)
        status = queue_cold(place, call, user, gpu->event[2 * i], gpu->event[2 * i + 1]);
    for (int i = 0; i < count && status == SPRY_OK; i++)
        status = elapsed(place, gpu->event[2 * i], gpu->event[2 * i + 1], &samples[i]);
    if (status == SPRY_OK)
        *cold = timing_spread(samples, count);
    return status;
}

spry_status gpu_time(struct place *place, timed_call *call, void *user, double min_time, struct spread *warm,
                     struct spread *cold) {
    double about;
    spry_status status = estimate(place, call, user, &about);
    if (status == SPRY_OK)
        status = time_warm(place, call, user, about, min_time, warm);
    return status == SPRY_OK ? time_cold(place, call, user, about, min_time, cold) : status;
}
