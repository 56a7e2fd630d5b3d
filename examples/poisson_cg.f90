! SPDX-License-Identifier: BSD-3-Clause
! Poisson's equation on the unit square, in arrays that count from 1, by conjugate gradients with an incomplete Cholesky
! factor: what poisson_cg.c does, in Fortran. With the module, whose source is installed beside the headers:
!
!     gfortran $(pkg-config --variable=fortran spry) poisson_cg.f90 $(pkg-config --libs spry) -o poisson_cg
program poisson_cg
    use, intrinsic :: iso_c_binding
    use spry
    implicit none

    integer, parameter :: side = 100, n = side * side
    real(c_double), parameter :: h = 1.0_c_double / (side + 1)
    integer(c_int32_t), allocatable, target :: ptr(:), idx(:)
    real(c_double), allocatable, target :: val(:)
    real(c_double) :: b(n), x(n), exact(n)
    type(spry_context) :: context
    type(spry_matrix) :: matrix
    type(spry_precond) :: ic0
    type(spry_solver) :: solver
    type(spry_precond_options) :: how
    type(spry_solver_options) :: options
    type(spry_solve_result) :: result
    integer :: i

    call assemble
    do i = 1, n ! the right-hand side for u = x (1 - x) y (1 - y), which the differences are exact for
        b(i) = 2 * (hump(h * (mod(i - 1, side) + 1)) + hump(h * ((i - 1) / side + 1))) * h**2
        exact(i) = hump(h * (mod(i - 1, side) + 1)) * hump(h * ((i - 1) / side + 1))
    end do

    how%kind = spry_ic0
    options%method = spry_cg
    options%relative = 1e-10_c_double
    call check(spry_context_create(context))
    call check(spry_wrap_csr(context, n, ptr, idx, val, matrix))
    call check(spry_precond_create(context, matrix, ic0, how))
    call check(spry_solver_create(context, matrix, solver, options, ic0))
    call check(spry_solve(context, solver, b, x, result))
    print '(a, " after ", i0, " iterations, |b - A x| / |b| = ", es7.1, ", largest error ", es7.1)', &
        spry_outcome_string(result%outcome), result%iterations, result%residual / result%norm_b, maxval(abs(x - exact))

    call spry_destroy(solver)
    call spry_destroy(ic0)
    call spry_destroy(matrix) ! the arrays stay ours
    call spry_destroy(context)

contains

    subroutine check(status)
        integer(c_int), intent(in) :: status
        if (status /= spry_ok) error stop spry_status_string(status) // ': ' // spry_message(context)
    end subroutine

    real(c_double) function hump(t)
        real(c_double), intent(in) :: t
        hump = t * (1 - t)
    end function

    ! The 5-point Laplacian of the grid, times h², row by row, columns rising.
    subroutine assemble
        integer, parameter :: dx(5) = [0, -1, 0, 1, 0], dy(5) = [-1, 0, 0, 0, 1]
        integer :: u, v, k, entries
        allocate(ptr(n + 1), idx(5 * n), val(5 * n))
        entries = 0
        do i = 1, n
            ptr(i) = entries + 1
            do k = 1, 5
                u = mod(i - 1, side) + dx(k)
                v = (i - 1) / side + dy(k)
                if (u < 0 .or. u >= side .or. v < 0 .or. v >= side) cycle
                entries = entries + 1
                idx(entries) = v * side + u + 1
                val(entries) = merge(4.0_c_double, -1.0_c_double, k == 3)
            end do
        end do
        ptr(n + 1) = entries + 1
    end subroutine
end program
