/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever changes a matrix, the next product is with what it is then. */
#include "compare.h"
#include "shapes.h"

#include <math.h>

/* One way to change a matrix. It may put another one in its place. */
struct change {
    const char *name;
    PetscErrorCode (*make)(Mat *A);
    PetscBool once; /* a second time would change nothing, or is not possible */
};

static PetscErrorCode a_vector(Mat A, PetscBool left, Vec *v) {
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(left ? MatCreateVecs(A, NULL, v) : MatCreateVecs(A, v, NULL));
    PetscCall(VecGetOwnershipRange(*v, &begin, &end));
    for (PetscInt i = begin; i < end; i++)
        PetscCall(VecSetValue(*v, i, (PetscScalar)(1.5 + sin((double)i)), INSERT_VALUES));
    PetscCall(VecAssemblyBegin(*v));
    PetscCall(VecAssemblyEnd(*v));
    PetscFunctionReturn(0);
}

static PetscErrorCode assemble(Mat A) {
    PetscFunctionBeginUser;
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* Set or add something where the process's first rows have their diagonal. */
static PetscErrorCode set_diagonal(Mat A, InsertMode mode) {
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(A, &begin, &end));
    for (PetscInt i = begin; i < end; i += 2)
        PetscCall(MatSetValue(A, i, i, (PetscScalar)(1 + i % 7), mode));
    PetscCall(assemble(A));
    PetscFunctionReturn(0);
}

static PetscErrorCode insert_values(Mat *A) {
    return set_diagonal(*A, INSERT_VALUES);
}

static PetscErrorCode add_values(Mat *A) {
    return set_diagonal(*A, ADD_VALUES);
}

/* Entries where there were none, in the last columns of every row, most of which belong to another process. */
static PetscErrorCode new_entries(Mat *A) {
    PetscInt begin, end, cols;
    PetscFunctionBeginUser;
    PetscCall(MatGetSize(*A, NULL, &cols));
    PetscCall(MatGetOwnershipRange(*A, &begin, &end));
    for (PetscInt i = begin; i < end; i++)
        PetscCall(MatSetValue(*A, i, cols - 1 - i % 5, (PetscScalar)(2 + i), ADD_VALUES));
    PetscCall(assemble(*A));
    PetscFunctionReturn(0);
}

static PetscErrorCode zero_entries(Mat *A) {
    return MatZeroEntries(*A);
}

static PetscErrorCode scale(Mat *A) {
    return MatScale(*A, (PetscScalar)1.7);
}

static PetscErrorCode shift(Mat *A) {
    return MatShift(*A, (PetscScalar)0.3);
}

static PetscErrorCode scale_rows_and_columns(Mat *A) {
    Vec left, right;
    PetscFunctionBeginUser;
    PetscCall(a_vector(*A, PETSC_TRUE, &left));
    PetscCall(a_vector(*A, PETSC_FALSE, &right));
    PetscCall(MatDiagonalScale(*A, left, right));
    PetscCall(VecDestroy(&left));
    PetscCall(VecDestroy(&right));
    PetscFunctionReturn(0);
}

static PetscErrorCode scale_rows(Mat *A) {
    Vec left;
    PetscFunctionBeginUser;
    PetscCall(a_vector(*A, PETSC_TRUE, &left));
    PetscCall(MatDiagonalScale(*A, left, NULL));
    PetscCall(VecDestroy(&left));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_whole_diagonal(Mat A, InsertMode mode) {
    Vec v;
    PetscFunctionBeginUser;
    PetscCall(a_vector(A, PETSC_TRUE, &v));
    PetscCall(MatDiagonalSet(A, v, mode));
    PetscCall(VecDestroy(&v));
    PetscFunctionReturn(0);
}

static PetscErrorCode diagonal_insert(Mat *A) {
    return set_whole_diagonal(*A, INSERT_VALUES);
}

static PetscErrorCode diagonal_add(Mat *A) {
    return set_whole_diagonal(*A, ADD_VALUES);
}

typedef PetscErrorCode (*zero_function)(Mat, PetscInt, const PetscInt *, PetscScalar, Vec, Vec);

static PetscErrorCode zero_some(Mat A, zero_function zero, PetscBool keep) {
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(A, &begin, &end));
    const PetscInt rows[] = {begin, begin + 3, begin + 7};
    PetscCall(MatSetOption(A, MAT_KEEP_NONZERO_PATTERN, keep));
    PetscCall(zero(A, end - begin > 7 ? 3 : 0, rows, 2.5, NULL, NULL));
    PetscFunctionReturn(0);
}

static PetscErrorCode zero_rows(Mat *A) {
    return zero_some(*A, MatZeroRows, PETSC_FALSE);
}

static PetscErrorCode zero_rows_in_the_pattern(Mat *A) {
    return zero_some(*A, MatZeroRows, PETSC_TRUE);
}

static PetscErrorCode zero_rows_and_columns(Mat *A) {
    return zero_some(*A, MatZeroRowsColumns, PETSC_TRUE);
}

static PetscErrorCode add_itself(Mat *A) {
    Mat B;
    PetscFunctionBeginUser;
    PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
    PetscCall(MatAXPY(*A, (PetscScalar)0.5, B, SAME_NONZERO_PATTERN));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(0);
}

/* B has entries where A has none. */
static PetscErrorCode add_other(Mat *A, PetscBool reversed) {
    Mat B;
    PetscFunctionBeginUser;
    PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
    PetscCall(MatSetOption(B, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscCall(new_entries(&B));
    PetscCall(reversed ? MatAYPX(*A, (PetscScalar)0.5, B, DIFFERENT_NONZERO_PATTERN)
                       : MatAXPY(*A, (PetscScalar)0.5, B, DIFFERENT_NONZERO_PATTERN));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(0);
}

static PetscErrorCode axpy(Mat *A) {
    return add_other(A, PETSC_FALSE);
}

static PetscErrorCode aypx(Mat *A) {
    return add_other(A, PETSC_TRUE);
}

static PetscErrorCode copy_into(Mat *A) {
    Mat B;
    PetscFunctionBeginUser;
    PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
    PetscCall(MatScale(B, 3));
    PetscCall(MatCopy(B, *A, SAME_NONZERO_PATTERN));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(0);
}

/* The sequential matrices that it is made of here: one or two. */
static PetscErrorCode blocks_of(Mat A, Mat block[2]) {
    PetscBool parallel;
    PetscFunctionBeginUser;
    block[0] = A;
    block[1] = NULL;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
    if (parallel)
        PetscCall(MatMPIAIJGetSeqAIJ(A, &block[0], &block[1], NULL));
    PetscFunctionReturn(0);
}

typedef PetscErrorCode (*array_function)(Mat, PetscScalar **);

static PetscErrorCode write_arrays(Mat A, array_function get, array_function restore) {
    Mat block[2];
    PetscFunctionBeginUser;
    PetscCall(blocks_of(A, block));
    for (int k = 0; k < 2; k++) {
        PetscScalar *values;
        MatInfo info;
        if (!block[k])
            continue;
        PetscCall(MatGetInfo(block[k], MAT_LOCAL, &info));
        PetscCall(get(block[k], &values));
        for (PetscInt i = 0; i < (PetscInt)info.nz_used; i++)
            values[i] = (PetscScalar)cos((double)i);
        PetscCall(restore(block[k], &values));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode get_array(Mat *A) {
    return write_arrays(*A, MatSeqAIJGetArray, MatSeqAIJRestoreArray);
}

static PetscErrorCode get_array_write(Mat *A) {
    return write_arrays(*A, MatSeqAIJGetArrayWrite, MatSeqAIJRestoreArrayWrite);
}

static PetscErrorCode set_random(Mat *A) {
    PetscRandom random;
    PetscFunctionBeginUser;
    PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
    PetscCall(PetscRandomSetFromOptions(random));
    PetscCall(MatSetRandom(*A, random));
    PetscCall(PetscRandomDestroy(&random));
    PetscFunctionReturn(0);
}

/* Back to what was stored, after a product with something else. */
static PetscErrorCode retrieve(Mat *A) {
    PetscFunctionBeginUser;
    PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_LOCATIONS, PETSC_FALSE));
    PetscCall(MatStoreValues(*A));
    PetscCall(MatScale(*A, 4));
    PetscCall(compare_products(*A, "stored, then scaled"));
    PetscCall(MatRetrieveValues(*A));
    PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE));
    PetscFunctionReturn(0);
}

/* The entries of a matrix once more, given as coordinates. */
static PetscErrorCode coordinates(Mat *A) {
    PetscInt begin, end, count = 0;
    PetscInt rows[800], cols[800];
    PetscScalar values[800];
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(*A, &begin, &end));
    for (PetscInt i = begin; i < end; i++) {
        rows[count] = rows[count + 1] = cols[count] = i;
        cols[count + 1] = (i * 31 + 5) % 200;
        values[count] = (PetscScalar)(i % 9 + 1);
        values[count + 1] = (PetscScalar)sin((double)i);
        count += 2;
    }
    PetscCall(MatSetPreallocationCOO(*A, count, rows, cols));
    PetscCall(MatSetValuesCOO(*A, values, INSERT_VALUES));
    PetscCall(compare_products(*A, "as coordinates"));
    PetscCall(MatSetValuesCOO(*A, values, ADD_VALUES));
    PetscFunctionReturn(0);
}

static PetscErrorCode preallocate_anew(Mat *A) {
    PetscFunctionBeginUser;
    PetscCall(MatSeqAIJSetPreallocation(*A, 3, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, 3, NULL, 3, NULL));
    PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscCall(new_entries(A));
    PetscFunctionReturn(0);
}

/* One entry in each of ten rows of a process, and nothing else. */
static PetscErrorCode fill_ten_rows(Mat A, PetscInt first) {
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(A, &begin, &end));
    for (PetscInt i = begin + first; i < begin + first + 10 && i < end; i++)
        PetscCall(MatSetValue(A, i, (i * 37) % 200, (PetscScalar)(2 + i), ADD_VALUES));
    PetscCall(assemble(A));
    PetscFunctionReturn(0);
}

/* As many entries as before, in other rows. */
static PetscErrorCode reset_preallocation(Mat *A) {
    PetscFunctionBeginUser;
    PetscCall(MatSeqAIJSetPreallocation(*A, 3, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, 3, NULL, 3, NULL));
    PetscCall(fill_ten_rows(*A, 0));
    PetscCall(compare_products(*A, "before its preallocation is reset"));
    PetscCall(MatResetPreallocation(*A));
    /* PETSc writes whole rows then without a word that there are new entries. */
    PetscCall(MatSetOption(*A, MAT_SORTED_FULL, PETSC_TRUE));
    PetscCall(fill_ten_rows(*A, 20));
    PetscCall(MatSetOption(*A, MAT_SORTED_FULL, PETSC_FALSE));
    PetscFunctionReturn(0);
}

static PetscErrorCode transpose_in_place(Mat *A) {
    return MatTranspose(*A, MAT_INPLACE_MATRIX, A);
}

static PetscErrorCode transpose_reused(Mat *A) {
    Mat T;
    PetscFunctionBeginUser;
    PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, &T));
    PetscCall(compare_products(T, "transposed"));
    PetscCall(MatScale(*A, 2));
    PetscCall(MatTranspose(*A, MAT_REUSE_MATRIX, &T));
    PetscCall(compare_products(T, "transposed again"));
    PetscCall(MatDestroy(&T));
    PetscFunctionReturn(0);
}

static PetscErrorCode duplicate(Mat *A) {
    Mat B;
    PetscFunctionBeginUser;
    PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
    PetscCall(MatDestroy(A));
    *A = B;
    PetscFunctionReturn(0);
}

static PetscErrorCode duplicate_pattern(Mat *A) {
    Mat B;
    PetscFunctionBeginUser;
    PetscCall(MatDuplicate(*A, MAT_DO_NOT_COPY_VALUES, &B));
    PetscCall(compare_products(B, "a copy of the pattern"));
    PetscCall(MatCopy(*A, B, SAME_NONZERO_PATTERN));
    PetscCall(MatDestroy(A));
    *A = B;
    PetscFunctionReturn(0);
}

static PetscErrorCode replace_header(Mat *A) {
    Mat B;
    PetscFunctionBeginUser;
    PetscCall(MatDuplicate(*A, MAT_COPY_VALUES, &B));
    PetscCall(MatScale(B, 5));
    PetscCall(compare_products(B, "about to take another's place"));
    PetscCall(MatScale(B, 5));
    PetscCall(MatHeaderReplace(*A, &B));
    PetscFunctionReturn(0);
}

/* Products of matrices, computed a second time with other values. */
static PetscErrorCode multiply_matrices(Mat *A) {
    Mat C, D;
    PetscFunctionBeginUser;
    PetscCall(MatMatMult(*A, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatPtAP(*A, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    PetscCall(compare_products(C, "A A"));
    PetscCall(compare_products(D, "Aᵀ A A"));
    PetscCall(MatScale(*A, (PetscScalar)1.1));
    PetscCall(MatMatMult(*A, *A, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatPtAP(*A, *A, MAT_REUSE_MATRIX, PETSC_DEFAULT, &D));
    PetscCall(compare_products(C, "A A again"));
    PetscCall(compare_products(D, "Aᵀ A A again"));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(0);
}

/* A D, Aᵀ D and D A, for which PETSc goes by the names of types. */
static PetscErrorCode multiply_dense(Mat *A) {
    Mat D, C;
    PetscInt rows, size;
    PetscBool same;
    PetscFunctionBeginUser;
    PetscCall(MatGetLocalSize(*A, &rows, NULL));
    PetscCall(MatGetSize(*A, &size, NULL));
    PetscCall(MatCreateDense(PETSC_COMM_WORLD, rows, rows, size, size, NULL, &D));
    PetscCall(MatSetRandom(D, NULL));
    PetscCall(MatMatMult(*A, D, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatMatMultEqual(*A, D, C, 3, &same));
    expect(same, "A D");
    PetscCall(MatDestroy(&C));
    PetscCall(MatTransposeMatMult(*A, D, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatTransposeMatMultEqual(*A, D, C, 3, &same));
    expect(same, "Aᵀ D");
    PetscCall(MatDestroy(&C));
    PetscCall(MatMatMult(D, *A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatMatMultEqual(D, *A, C, 3, &same));
    expect(same, "D A");
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(0);
}

static PetscErrorCode take_submatrix(Mat *A) {
    Mat part;
    IS rows;
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(*A, &begin, &end));
    PetscCall(ISCreateStride(PETSC_COMM_WORLD, (end - begin) / 2, begin, 2, &rows));
    PetscCall(MatCreateSubMatrix(*A, rows, rows, MAT_INITIAL_MATRIX, &part));
    PetscCall(compare_products(part, "a submatrix"));
    PetscCall(MatScale(*A, 3));
    PetscCall(MatCreateSubMatrix(*A, rows, rows, MAT_REUSE_MATRIX, &part));
    PetscCall(compare_products(part, "a submatrix again"));
    PetscCall(MatDestroy(&part));
    PetscCall(ISDestroy(&rows));
    PetscFunctionReturn(0);
}

/* There and back, by way of a copy and in place; and to types that PETSc knows how to make of AIJ matrices. */
static PetscErrorCode convert(Mat *A) {
    const char *others[] = {MATDENSE, MATBAIJ, MATSELL};
    size_t count = sizeof others / sizeof *others;
    MatType type;
    Mat B;
    PetscBool same;
    PetscMPIInt processes;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &processes));
    /* Over processes, products of what PETSc's own AIJ matrices become crash in 3.19 and are wrong in 3.22. */
    if (processes > 1 && PETSC_VERSION_GE(3, 19, 0))
        count--;
    PetscCall(MatGetType(*A, &type));
    PetscCall(MatConvert(*A, MATAIJ, MAT_INITIAL_MATRIX, &B));
    PetscCall(compare_products(B, "as AIJ"));
    PetscCall(MatConvert(B, type, MAT_INPLACE_MATRIX, &B));
    PetscCall(compare_products(B, "from AIJ"));
    PetscCall(MatScale(B, 2));
    PetscCall(compare_products(B, "from AIJ, and scaled"));
    PetscCall(MatConvert(B, MATAIJ, MAT_REUSE_MATRIX, A));
    PetscCall(MatConvert(B, MATAIJ, MAT_INPLACE_MATRIX, &B));
    PetscCall(compare_products(B, "as AIJ in place"));
    PetscCall(MatDestroy(&B));
    for (size_t k = 0; k < count; k++) {
        PetscCall(MatConvert(*A, others[k], MAT_INITIAL_MATRIX, &B));
        PetscCall(MatMultEqual(*A, B, 3, &same));
        expect(same, others[k]);
        PetscCall(MatDestroy(&B));
    }
    PetscFunctionReturn(0);
}

static const struct change changes[] = {
    {"values inserted", insert_values, PETSC_FALSE},
    {"values added", add_values, PETSC_FALSE},
    {"new entries", new_entries, PETSC_FALSE},
    {"scaled", scale, PETSC_FALSE},
    {"shifted", shift, PETSC_FALSE},
    {"rows and columns scaled", scale_rows_and_columns, PETSC_FALSE},
    {"rows scaled", scale_rows, PETSC_FALSE},
    {"diagonal inserted", diagonal_insert, PETSC_FALSE},
    {"diagonal added", diagonal_add, PETSC_FALSE},
    {"rows zeroed in the pattern", zero_rows_in_the_pattern, PETSC_FALSE},
    {"rows zeroed", zero_rows, PETSC_FALSE},
    {"rows and columns zeroed", zero_rows_and_columns, PETSC_FALSE},
    {"a multiple of itself added", add_itself, PETSC_FALSE},
    {"another added", axpy, PETSC_FALSE},
    {"added to another", aypx, PETSC_FALSE},
    {"copied into", copy_into, PETSC_FALSE},
    {"arrays written", get_array, PETSC_FALSE},
    {"arrays written only", get_array_write, PETSC_FALSE},
    {"random", set_random, PETSC_FALSE},
    {"retrieved", retrieve, PETSC_FALSE},
    {"transposed in place", transpose_in_place, PETSC_FALSE},
    {"transposed", transpose_reused, PETSC_FALSE},
    {"duplicated", duplicate, PETSC_FALSE},
    {"pattern duplicated", duplicate_pattern, PETSC_FALSE},
    {"header replaced", replace_header, PETSC_FALSE},
    {"matrices multiplied", multiply_matrices, PETSC_FALSE},
    {"multiplied with a dense one", multiply_dense, PETSC_FALSE},
    {"submatrices taken", take_submatrix, PETSC_FALSE},
    {"converted", convert, PETSC_FALSE},
    {"zeroed", zero_entries, PETSC_FALSE},
    {"coordinates added", coordinates, PETSC_TRUE},
    {"preallocated anew", preallocate_anew, PETSC_TRUE},
    {"preallocation reset", reset_preallocation, PETSC_TRUE},
};

/* A product, the change, a product; and once more, as the first change may have made the block anew. */
static PetscErrorCode try_change(const struct change *change, const struct shape *shape,
                                 const char *storage) {
    Mat A;
    char text[128];
    PetscFunctionBeginUser;
    PetscCall(make_shape(shape, &A));
    PetscCall(PetscSNPrintf(text, sizeof text, "%s in %s, %s", shape->name, storage, change->name));
    PetscCall(compare_products(A, shape->name));
    for (int k = 0; k < (change->once ? 1 : 2); k++) {
        PetscCall(change->make(&A));
        PetscCall(compare_products(A, text));
    }
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(0);
}

/* Options that come after the type, and after a product, are those of MatSetFromOptions. */
static PetscErrorCode set_options(void) {
    PetscViewer viewer = PETSC_VIEWER_STDOUT_WORLD;
    Mat A;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-mat_spry_format", "csr"));
    PetscCall(make_shape(&shapes[0], &A));
    PetscCall(compare_products(A, "before other options"));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_spry_format", "sell:4:32"));
    PetscCall(MatSetFromOptions(A));
    PetscCall(compare_products(A, "after other options"));
    PetscCall(PetscViewerPushFormat(viewer, PETSC_VIEWER_ASCII_INFO_DETAIL));
    PetscCall(MatView(A, viewer));
    PetscCall(PetscViewerPopFormat(viewer));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
    const char *storages[] = {"auto", "csr", "sell:8:64", "stencil"};
    int status;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    /* So of each three products with the transpose the first is PETSc's own. */
    PetscCall(PetscOptionsSetValue(NULL, "-mat_spry_transpose_after", "1"));
    for (size_t s = 0; s < sizeof storages / sizeof *storages; s++) {
        PetscCall(PetscOptionsSetValue(NULL, "-mat_spry_format", storages[s]));
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
            PetscCall(try_change(&changes[k], &shapes[s % 2], storages[s]));
    }
    PetscCall(set_options());
    PetscCall(failed(&status));
    PetscCall(PetscFinalize());
    return status;
}
