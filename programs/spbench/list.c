/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/list.h"

#include <stdio.h>

#include "common/columns.h"
#include "common/terminal.h"

enum { KERNEL, OP, TYPE, INDEX, BACKEND, NEEDS, RUNS, COLUMN_COUNT };

static void set_cell(struct line *line, int column, const char *text) {
    snprintf(line->cell[column], sizeof line->cell[column], "%s", text);
}

static void set_heading(struct line *line) {
    static const char *const headings[COLUMN_COUNT] = {"kernel",  "op",    "type", "index",
                                                       "backend", "needs", "runs"};
    for (int i = 0; i < COLUMN_COUNT; i++)
        set_cell(line, i, headings[i]);
}

static void set_kernel(struct line *line, spry_context *const contexts[SPRY_BACKEND_COUNT],
                       const spry_kernel *kernel) {
    spry_kernel_info info = spry_kernel_describe(kernel);
    const spry_context *context = contexts[info.backend];
    set_cell(line, KERNEL, info.name);
    set_cell(line, OP, info.op == SPRY_N ? "N" : "T");
    set_cell(line, TYPE, spry_type_name(info.type));
    set_cell(line, INDEX, spry_index_name(info.index));
    set_cell(line, BACKEND, spry_backend_name(info.backend));
    set_cell(line, NEEDS, *info.needs ? info.needs : "-");
    set_cell(line, RUNS, context && spry_kernel_runs(context, kernel) ? "yes" : "no");
}

spry_status list_kernels(spry_context *const contexts[SPRY_BACKEND_COUNT]) {
    struct columns columns = {.count = COLUMN_COUNT, .left = (1u << COLUMN_COUNT) - 1, .gap = 2};
    int count = (int)spry_kernel_count();
    if (!columns_add(&columns, 1 + count))
        return SPRY_ERROR_MEMORY;
    set_heading(&columns.line[0]);
    for (int i = 0; i < count; i++)
        set_kernel(&columns.line[1 + i], contexts, spry_kernel_at((size_t)i));
    if (columns_width(&columns) > terminal_page())
        columns.gap = 1;
    columns_print(&columns);
    columns_free(&columns);
    return SPRY_OK;
}
