/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/graph.h"

#include "cuda/device.h"

/* A capture that was begun must be ended, whatever happened in between. */
static spry_status capture(spry_context *context, spry_status (*body)(void *argument), void *argument,
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
