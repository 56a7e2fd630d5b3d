/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that is put into a stream again and again, as a CUDA graph. */
#ifndef SPRY_CUDA_GRAPH_H
#define SPRY_CUDA_GRAPH_H

#include "core/internal.h"

/* As core/backend.h says: all but the legacy default stream, in which CUDA lets nothing be captured. */
bool spry_cuda_can_record(const spry_context *context);
spry_status spry_cuda_record(spry_context *context, spry_status (*body)(void *argument), void *argument,
                             void **recording);
spry_status spry_cuda_replay(spry_context *context, void *recording);
void spry_cuda_destroy_graph(void *recording);

/* What waits for a whole device, or works in its default stream, is refused by CUDA while a stream of that device
   is captured, and ruins the capture. So it stands between these: no other thread of the process records there
   meanwhile. */
void spry_cuda_pause_recordings(int device);
void spry_cuda_resume_recordings(int device);

#endif
