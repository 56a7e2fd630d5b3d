/* SPDX-License-Identifier: BSD-3-Clause */
/* In device code, what both sides call is compiled for both. */
#ifndef SPRY_HOST_DEVICE_H
#define SPRY_HOST_DEVICE_H

#ifdef __CUDACC__
#define SPRY_HOST_AND_DEVICE static __host__ __device__ inline
#define SPRY_CONSTANT static __host__ __device__ constexpr
#else
#define SPRY_HOST_AND_DEVICE static inline
#define SPRY_CONSTANT static inline
#endif

#endif
