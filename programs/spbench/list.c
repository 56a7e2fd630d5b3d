/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/list.h"

#include "common/columns.h"
#include "common/terminal.h"

enum { KERNEL, OP, TYPE, INDEX, BACKEND, NEEDS, RUNS, COLUMN_COUNT };

static const char *const headings[COLUMN_COUNT] = {"kernel",  "op",    "type", "index",
                                                   "backend", "needs", "runs"};

static void set_kernel(struct line *line, spry_context *const contexts[SPRY_BACKEND_COUNT],
                       const spry_kernel *kernel) {
    spry_kernel_info info = spry_kernel_describe(kernel);
    const spry_context *context = contexts[info.backend];
    columns_set(line, KERNEL, info.name);
    columns_set(line, OP, info.op == SPRY_N ? "N" : "T");
    columns_set(line, TYPE, spry_type_name(info.type));
    columns_set(line, INDEX, spry_index_name(info.index));
    columns_set(line, BACKEND, spry_backend_name(info.backend));
    columns_set(line, NEEDS, *info.needs ? info.needs : "-");
    columns_set(line, RUNS, context && spry_kernel_runs(context, kernel) ? "yes" : "no");
}

spry_status list_kernels(spry_context *const contexts[SPRY_BACKEND_COUNT]) {
    struct columns columns = {.count = COLUMN_COUNT, .left = (1u << COLUMN_COUNT) - 1, .gap = 2};
    int count = (int)spry_kernel_count();
    if (!columns_add(&columns, 1 + count))
        return SPRY_ERROR_MEMORY;
    columns_head(&columns, headings);
    for (int i = 0; i < count; i++)
        set_kernel(&columns.line[1 + i], contexts, spry_kernel_at((size_t)i));
    if (columns_width(&columns) > terminal_page())
        columns.gap = 1;
    columns_print(&columns);
    columns_free(&columns);
    return SPRY_OK;
}
