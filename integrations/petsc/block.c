/* SPDX-License-Identifier: BSD-3-Clause */
#include "block.h"

#include "error.h"

static const spry_value_type value_type = sizeof(PetscScalar) == sizeof(double) ? SPRY_F64 : SPRY_F32;
static const spry_index_type index_type = sizeof(PetscInt) == sizeof(int64_t) ? SPRY_I64 : SPRY_I32;

PetscInt arrays_nnz(const struct arrays *arrays) {
    return arrays->rows > 0 && arrays->ptr ? arrays->ptr[arrays->rows] : 0;
}

PetscErrorCode block_clear(struct block *block) {
    PetscFunctionBegin;
    spry_matrix_destroy(block->own);
    spry_matrix_destroy(block->lent);
    spry_matrix_destroy(block->source);
    PetscCall(PetscFree3(block->row, block->ptr, block->part));
    *block = (struct block){.context = block->context};
    PetscFunctionReturn(0);
}

PetscErrorCode block_destroy(struct block *block) {
    PetscFunctionBegin;
    PetscCall(block_clear(block));
    spry_context_destroy(block->context);
    block->context = NULL;
    PetscFunctionReturn(0);
}

static PetscErrorCode make_context(struct block *block, const struct settings *settings) {
    spry_context_options options = {.size = sizeof options, .threads = (int)settings->threads};
    PetscFunctionBegin;
    if (!block->context)
        SpryCall(NULL, spry_context_create(&block->context, &options));
    PetscFunctionReturn(0);
}

/* Rows that have entries, on their own where that spares most of y: entries lie in the arrays as before. */
static PetscErrorCode leave_out_empty_rows(struct block *block) {
    const struct arrays *arrays = &block->arrays;
    PetscInt filled = 0;
    PetscFunctionBegin;
    for (PetscInt i = 0; i < arrays->rows; i++)
        filled += arrays->ptr[i + 1] != arrays->ptr[i];
    block->filled = filled;
    if (filled > arrays->rows / 2)
        PetscFunctionReturn(0);
    PetscCall(PetscMalloc3(filled, &block->row, filled + 1, &block->ptr, filled, &block->part));
    filled = 0;
    for (PetscInt i = 0; i < arrays->rows; i++)
        if (arrays->ptr[i + 1] != arrays->ptr[i]) {
            block->row[filled] = i;
            block->ptr[filled++] = arrays->ptr[i];
        }
    block->ptr[filled] = arrays->ptr[arrays->rows];
    PetscFunctionReturn(0);
}

/* Spry reads the arrays, and writes into none of them. */
static PetscErrorCode wrap(struct block *block, PetscInt rows, const PetscInt *ptr, spry_matrix **lent) {
    const struct arrays *arrays = &block->arrays;
    spry_csr csr = {
        .ptr = (PetscInt *)ptr, .idx = (PetscInt *)arrays->idx, .val = (PetscScalar *)arrays->val};
    PetscFunctionBegin;
    SpryCall(block->context,
             spry_wrap_csr(block->context, value_type, index_type, rows, arrays->cols, &csr, lent));
    PetscFunctionReturn(0);
}

/* What the arrays are already. */
static int is_plain_csr(const spry_storage *storage) {
    return storage->format == SPRY_CSR && storage->values == SPRY_VALUES_PLAIN &&
           storage->columns == SPRY_COLUMNS_PLAIN;
}

/* A code may turn out not to keep all values, and memory may be short: then the next one is tried. */
static int next_may_do(spry_status status) {
    return status == SPRY_ERROR_UNSUPPORTED || status == SPRY_ERROR_TOO_LARGE || status == SPRY_ERROR_MEMORY;
}

/* The first of the ranking that can be made; CSR, which is there, is among them. */
static spry_status make_first(struct block *block, const spry_ranking *ranking) {
    for (int place = 0; place < spry_ranking_count(ranking); place++) {
        const spry_choice *choice = spry_ranking_choice(ranking, place);
        if (!choice->possible)
            break;
        spry_status status = SPRY_OK;
        if (!is_plain_csr(&choice->storage))
            status = spry_convert_to(block->context, block->lent, &choice->storage, NULL, &block->own);
        if (status && next_may_do(status))
            continue;
        spry_explain(ranking, place, block->why, sizeof block->why);
        return status;
    }
    return SPRY_OK;
}

static PetscErrorCode choose(struct block *block, const struct settings *settings, PetscBool values_change) {
    spry_select_options options = {.size = sizeof options,
                                   .measure = (int)settings->measure,
                                   .products = (double)settings->products,
                                   .values_change = values_change};
    spry_ranking *ranking = NULL;
    PetscFunctionBegin;
    SpryCall(block->context, spry_select(block->context, block->lent, &options, &ranking));
    spry_status status = make_first(block, ranking);
    spry_ranking_destroy(ranking);
    SpryCall(block->context, status);
    PetscFunctionReturn(0);
}

/* Put arrays in the place of those that were there. */
static PetscErrorCode take(struct block *block, const struct settings *settings,
                           const struct arrays *arrays) {
    PetscFunctionBegin;
    PetscCall(block_clear(block));
    block->arrays = *arrays;
    block->nnz = arrays_nnz(arrays);
    PetscCheck(block->nnz == 0 || arrays->val, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE,
               "the matrix has a structure only, and no values");
    if (block->nnz > 0)
        PetscCall(make_context(block, settings));
    PetscFunctionReturn(0);
}

/* Of the arrays, where there are entries. */
static PetscErrorCode store(struct block *block, const struct settings *settings, PetscBool values_change) {
    PetscFunctionBegin;
    PetscCall(leave_out_empty_rows(block));
    if (block->row)
        PetscCall(wrap(block, block->filled, block->ptr, &block->lent));
    else
        PetscCall(wrap(block, block->arrays.rows, block->arrays.ptr, &block->lent));
    if (settings->automatic)
        PetscCall(choose(block, settings, values_change));
    else if (!is_plain_csr(&settings->storage))
        SpryCall(block->context,
                 spry_convert_to(block->context, block->lent, &settings->storage, NULL, &block->own));
    PetscFunctionReturn(0);
}

PetscErrorCode block_make(struct block *block, const struct settings *settings, const struct arrays *arrays,
                          PetscBool values_change) {
    PetscFunctionBegin;
    PetscCall(take(block, settings, arrays));
    if (block->nnz > 0)
        PetscCall(store(block, settings, values_change));
    PetscFunctionReturn(0);
}

static PetscErrorCode transpose_arrays(struct block *block) {
    struct arrays *arrays = &block->arrays;
    spry_matrix *lent;
    PetscFunctionBegin;
    PetscCall(wrap(block, arrays->rows, arrays->ptr, &lent));
    spry_status status = spry_transpose(block->context, lent, &block->source);
    spry_matrix_destroy(lent);
    SpryCall(block->context, status);
    const spry_csr *csr = spry_matrix_csr(block->source);
    *arrays = (struct arrays){arrays->cols, arrays->rows, csr->ptr, csr->idx, csr->val};
    PetscFunctionReturn(0);
}

PetscErrorCode block_make_transpose(struct block *block, const struct settings *settings,
                                    const struct arrays *arrays) {
    PetscFunctionBegin;
    PetscCall(take(block, settings, arrays));
    if (block->nnz == 0) {
        block->arrays = (struct arrays){.rows = arrays->cols, .cols = arrays->rows};
        PetscFunctionReturn(0);
    }
    PetscCall(transpose_arrays(block));
    PetscCall(store(block, settings, PETSC_FALSE));
    if (!block->own)
        PetscFunctionReturn(0);
    spry_matrix_destroy(block->lent);
    spry_matrix_destroy(block->source);
    block->lent = block->source = NULL;
    block->arrays = (struct arrays){.rows = arrays->cols, .cols = arrays->rows};
    PetscFunctionReturn(0);
}

/* Stencils are rows that are alike in their values, and a code is for those that were there. */
static int rests_on_values(const spry_matrix *matrix) {
    spry_storage storage;
    spry_matrix_storage(matrix, &storage);
    return storage.format == SPRY_STENCIL || storage.values != SPRY_VALUES_PLAIN;
}

PetscErrorCode block_update(struct block *block, PetscBool *kept) {
    PetscFunctionBegin;
    *kept = PETSC_TRUE;
    if (!block->own)
        PetscFunctionReturn(0);
    *kept = PETSC_FALSE;
    if (rests_on_values(block->own))
        PetscFunctionReturn(0);
    spry_status status = spry_update_values(block->context, block->own, block->lent);
    if (status == SPRY_ERROR_PATTERN)
        PetscFunctionReturn(0);
    SpryCall(block->context, status);
    *kept = PETSC_TRUE;
    PetscFunctionReturn(0);
}

/* y += A x, where y = 0 for the rows that are left out. */
static PetscErrorCode multiply_filled(struct block *block, const spry_matrix *matrix, const PetscScalar *x,
                                      PetscScalar *y) {
    PetscFunctionBegin;
    SpryCall(block->context, spry_spmv(block->context, SPRY_N, 1.0, matrix, x, 0.0, block->part));
    for (PetscInt k = 0; k < block->filled; k++)
        y[block->row[k]] += block->part[k];
    PetscFunctionReturn(0);
}

PetscErrorCode block_multiply(struct block *block, const PetscScalar *x, PetscBool add, PetscScalar *y) {
    const spry_matrix *matrix = block->own ? block->own : block->lent;
    PetscFunctionBegin;
    if (!add && (!matrix || block->row))
        PetscCall(PetscArrayzero(y, block->arrays.rows));
    if (block->row)
        PetscCall(multiply_filled(block, matrix, x, y));
    else if (matrix)
        SpryCall(block->context, spry_spmv(block->context, SPRY_N, 1.0, matrix, x, add ? 1.0 : 0.0, y));
    PetscFunctionReturn(0);
}

PetscErrorCode block_describe(const struct block *block, char *text, size_t size) {
    char name[SPRY_STORAGE_TEXT] = "PETSc's own CSR arrays", rows[64] = "";
    PetscFunctionBegin;
    if (block->nnz == 0) {
        PetscCall(PetscSNPrintf(text, size, "no entries"));
        PetscFunctionReturn(0);
    }
    if (block->own || block->source) {
        spry_storage storage;
        spry_matrix_storage(block->own ? block->own : block->lent, &storage);
        spry_storage_text(&storage, name, sizeof name);
    }
    if (block->row)
        PetscCall(PetscSNPrintf(rows, sizeof rows,
                                "%" PetscInt_FMT " of %" PetscInt_FMT " rows have entries, ", block->filled,
                                block->arrays.rows));
    int threads = spry_context_threads(block->context);
    PetscCall(PetscSNPrintf(text, size, "%s, %s%.3g MB, %d thread%s", name, rows,
                            (double)spry_matrix_bytes(block->own ? block->own : block->lent) / 1e6, threads,
                            threads == 1 ? "" : "s"));
    PetscFunctionReturn(0);
}
