/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled once per backend and pair of value and index type: collects their records. Formats come from the one
   list of formats; kernel_files.h is written by the build from its lists of kernel files, of which
   SPRY_TMPL_KERNEL_FILES names the backend's. */
#include "core/instance.h"
#include "core/tmpl.h"
#include "kernel_files.h"

#define DECLARE_FORMAT(NAME_, name, title)                                                                   \
    extern const struct spry_format_code NAME(spry_##name##_code);                                           \
    extern const struct spry_convert_code NAME(spry_##name##_convert);
SPRY_FORMAT_LIST(DECLARE_FORMAT)

extern const struct spry_diagonal_code NAME(spry_diagonal_code);
extern const struct spry_triangle_code NAME(spry_triangle_code);
extern const struct spry_column_coder NAME(spry_narrow_columns);

#define DECLARE_KERNELS(file) extern const struct spry_kernel_list NAME(spry_kernels_##file);
SPRY_TMPL_KERNEL_FILES(DECLARE_KERNELS)

/* The same compiled for codes, where the backend and the type have any that want it. */
#ifdef SPRY_TMPL_CODED_FILES
#define DECLARE_CODED(file, code)                                                                            \
    extern const struct spry_kernel_list TMPL_PASTE(NAME(spry_kernels_##file), code);
SPRY_TMPL_CODED_FILES(DECLARE_CODED)
#define CODED(file, code) &TMPL_PASTE(NAME(spry_kernels_##file), code),
#define CODED_LISTS SPRY_TMPL_CODED_FILES(CODED)
#else
#define CODED_LISTS
#endif

#define KERNELS(file) &NAME(spry_kernels_##file),
static const struct spry_kernel_list *const lists[] = {SPRY_TMPL_KERNEL_FILES(KERNELS) CODED_LISTS};

#define FORMAT(NAME_, name, title) [SPRY_##NAME_] = &NAME(spry_##name##_code),
#define CONVERT(NAME_, name, title) [SPRY_##NAME_] = &NAME(spry_##name##_convert),
extern const struct spry_instance NAME(spry_instance);
const struct spry_instance NAME(spry_instance) = {
    .format = {SPRY_FORMAT_LIST(FORMAT)},
    .convert = {SPRY_FORMAT_LIST(CONVERT)},
    .diagonal = &NAME(spry_diagonal_code),
    .triangle = &NAME(spry_triangle_code),
    .narrow = &NAME(spry_narrow_columns),
    .lists = sizeof lists / sizeof *lists,
    .list = lists,
};
