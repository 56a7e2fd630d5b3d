/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of another library, on the same matrix and vectors. */
#include "common/interrupt.h"
#include "common/progress.h"
#include "cusparse/peer_library.h"
#include "measuring/preparation.h"
#include "spbench/bench.h"

struct preparation {
    const struct peer_library *library;
    struct peer_task task;
    int way;
    struct peer_product *product;
};

static spry_status make(void *user) {
    struct preparation *preparation = user;
    return preparation->library->prepare(&preparation->task, preparation->way, &preparation->product);
}

static void unmake(void *user) {
    struct preparation *preparation = user;
    preparation->library->release(preparation->product);
    preparation->product = NULL;
}

/* Bytes of columns and values in slots without an entry. */
static size_t padding_of(const struct bench *bench, int64_t slots) {
    return (size_t)(slots - bench->report->nnz) *
           (spry_index_size(bench->report->index) + spry_type_size(bench->subject->type));
}

static void measure_way(const struct bench *bench, int way) {
    const struct peer_library *library = bench->place->library;
    const struct peer_way *what = &library->ways[way];
    struct peer_task task = {bench->place, bench->csr, bench->subject->op, bench->x, bench->y};
    struct preparation preparation = {library, task, way, NULL};
    struct result *row = row_add(bench, (struct result){.peer = library->name,
                                                        .peer_version = library->version,
                                                        .format = what->format,
                                                        .kernel = what->kernel});
    progress_show("%s: timing %s %s", bench->report->source->name, library->name, what->kernel);
    spry_status status = preparation_measure(make, unmake, &preparation, &row->convert_seconds);
    if (status != SPRY_OK) {
        row_fail(bench, row, status);
    } else {
        int64_t slots = preparation.product->slots;
        row->built = true;
        row->bytes = preparation.product->bytes;
        row->fill = (double)slots / (double)bench->report->nnz;
        row_measure(bench, library->multiply, preparation.product, padding_of(bench, slots), row);
    }
    if (preparation.product)
        unmake(&preparation);
    if (row->status == INTERRUPTED)
        bench->report->result_count--;
}

void measure_peers(const struct bench *bench) {
    const struct peer_library *library = bench->place->library;
    /* Without nonzeros there is nothing to compare, and libraries differ in what they refuse. */
    if (!library || bench->report->nnz == 0)
        return;
    for (int way = 0; way < library->way_count && !interrupt_seen(); way++)
        measure_way(bench, way);
}
