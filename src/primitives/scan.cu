/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans on a device. */
#include "primitives/scan_blocks.cuh"
#include "primitives/scan_lookback.cuh"

static const spry_algorithm algorithms[] = {
    {SPRY_CUDA_ALGORITHM(kogge_stone::name, SPRY_SCAN), .scan = scan_in_sections<kogge_stone>},
    {SPRY_CUDA_ALGORITHM(brent_kung::name, SPRY_SCAN), .scan = scan_in_sections<brent_kung>},
    {SPRY_CUDA_ALGORITHM("scan_lookback", SPRY_SCAN), .scan = scan_lookback},
};

extern "C" {
extern const spry_algorithm_list NAME(spry_algorithms_scan);
const spry_algorithm_list NAME(spry_algorithms_scan) = {sizeof algorithms / sizeof *algorithms, algorithms};
}
