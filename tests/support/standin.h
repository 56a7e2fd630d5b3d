/* SPDX-License-Identifier: BSD-3-Clause */
/* A device where there is none: the CPU's code under the name of the GPU's, in memory that the host reaches. Linked in
   place of src/backends/no_cuda.c, it shows on any machine what the library does for matrices that lie on a device: copies,
   messages, predictions, work that is recorded and replayed, and a device that fails. What a GPU computes, only a GPU
   shows. */
#ifndef TEST_STANDIN_H
#define TEST_STANDIN_H

#include <stdbool.h>

/* Its n-th operation from now fails, and so do all after it, as a device's do; 0: none fails. */
void standin_fail(long n);
/* Whether one has failed. */
bool standin_failed(void);

/* How often work was recorded. */
long standin_recorded(void);

/* This array is out of its reach; null: all are within. */
void standin_hide(const void *array);

/* Bytes that it says it has left. */
#define STANDIN_MEMORY_LEFT 12345678

/* What it calls itself: a machine and a number of multiprocessors. */
void standin_name(const char *machine, int processors);

#endif
