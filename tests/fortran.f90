! SPDX-License-Identifier: BSD-3-Clause
! The Fortran module: products and solves, what is refused, and with which words.
program test_fortran
    use, intrinsic :: iso_c_binding
    use spry
    implicit none

    !  4 -1  0
    ! -1  4 -1
    !  0 -1  4
    integer(c_int32_t), target :: ptr(4) = [1, 3, 6, 8], idx(7) = [1, 2, 1, 2, 3, 2, 3], from_0(4), idx_0(7)
    integer(c_int64_t), target :: wide_ptr(4), wide_idx(7)
    real(c_double), target :: val(7) = [4, -1, -1, 4, -1, -1, 4], gaps(14)
    real(c_float), target :: single(7)
    real(c_double) :: x(3) = [1, 2, 3], y(3), four(4), wide(6), many_x(3, 2), many_y(3, 2), tall(4, 2)
    real(c_float) :: sx(3) = [1, 2, 3], sy(3), smany_x(3, 2), smany_y(3, 2)
    type(spry_context) :: context
    type(spry_matrix) :: matrix, fast, other
    type(spry_precond) :: jacobi
    type(spry_solver) :: solver
    type(spry_solver_options) :: options
    type(spry_solve_result) :: result
    type(spry_context_options) :: three
    integer :: failures = 0

    from_0 = ptr - 1
    idx_0 = idx - 1
    wide_ptr = ptr
    wide_idx = idx
    single = real(val, c_float)
    three%threads = 3
    call expect(spry_context_create(context, three) == spry_ok, 'a context')
    call expect(spry_message(context) == '', 'no message before the first failure')
    call test_products
    call test_many_columns
    call test_kinds
    call test_solver
    call test_refusals
    call spry_destroy(fast)
    call spry_destroy(matrix)
    call spry_destroy(matrix) ! stands for nothing
    call spry_destroy(context)
    if (failures > 0) error stop 'failures'

contains

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(*), intent(in) :: what
        if (good) return
        failures = failures + 1
        print '(3a)', what, ': ', spry_message(context)
    end subroutine

    subroutine refused(status, expected, words)
        integer(c_int), intent(in) :: status, expected
        character(*), intent(in) :: words
        call expect(status == expected .and. index(spry_message(context), words) > 0, 'refused with ' // words)
    end subroutine

    subroutine test_products
        call expect(spry_wrap_csr(context, 3, ptr, idx, val, matrix) == spry_ok, 'wrapped')
        call expect(all([spry_matrix_rows(matrix), spry_matrix_cols(matrix), spry_matrix_nnz(matrix)] == [3, 3, 7]), &
            'sizes')
        y = 1
        call expect(spry_spmv(context, spry_n, 2.0_c_double, matrix, x, 1.0_c_double, y) == spry_ok, 'a product')
        call expect(all(y == [5, 9, 21]), 'y')
        val(1) = 5 ! in place
        call expect(spry_spmv(context, spry_t, 1.0_c_double, matrix, x, 0.0_c_double, y) == spry_ok, &
            'a transposed product')
        call expect(all(y == [3, 4, 10]), 'y with another value')
        val(1) = 4
        call expect(spry_convert(context, matrix, fast) == spry_ok, 'the fastest storage')
        call expect(spry_convert(context, matrix, other, 'sell:8:1+f32') == spry_ok, 'a storage by text')
        call expect(spry_matrix_storage(other) == 'sell:8:1+f32', 'its text')
        wide = -1
        call expect(spry_spmv(context, spry_n, 1.0_c_double, other, x, 0.0_c_double, wide(1:6:2)) == spry_ok, &
            'into gaps')
        call expect(all(wide == [2, -1, 4, -1, 10, -1]), 'y with gaps')
        call spry_destroy(other)
        call expect(spry_wrap_csr(context, 3, from_0, idx_0, val, other, base=0) == spry_ok, 'counted from 0')
        call expect(spry_spmv(context, spry_n, 1.0_c_double, other, x, 0.0_c_double, y) == spry_ok, 'product from 0')
        call expect(all(y == [2, 4, 10]), 'y from 0')
        call spry_destroy(other)
    end subroutine

    subroutine test_many_columns
        real(c_double), parameter :: twice(3, 2) = reshape([2, 4, 10, 20, 40, 100], [3, 2])
        real(c_double) :: by_rows(2, 3)
        many_x = reshape([1, 2, 3, 10, 20, 30], [3, 2])
        many_y = 1
        call expect(spry_spmm(context, spry_n, 2.0_c_double, matrix, many_x, 1.0_c_double, many_y) == spry_ok, 'columns')
        call expect(all(many_y == 2 * twice + 1), 'Y')
        call expect(spry_spmm(context, spry_t, 1.0_c_double, fast, transpose(many_x), 0.0_c_double, by_rows, &
            by_rows=.true.) == spry_ok, 'rows side by side')
        call expect(all(by_rows == transpose(twice)), 'Y by rows')
        tall = -1
        call expect(spry_spmm(context, spry_n, 1.0_c_double, matrix, many_x, 0.0_c_double, tall(1:3, :), &
            by_rows=.false.) == spry_ok, 'into a part')
        call expect(all(tall(1:3, :) == twice) .and. all(tall(4, :) == -1), 'a part of Y')
        call expect(spry_spmm(context, spry_n, 1.0_c_double, matrix, many_x(:, 1:0), 0.0_c_double, many_y(:, 1:0)) &
            == spry_ok, 'no columns')
        call expect(spry_wrap_csr(context, 3, ptr, idx, single, other) == spry_ok, 'floats')
        smany_x = real(many_x, c_float)
        call expect(spry_spmm(context, spry_n, 1.0_c_float, other, smany_x, 0.0_c_float, smany_y) == spry_ok, &
            'columns of floats')
        call expect(all(smany_y == real(twice, c_float)), 'Y of floats')
        call refused(spry_spmm(context, spry_n, 1.0_c_double, other, many_x, 0.0_c_double, many_y), &
            spry_error_argument, 'different kinds')
        call spry_destroy(other)
        call refused(spry_spmm(context, spry_n, 1.0_c_double, matrix, tall, 0.0_c_double, many_y), &
            spry_error_argument, 'X is 4 × 2, expected 3 rows')
        call refused(spry_spmm(context, spry_n, 1.0_c_double, matrix, many_x, 0.0_c_double, many_y(:, 1:1)), &
            spry_error_argument, 'X has 2 columns and Y 1')
    end subroutine

    subroutine one_kind(status)
        integer(c_int), intent(in) :: status
        call expect(status == spry_ok, 'a kind')
        y = 0
        if (spry_spmv(context, spry_n, 1.0_c_double, other, x, 0.0_c_double, y) == spry_ok) then
            call expect(all(y == [2, 4, 10]), 'y of a kind')
        else
            call expect(spry_spmv(context, spry_n, 1.0_c_float, other, sx, 0.0_c_float, sy) == spry_ok, &
                'a product of floats')
            call expect(all(sy == [2, 4, 10]), 'y of a kind of floats')
        end if
        call spry_destroy(other)
    end subroutine

    subroutine test_kinds
        call one_kind(spry_wrap_csr(context, 3, ptr, idx, single, other))
        call one_kind(spry_wrap_csr(context, 3, wide_ptr, idx, single, other))
        call one_kind(spry_wrap_csr(context, 3_c_int64_t, wide_ptr, wide_idx, single, other))
        call one_kind(spry_wrap_csr(context, 3, wide_ptr, idx, val, other))
        call one_kind(spry_wrap_csr(context, 3_c_int64_t, wide_ptr, wide_idx, val, other))
    end subroutine

    subroutine test_solver
        options%relative = 1e-12_c_double
        call expect(spry_precond_create(context, matrix, jacobi) == spry_ok, 'Jacobi')
        call expect(spry_solver_create(context, matrix, solver, options, jacobi) == spry_ok, 'CG')
        x = -1
        call expect(spry_solve(context, solver, [2.0_c_double, 4.0_c_double, 10.0_c_double], x, result) == spry_ok, &
            'solved')
        call expect(result%outcome == spry_converged .and. result%iterations > 0, 'an outcome')
        call expect(maxval(abs(x - [1, 2, 3])) < 1e-10, 'x')
        call expect(spry_outcome_string(result%outcome) == 'converged', 'words for an outcome')
        x = [1, 2, 3]
        call refused(spry_solve(context, solver, four, x), spry_error_argument, 'b has 4 values, expected 3')
        call refused(spry_solve(context, solver, x, four), spry_error_argument, 'x has 4 values, expected 3')
        call refused(spry_solve(context, solver, sx, sy), spry_error_argument, 'different kinds')
        call spry_destroy(solver)
        call refused(spry_solve(context, solver, x, y), spry_error_argument, 'no solver')
        options%method = spry_minres + 100
        call expect(spry_solver_create(context, matrix, solver, options) == spry_error_argument, &
            'a method that is none')
        call expect(index(spry_message(context), 'invalid method') > 0, 'the message is that of the library again')
        call spry_destroy(jacobi)
    end subroutine

    subroutine test_refusals
        call refused(spry_spmv(context, spry_n, 1.0_c_double, matrix, four, 0.0_c_double, y), spry_error_argument, &
            'x has 4 values, expected 3')
        call refused(spry_spmv(context, spry_t, 1.0_c_double, matrix, x, 0.0_c_double, four), spry_error_argument, &
            'y has 4 values, expected 3')
        call refused(spry_spmv(context, spry_n, 1.0_c_float, matrix, sx, 0.0_c_float, sy), spry_error_argument, 'kinds')
        call refused(spry_spmv(context, spry_n, 1.0_c_double, other, x, 0.0_c_double, y), spry_error_argument, &
            'no matrix')
        call refused(spry_wrap_csr(context, 3, ptr, idx, val(1:6), other), spry_error_argument, 'which have 6 values')
        call refused(spry_wrap_csr(context, 3, ptr, idx, gaps(1:14:2), other), spry_error_argument, 'gaps')
        call refused(spry_wrap_csr(context, 3, ptr(1:0), idx, val, other), spry_error_argument, 'ptr is empty')
        call refused(spry_wrap_csr(context, 2, ptr, idx, val, other), spry_error_invalid, 'column 3 is outside 1')
        call refused(spry_wrap_csr(context, 3, ptr, idx, val, other, base=2), spry_error_argument, 'base is 2')
        call refused(spry_read(context, 'no-such-file.mtx', other), spry_error_io, 'no-such-file.mtx')
        call refused(spry_convert(context, matrix, other, 'cssr'), spry_error_syntax, '"cssr" is no storage')
        call expect(spry_status_string(spry_error_memory) == 'out of memory', 'words for a status')
    end subroutine
end program
