/* SPDX-License-Identifier: BSD-3-Clause */
/* The host's part in what a device has no code for: files, and the words of faults. */
#ifndef SPRY_HOST_H
#define SPRY_HOST_H

#include "core/internal.h"

/* A context on the CPU that works for this one: itself, if it is such a one. */
spry_status spry_host_open(spry_context *context, spry_context **host);
/* Let go of it. Returns `status`; the message that goes with it becomes the context's. */
spry_status spry_host_close(spry_context *context, spry_context *host, spry_status status);

#endif
