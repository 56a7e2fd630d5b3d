! SPDX-License-Identifier: BSD-3-Clause
!> Spry for Fortran 2008: sparse matrices over arrays of a program's own, products, and solvers of A x = b.
!>
!> This file is compiled with the program that uses it, as what a compiler makes of a module is of use to that
!> compiler only. Functions are those of the C headers with the same names, which have the particulars. Each returns a
!> status, spry_ok or another; spry_message then has a sentence. Handles are released by spry_destroy, what was made
!> last first; a handle that a function makes must stand for nothing before, or what it stood for is lost. A context is
!> used by one thread at a time.
module spry
    use, intrinsic :: iso_c_binding
    implicit none
    private

    !> Outcomes of a call (status.h).
    integer(c_int), parameter, public :: spry_ok = 0, spry_error_argument = 1, spry_error_memory = 2, &
        spry_error_overflow = 3, spry_error_too_large = 4, spry_error_unsupported = 5, spry_error_invalid = 6, &
        spry_error_duplicate = 7, spry_error_pattern = 8, spry_error_io = 9, spry_error_syntax = 10, &
        spry_error_device = 11, spry_error_ranks = 12
    !> Products with a matrix and with its transpose (types.h).
    integer(c_int), parameter, public :: spry_n = 0, spry_t = 1
    !> Where a context works (types.h).
    integer(c_int), parameter, public :: spry_cpu = 0, spry_cuda = 1
    !> What is done with entries at the same place (convert.h).
    integer(c_int), parameter, public :: spry_sum = 0, spry_keep = 1, spry_refuse = 2
    !> Methods, preconditioners, and how a solve ended (solve.h).
    integer(c_int), parameter, public :: spry_cg = 0, spry_minres = 1, spry_bicgstab = 2, spry_gmres = 3
    integer(c_int), parameter, public :: spry_jacobi = 0, spry_block_jacobi = 1, spry_ssor = 2, spry_ilu0 = 3, &
        spry_ic0 = 4, spry_chebyshev = 5, spry_fsai = 6
    integer(c_int), parameter, public :: spry_running = 0, spry_converged = 1, spry_limit = 2, spry_breakdown = 3, &
        spry_indefinite = 4, spry_diverged = 5, spry_not_finite = 6, spry_stagnated = 7, spry_cancelled = 8
    ! Types of values and indices, which follow from those of the arrays; and the choice of a format.
    integer(c_int), parameter :: spry_f32 = 0, spry_f64 = 1, spry_i32 = 0, spry_i32p64 = 1, spry_i64 = 2, spry_auto = -1

    ! Structs of C. Their sizes are filled in by the functions that take them; all else is zero until it is set.
    type, bind(c), public :: spry_context_options
        integer(c_size_t) :: size = 0
        integer(c_int) :: threads = 0, nondeterministic = 0
        type(c_ptr) :: disable = c_null_ptr, algorithms = c_null_ptr
        integer(c_int64_t) :: grain = 0
        type(c_ptr) :: allocator = c_null_ptr
        integer(c_int) :: backend = 0, device = 0
        type(c_ptr) :: stream = c_null_ptr, device_allocator = c_null_ptr
        integer(c_int64_t) :: trust_arrays = 0
    end type
    type, bind(c), public :: spry_convert_options
        integer(c_size_t) :: size = 0
        integer(c_int) :: duplicates = 0, measure = 0
        real(c_double) :: fill_limit = 0, hyb_quantile = 0, products = 0
        integer(c_int64_t) :: values_change = 0
    end type
    type, bind(c), public :: spry_precond_options
        integer(c_size_t) :: size = 0
        integer(c_int) :: kind = 0, block = 0
        real(c_double) :: omega = 0
        integer(c_int) :: degree = 0
        real(c_double) :: smallest = 0, largest = 0, shift = 0
        integer(c_int) :: inner = 0, sweeps = 0
        integer(c_int64_t) :: single = 0
        integer(c_int) :: power = 0, entries = 0
        integer(c_int64_t) :: values_change = 0, colours = 0
    end type
    type, bind(c), public :: spry_solver_options
        integer(c_size_t) :: size = 0
        integer(c_int) :: method = 0
        real(c_double) :: relative = 0, absolute = 0, divergence = 0
        integer(c_int64_t) :: iterations = 0
        integer(c_int) :: restart = 0, use_guess = 0, history = 0, check_interval = 0
        type(c_funptr) :: monitor = c_null_funptr
        type(c_ptr) :: user = c_null_ptr
        type(c_funptr) :: sum = c_null_funptr
        type(c_ptr) :: sum_user = c_null_ptr
        integer(c_int64_t) :: sum_capturable = 0
    end type
    type, bind(c), public :: spry_solve_result
        integer(c_size_t) :: size = 0
        integer(c_int) :: outcome = 0
        integer(c_int64_t) :: iterations = 0
        real(c_double) :: norm_b = 0, residual = 0, estimate = 0
        type(c_ptr) :: history = c_null_ptr
    end type
    type, bind(c) :: spry_csr
        type(c_ptr) :: ptr, idx, val
        integer(c_int) :: base
    end type
    type, bind(c) :: spry_storage
        integer(c_int) :: format = 0, values = 0
        integer(c_int64_t) :: parameter(4) = 0
        integer(c_int) :: columns = 0, reserved_code = 0
        integer(c_int64_t) :: reserved(3) = 0
    end type
    type, bind(c) :: spry_operator
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: n = 0
        integer(c_int) :: type = 0
        type(c_funptr) :: apply = c_null_funptr
        type(c_ptr) :: user = c_null_ptr
        integer(c_int) :: capturable = 0
        type(c_ptr) :: matrix = c_null_ptr, diagonal = c_null_ptr
    end type
    type, bind(c) :: spry_view
        type(c_ptr) :: data
        integer(c_int64_t) :: offset, rows, cols, row_stride, col_stride
    end type

    !> Handles; `handle` is that of C, for calls that have no counterpart here.
    type, public :: spry_context
        type(c_ptr) :: handle = c_null_ptr
        character(:), allocatable, private :: refusal !< what was refused here, before the library saw it
    end type
    type, public :: spry_matrix
        type(c_ptr) :: handle = c_null_ptr
    end type
    type, public :: spry_precond
        type(c_ptr) :: handle = c_null_ptr
    end type
    type, public :: spry_solver
        type(c_ptr) :: handle = c_null_ptr
        integer(c_int64_t), private :: n = 0
        integer(c_int), private :: value_type = 0
    end type

    public :: spry_message, spry_status_string, spry_outcome_string, spry_context_create, spry_read, spry_wrap_csr, &
        spry_convert, spry_matrix_rows, spry_matrix_cols, spry_matrix_nnz, spry_matrix_storage, spry_spmv, spry_spmm, &
        spry_precond_create, spry_solver_create, spry_solve, spry_destroy

    !> Wrap CSR arrays, without a copy: status = spry_wrap_csr(context, cols, ptr, idx, val, matrix [, base]).
    !>
    !> `ptr` has a pointer for each row and one more, counted from `base` as columns are: 1, or 0. Columns (and `cols`)
    !> are of 32 or of 64 bits, and pointers of as many or of 64. idx and val may have room to spare. The arrays are
    !> targets, not parts with gaps, and must outlive the matrix where they are.
    interface spry_wrap_csr
        module procedure wrap_f32_i32, wrap_f32_i32p64, wrap_f32_i64, wrap_f64_i32, wrap_f64_i32p64, wrap_f64_i64
    end interface
    !> y = alpha A x + beta y (spry_n) or with the transpose (spry_t), all of the kind that the matrix's values are:
    !> status = spry_spmv(context, op, alpha, matrix, x, beta, y).
    interface spry_spmv
        module procedure spmv_f32, spmv_f64
    end interface
    !> Y = alpha A X + beta Y (spry_n) or with the transpose (spry_t), a column of Y for each of X, of the kind that the
    !> matrix's values are: status = spry_spmm(context, op, alpha, matrix, x, beta, y). The matrix is read once for several
    !> columns. With `by_rows = .true.` x and y are the transposes of X and Y, so that values of a row lie side by side,
    !> which is faster.
    interface spry_spmm
        module procedure spmm_f32, spmm_f64
    end interface
    !> Solve A x = b: status = spry_solve(context, solver, b, x [, result]). The context is that of the solver.
    interface spry_solve
        module procedure solve_f32, solve_f64
    end interface
    !> Release what a handle stands for, which then stands for nothing.
    interface spry_destroy
        module procedure destroy_context, destroy_matrix, destroy_precond, destroy_solver
    end interface

    interface
        integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
            import :: c_size_t, c_ptr
            type(c_ptr), value :: text
        end function
        integer(c_int) function c_context_create(context, options) bind(c, name='spry_context_create')
            import :: c_int, c_ptr, spry_context_options
            type(c_ptr), intent(out) :: context
            type(spry_context_options), intent(in) :: options
        end function
        subroutine c_context_destroy(context) bind(c, name='spry_context_destroy')
            import :: c_ptr
            type(c_ptr), value :: context
        end subroutine
        type(c_ptr) function c_message(context) bind(c, name='spry_message')
            import :: c_ptr
            type(c_ptr), value :: context
        end function
        integer(c_int) function c_context_backend(context) bind(c, name='spry_context_backend')
            import :: c_int, c_ptr
            type(c_ptr), value :: context
        end function
        type(c_ptr) function c_status_string(status) bind(c, name='spry_status_string')
            import :: c_int, c_ptr
            integer(c_int), value :: status
        end function
        type(c_ptr) function c_outcome_string(outcome) bind(c, name='spry_outcome_string')
            import :: c_int, c_ptr
            integer(c_int), value :: outcome
        end function
        integer(c_int) function c_read(context, path, options, matrix, info) bind(c, name='spry_read')
            import :: c_char, c_int, c_ptr
            type(c_ptr), value :: context
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), value :: options
            type(c_ptr), intent(out) :: matrix
            type(c_ptr), value :: info
        end function
        integer(c_int) function c_wrap_csr(context, value_type, index_type, rows, cols, arrays, matrix) &
            bind(c, name='spry_wrap_csr')
            import :: c_int, c_int64_t, c_ptr, spry_csr
            type(c_ptr), value :: context
            integer(c_int), value :: value_type, index_type
            integer(c_int64_t), value :: rows, cols
            type(spry_csr), intent(in) :: arrays
            type(c_ptr), intent(out) :: matrix
        end function
        subroutine c_matrix_destroy(matrix) bind(c, name='spry_matrix_destroy')
            import :: c_ptr
            type(c_ptr), value :: matrix
        end subroutine
        integer(c_int64_t) function c_matrix_rows(matrix) bind(c, name='spry_matrix_rows')
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: matrix
        end function
        integer(c_int64_t) function c_matrix_cols(matrix) bind(c, name='spry_matrix_cols')
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: matrix
        end function
        integer(c_int64_t) function c_matrix_nnz(matrix) bind(c, name='spry_matrix_nnz')
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: matrix
        end function
        integer(c_int) function c_matrix_type(matrix) bind(c, name='spry_matrix_type')
            import :: c_int, c_ptr
            type(c_ptr), value :: matrix
        end function
        subroutine c_matrix_storage(matrix, storage) bind(c, name='spry_matrix_storage')
            import :: c_ptr, spry_storage
            type(c_ptr), value :: matrix
            type(spry_storage), intent(inout) :: storage
        end subroutine
        integer(c_int) function c_storage_parse(text, storage, end) bind(c, name='spry_storage_parse')
            import :: c_char, c_int, c_ptr, spry_storage
            character(kind=c_char), intent(in) :: text(*)
            type(spry_storage), intent(inout) :: storage
            type(c_ptr), value :: end
        end function
        subroutine c_storage_text(storage, text, size) bind(c, name='spry_storage_text')
            import :: c_char, c_size_t, spry_storage
            type(spry_storage), intent(in) :: storage
            character(kind=c_char), intent(out) :: text(*)
            integer(c_size_t), value :: size
        end subroutine
        integer(c_int) function c_convert(context, source, format, options, matrix) bind(c, name='spry_convert')
            import :: c_int, c_ptr, spry_convert_options
            type(c_ptr), value :: context, source
            integer(c_int), value :: format
            type(spry_convert_options), intent(in) :: options
            type(c_ptr), intent(out) :: matrix
        end function
        integer(c_int) function c_convert_to(context, source, storage, options, matrix) bind(c, name='spry_convert_to')
            import :: c_int, c_ptr, spry_convert_options, spry_storage
            type(c_ptr), value :: context, source
            type(spry_storage), intent(in) :: storage
            type(spry_convert_options), intent(in) :: options
            type(c_ptr), intent(out) :: matrix
        end function
        integer(c_int) function c_spmv(context, op, alpha, matrix, x, beta, y) bind(c, name='spry_spmv')
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: context
            integer(c_int), value :: op
            real(c_double), value :: alpha
            type(c_ptr), value :: matrix, x
            real(c_double), value :: beta
            type(c_ptr), value :: y
        end function
        integer(c_int) function c_spmm(context, op, alpha, matrix, x, beta, y) bind(c, name='spry_spmm')
            import :: c_double, c_int, c_ptr, spry_view
            type(c_ptr), value :: context
            integer(c_int), value :: op
            real(c_double), value :: alpha
            type(c_ptr), value :: matrix
            type(spry_view), intent(in) :: x
            real(c_double), value :: beta
            type(spry_view), intent(in) :: y
        end function
        integer(c_int) function c_precond_create(context, matrix, options, precond) bind(c, name='spry_precond_create')
            import :: c_int, c_ptr, spry_precond_options
            type(c_ptr), value :: context, matrix
            type(spry_precond_options), intent(in) :: options
            type(c_ptr), intent(out) :: precond
        end function
        subroutine c_precond_destroy(precond) bind(c, name='spry_precond_destroy')
            import :: c_ptr
            type(c_ptr), value :: precond
        end subroutine
        subroutine c_operator_set_matrix(matrix, made, size) bind(c, name='spry_operator_set_matrix')
            import :: c_ptr, c_size_t, spry_operator
            type(c_ptr), value :: matrix
            type(spry_operator), intent(inout) :: made
            integer(c_size_t), value :: size
        end subroutine
        subroutine c_operator_set_precond(precond, made, size) bind(c, name='spry_operator_set_precond')
            import :: c_ptr, c_size_t, spry_operator
            type(c_ptr), value :: precond
            type(spry_operator), intent(inout) :: made
            integer(c_size_t), value :: size
        end subroutine
        integer(c_int) function c_solver_create(context, a, precond, options, solver) bind(c, name='spry_solver_create')
            import :: c_int, c_ptr, spry_operator, spry_solver_options
            type(c_ptr), value :: context
            type(spry_operator), intent(in) :: a
            type(c_ptr), value :: precond
            type(spry_solver_options), intent(in) :: options
            type(c_ptr), intent(out) :: solver
        end function
        subroutine c_solver_destroy(solver) bind(c, name='spry_solver_destroy')
            import :: c_ptr
            type(c_ptr), value :: solver
        end subroutine
        integer(c_int) function c_solve(solver, b, x, result) bind(c, name='spry_solve')
            import :: c_int, c_ptr, spry_solve_result
            type(c_ptr), value :: solver, b, x
            type(spry_solve_result), intent(inout) :: result
        end function
    end interface

contains

    !> What went wrong in the last call that failed with this context; empty before that.
    function spry_message(context) result(text)
        type(spry_context), intent(in) :: context
        character(:), allocatable :: text
        if (allocated(context%refusal)) then
            text = context%refusal
        else
            text = string_at(c_message(context%handle))
        end if
    end function

    !> A few words for a status, such as that of a context that could not be made.
    function spry_status_string(status) result(text)
        integer(c_int), intent(in) :: status
        character(:), allocatable :: text
        text = string_at(c_status_string(status))
    end function

    !> A few words for how a solve ended.
    function spry_outcome_string(outcome) result(text)
        integer(c_int), intent(in) :: outcome
        character(:), allocatable :: text
        text = string_at(c_outcome_string(outcome))
    end function

    !> Make a context, on the CPU with all its threads unless the options say something else.
    integer(c_int) function spry_context_create(context, options) result(status)
        type(spry_context), intent(out) :: context
        type(spry_context_options), intent(in), optional :: options
        type(spry_context_options) :: own
        if (present(options)) own = options
        own%size = c_sizeof(own)
        status = c_context_create(context%handle, own)
    end function

    !> Read a Matrix Market file, with values of c_double.
    integer(c_int) function spry_read(context, path, matrix) result(status)
        type(spry_context), intent(inout) :: context
        character(*), intent(in) :: path
        type(spry_matrix), intent(out) :: matrix
        status = seen(context, c_read(context%handle, trim(path) // c_null_char, c_null_ptr, matrix%handle, c_null_ptr))
    end function

    !> Make a copy in a storage that is said in text ("csr", "sell:32:1"); without one, or with "auto", in that which
    !> should multiply fastest.
    integer(c_int) function spry_convert(context, source, matrix, storage, options) result(status)
        type(spry_context), intent(inout) :: context
        type(spry_matrix), intent(in) :: source
        type(spry_matrix), intent(out) :: matrix
        character(*), intent(in), optional :: storage
        type(spry_convert_options), intent(in), optional :: options
        type(spry_convert_options) :: own
        type(spry_storage) :: into
        logical :: choose
        if (present(options)) own = options
        own%size = c_sizeof(own)
        choose = .true.
        if (present(storage)) choose = storage == 'auto'
        if (choose) then
            status = seen(context, c_convert(context%handle, source%handle, spry_auto, own, matrix%handle))
        else if (c_storage_parse(trim(storage) // c_null_char, into, c_null_ptr) /= spry_ok) then
            status = refuse(context, spry_error_syntax, '"' // trim(storage) // '" is no storage')
        else
            status = seen(context, c_convert_to(context%handle, source%handle, into, own, matrix%handle))
        end if
    end function

    integer(c_int64_t) function spry_matrix_rows(matrix) result(rows)
        type(spry_matrix), intent(in) :: matrix
        rows = c_matrix_rows(matrix%handle)
    end function

    integer(c_int64_t) function spry_matrix_cols(matrix) result(cols)
        type(spry_matrix), intent(in) :: matrix
        cols = c_matrix_cols(matrix%handle)
    end function

    integer(c_int64_t) function spry_matrix_nnz(matrix) result(nnz)
        type(spry_matrix), intent(in) :: matrix
        nnz = c_matrix_nnz(matrix%handle)
    end function

    !> How a matrix is stored, in text.
    function spry_matrix_storage(matrix) result(text)
        type(spry_matrix), intent(in) :: matrix
        character(:), allocatable :: text
        type(spry_storage) :: storage
        character(kind=c_char), target :: buffer(128)
        call c_matrix_storage(matrix%handle, storage)
        call c_storage_text(storage, buffer, size(buffer, kind=c_size_t))
        text = string_at(c_loc(buffer))
    end function

    !> An approximate inverse of a square matrix, which need not outlive it; Jacobi's without options.
    integer(c_int) function spry_precond_create(context, matrix, precond, options) result(status)
        type(spry_context), intent(inout) :: context
        type(spry_matrix), intent(in) :: matrix
        type(spry_precond), intent(out) :: precond
        type(spry_precond_options), intent(in), optional :: options
        type(spry_precond_options) :: own
        if (present(options)) own = options
        own%size = c_sizeof(own)
        status = seen(context, c_precond_create(context%handle, matrix%handle, own, precond%handle))
    end function

    !> A solver of A x = b; CG without options. Context, matrix and preconditioner must outlive it.
    integer(c_int) function spry_solver_create(context, matrix, solver, options, precond) result(status)
        type(spry_context), intent(inout) :: context
        type(spry_matrix), intent(in) :: matrix
        type(spry_solver), intent(out) :: solver
        type(spry_solver_options), intent(in), optional :: options
        type(spry_precond), intent(in), optional :: precond
        type(spry_solver_options) :: own
        type(spry_operator) :: a
        type(spry_operator), target :: m
        type(c_ptr) :: m_there
        if (present(options)) own = options
        own%size = c_sizeof(own)
        call c_operator_set_matrix(matrix%handle, a, c_sizeof(a))
        m_there = c_null_ptr
        if (present(precond)) then
            call c_operator_set_precond(precond%handle, m, c_sizeof(m))
            m_there = c_loc(m)
        end if
        status = seen(context, c_solver_create(context%handle, a, m_there, own, solver%handle))
        if (status /= spry_ok) return
        solver%n = c_matrix_rows(matrix%handle)
        solver%value_type = c_matrix_type(matrix%handle)
    end function

    subroutine destroy_context(context)
        type(spry_context), intent(inout) :: context
        call c_context_destroy(context%handle)
        context%handle = c_null_ptr
        if (allocated(context%refusal)) deallocate(context%refusal)
    end subroutine

    subroutine destroy_matrix(matrix)
        type(spry_matrix), intent(inout) :: matrix
        call c_matrix_destroy(matrix%handle)
        matrix%handle = c_null_ptr
    end subroutine

    subroutine destroy_precond(precond)
        type(spry_precond), intent(inout) :: precond
        call c_precond_destroy(precond%handle)
        precond%handle = c_null_ptr
    end subroutine

    subroutine destroy_solver(solver)
        type(spry_solver), intent(inout) :: solver
        call c_solver_destroy(solver%handle)
        solver%handle = c_null_ptr
    end subroutine

    ! The same for each kind of values, of columns and of pointers.

    integer(c_int) function wrap_f32_i32(context, cols, ptr, idx, val, matrix, base) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int32_t), intent(in) :: cols
        integer(c_int32_t), pointer, intent(in) :: ptr(:)
        integer(c_int32_t), pointer, intent(in) :: idx(:)
        real(c_float), pointer, intent(in) :: val(:)
        type(spry_matrix), intent(out) :: matrix
        integer, intent(in), optional :: base
        status = wrap(context, spry_f32, spry_i32, int(cols, c_int64_t), c_loc(ptr), c_loc(idx), c_loc(val), &
            [size(ptr, kind=c_int64_t), size(idx, kind=c_int64_t), size(val, kind=c_int64_t)], &
            is_contiguous(ptr) .and. is_contiguous(idx) .and. is_contiguous(val), matrix, base)
    end function

    integer(c_int) function wrap_f32_i32p64(context, cols, ptr, idx, val, matrix, base) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int32_t), intent(in) :: cols
        integer(c_int64_t), pointer, intent(in) :: ptr(:)
        integer(c_int32_t), pointer, intent(in) :: idx(:)
        real(c_float), pointer, intent(in) :: val(:)
        type(spry_matrix), intent(out) :: matrix
        integer, intent(in), optional :: base
        status = wrap(context, spry_f32, spry_i32p64, int(cols, c_int64_t), c_loc(ptr), c_loc(idx), c_loc(val), &
            [size(ptr, kind=c_int64_t), size(idx, kind=c_int64_t), size(val, kind=c_int64_t)], &
            is_contiguous(ptr) .and. is_contiguous(idx) .and. is_contiguous(val), matrix, base)
    end function

    integer(c_int) function wrap_f32_i64(context, cols, ptr, idx, val, matrix, base) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int64_t), intent(in) :: cols
        integer(c_int64_t), pointer, intent(in) :: ptr(:)
        integer(c_int64_t), pointer, intent(in) :: idx(:)
        real(c_float), pointer, intent(in) :: val(:)
        type(spry_matrix), intent(out) :: matrix
        integer, intent(in), optional :: base
        status = wrap(context, spry_f32, spry_i64, int(cols, c_int64_t), c_loc(ptr), c_loc(idx), c_loc(val), &
            [size(ptr, kind=c_int64_t), size(idx, kind=c_int64_t), size(val, kind=c_int64_t)], &
            is_contiguous(ptr) .and. is_contiguous(idx) .and. is_contiguous(val), matrix, base)
    end function

    integer(c_int) function wrap_f64_i32(context, cols, ptr, idx, val, matrix, base) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int32_t), intent(in) :: cols
        integer(c_int32_t), pointer, intent(in) :: ptr(:)
        integer(c_int32_t), pointer, intent(in) :: idx(:)
        real(c_double), pointer, intent(in) :: val(:)
        type(spry_matrix), intent(out) :: matrix
        integer, intent(in), optional :: base
        status = wrap(context, spry_f64, spry_i32, int(cols, c_int64_t), c_loc(ptr), c_loc(idx), c_loc(val), &
            [size(ptr, kind=c_int64_t), size(idx, kind=c_int64_t), size(val, kind=c_int64_t)], &
            is_contiguous(ptr) .and. is_contiguous(idx) .and. is_contiguous(val), matrix, base)
    end function

    integer(c_int) function wrap_f64_i32p64(context, cols, ptr, idx, val, matrix, base) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int32_t), intent(in) :: cols
        integer(c_int64_t), pointer, intent(in) :: ptr(:)
        integer(c_int32_t), pointer, intent(in) :: idx(:)
        real(c_double), pointer, intent(in) :: val(:)
        type(spry_matrix), intent(out) :: matrix
        integer, intent(in), optional :: base
        status = wrap(context, spry_f64, spry_i32p64, int(cols, c_int64_t), c_loc(ptr), c_loc(idx), c_loc(val), &
            [size(ptr, kind=c_int64_t), size(idx, kind=c_int64_t), size(val, kind=c_int64_t)], &
            is_contiguous(ptr) .and. is_contiguous(idx) .and. is_contiguous(val), matrix, base)
    end function

    integer(c_int) function wrap_f64_i64(context, cols, ptr, idx, val, matrix, base) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int64_t), intent(in) :: cols
        integer(c_int64_t), pointer, intent(in) :: ptr(:)
        integer(c_int64_t), pointer, intent(in) :: idx(:)
        real(c_double), pointer, intent(in) :: val(:)
        type(spry_matrix), intent(out) :: matrix
        integer, intent(in), optional :: base
        status = wrap(context, spry_f64, spry_i64, int(cols, c_int64_t), c_loc(ptr), c_loc(idx), c_loc(val), &
            [size(ptr, kind=c_int64_t), size(idx, kind=c_int64_t), size(val, kind=c_int64_t)], &
            is_contiguous(ptr) .and. is_contiguous(idx) .and. is_contiguous(val), matrix, base)
    end function

    integer(c_int) function spmv_f32(context, op, alpha, matrix, x, beta, y) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: op
        real(c_float), intent(in) :: alpha, beta
        type(spry_matrix), intent(in) :: matrix
        real(c_float), intent(in), contiguous, target :: x(:)
        real(c_float), intent(inout), contiguous, target :: y(:)
        status = multiply(context, spry_f32, op, real(alpha, c_double), matrix, size(x, kind=c_int64_t), c_loc(x), &
            real(beta, c_double), size(y, kind=c_int64_t), c_loc(y))
    end function

    integer(c_int) function solve_f32(context, solver, b, x, result) result(status)
        type(spry_context), intent(inout) :: context
        type(spry_solver), intent(in) :: solver
        real(c_float), intent(in), contiguous, target :: b(:)
        real(c_float), intent(inout), contiguous, target :: x(:)
        type(spry_solve_result), intent(out), optional :: result
        status = solve(context, spry_f32, solver, size(b, kind=c_int64_t), c_loc(b), size(x, kind=c_int64_t), &
            c_loc(x), result)
    end function

    integer(c_int) function spmv_f64(context, op, alpha, matrix, x, beta, y) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: op
        real(c_double), intent(in) :: alpha, beta
        type(spry_matrix), intent(in) :: matrix
        real(c_double), intent(in), contiguous, target :: x(:)
        real(c_double), intent(inout), contiguous, target :: y(:)
        status = multiply(context, spry_f64, op, real(alpha, c_double), matrix, size(x, kind=c_int64_t), c_loc(x), &
            real(beta, c_double), size(y, kind=c_int64_t), c_loc(y))
    end function

    integer(c_int) function solve_f64(context, solver, b, x, result) result(status)
        type(spry_context), intent(inout) :: context
        type(spry_solver), intent(in) :: solver
        real(c_double), intent(in), contiguous, target :: b(:)
        real(c_double), intent(inout), contiguous, target :: x(:)
        type(spry_solve_result), intent(out), optional :: result
        status = solve(context, spry_f64, solver, size(b, kind=c_int64_t), c_loc(b), size(x, kind=c_int64_t), &
            c_loc(x), result)
    end function

    !> x is a target only within: gfortran 13 and 14 give transpose(a) the extents of a where it is for a contiguous target.
    integer(c_int) function spmm_f32(context, op, alpha, matrix, x, beta, y, by_rows) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: op
        real(c_float), intent(in) :: alpha, beta
        type(spry_matrix), intent(in) :: matrix
        real(c_float), intent(in), contiguous :: x(:, :)
        real(c_float), intent(inout), contiguous, target :: y(:, :)
        logical, intent(in), optional :: by_rows
        status = by_values(x)
    contains
        integer(c_int) function by_values(values)
            real(c_float), intent(in), target :: values(*)
            by_values = multiply_many(context, spry_f32, op, real(alpha, c_double), matrix, &
                view(c_loc(values), shape(x, kind=c_int64_t), by_rows), real(beta, c_double), &
                view(c_loc(y), shape(y, kind=c_int64_t), by_rows))
        end function
    end function

    integer(c_int) function spmm_f64(context, op, alpha, matrix, x, beta, y, by_rows) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: op
        real(c_double), intent(in) :: alpha, beta
        type(spry_matrix), intent(in) :: matrix
        real(c_double), intent(in), contiguous :: x(:, :)
        real(c_double), intent(inout), contiguous, target :: y(:, :)
        logical, intent(in), optional :: by_rows
        status = by_values(x)
    contains
        integer(c_int) function by_values(values)
            real(c_double), intent(in), target :: values(*)
            by_values = multiply_many(context, spry_f64, op, real(alpha, c_double), matrix, &
                view(c_loc(values), shape(x, kind=c_int64_t), by_rows), real(beta, c_double), &
                view(c_loc(y), shape(y, kind=c_int64_t), by_rows))
        end function
    end function

    integer(c_int) function wrap(context, value_type, index_type, cols, ptr, idx, val, sizes, whole, matrix, base) &
            result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: value_type, index_type
        integer(c_int64_t), intent(in) :: cols, sizes(3)
        type(c_ptr), intent(in) :: ptr, idx, val
        logical, intent(in) :: whole
        type(spry_matrix), intent(inout) :: matrix
        integer, intent(in), optional :: base
        integer(c_int) :: from
        from = 1
        if (present(base)) from = int(base, c_int)
        if (.not. whole) then
            status = refuse(context, spry_error_argument, 'an array has gaps between its values')
        else if (sizes(1) < 1) then
            status = refuse(context, spry_error_argument, 'ptr is empty, expected a value for each row and one more')
        else if (last(context, index_type, ptr, sizes(1)) > minval(sizes(2:)) + from) then
            status = refuse(context, spry_error_argument, 'ptr leads past the end of idx or val, which have ' &
                // decimal(minval(sizes(2:))) // ' values')
        else
            status = seen(context, c_wrap_csr(context%handle, value_type, index_type, sizes(1) - 1, cols, &
                spry_csr(ptr, idx, val, from), matrix%handle))
        end if
    end function

    !> The last pointer, where this program can read it.
    integer(c_int64_t) function last(context, index_type, ptr, count)
        type(spry_context), intent(in) :: context
        integer(c_int), intent(in) :: index_type
        type(c_ptr), intent(in) :: ptr
        integer(c_int64_t), intent(in) :: count
        integer(c_int32_t), pointer :: narrow(:)
        integer(c_int64_t), pointer :: wide(:)
        last = 0
        if (c_context_backend(context%handle) /= spry_cpu) return
        if (index_type == spry_i32) then
            call c_f_pointer(ptr, narrow, [count])
            last = narrow(count)
        else
            call c_f_pointer(ptr, wide, [count])
            last = wide(count)
        end if
    end function

    integer(c_int) function multiply(context, value_type, op, alpha, matrix, x_size, x, beta, y_size, y) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: value_type, op
        real(c_double), intent(in) :: alpha, beta
        type(spry_matrix), intent(in) :: matrix
        integer(c_int64_t), intent(in) :: x_size, y_size
        type(c_ptr), intent(in) :: x, y
        integer(c_int64_t) :: rows, cols
        rows = merge(c_matrix_cols(matrix%handle), c_matrix_rows(matrix%handle), op == spry_t)
        cols = merge(c_matrix_rows(matrix%handle), c_matrix_cols(matrix%handle), op == spry_t)
        if (fits(context, value_type, c_matrix_type(matrix%handle), 'x', x_size, cols, 'y', y_size, rows, status)) &
            status = seen(context, c_spmv(context%handle, op, alpha, matrix%handle, x, beta, y))
    end function

    !> What an array of Fortran, whose columns lie one behind the other, is for C.
    type(spry_view) function view(there, extents, by_rows)
        type(c_ptr), intent(in) :: there
        integer(c_int64_t), intent(in) :: extents(2)
        logical, intent(in), optional :: by_rows
        view = spry_view(there, 0, extents(1), extents(2), 1, extents(1))
        if (.not. present(by_rows)) return
        if (by_rows) view = spry_view(there, 0, extents(2), extents(1), extents(1), 1)
    end function

    !> The library looks at the sizes of views.
    integer(c_int) function multiply_many(context, value_type, op, alpha, matrix, x, beta, y) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: value_type, op
        real(c_double), intent(in) :: alpha, beta
        type(spry_matrix), intent(in) :: matrix
        type(spry_view), intent(in) :: x, y
        if (alike(context, value_type, c_matrix_type(matrix%handle), status)) &
            status = seen(context, c_spmm(context%handle, op, alpha, matrix%handle, x, beta, y))
    end function

    integer(c_int) function solve(context, value_type, solver, b_size, b, x_size, x, result) result(status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: value_type
        type(spry_solver), intent(in) :: solver
        integer(c_int64_t), intent(in) :: b_size, x_size
        type(c_ptr), intent(in) :: b, x
        type(spry_solve_result), intent(out), optional :: result
        type(spry_solve_result) :: own
        own%size = c_sizeof(own)
        if (.not. c_associated(solver%handle)) then
            status = refuse(context, spry_error_argument, 'there is no solver')
        else if (fits(context, value_type, solver%value_type, 'b', b_size, solver%n, 'x', x_size, solver%n, &
                status)) then
            status = seen(context, c_solve(solver%handle, b, x, own))
        end if
        if (present(result)) result = own
    end function

    !> Whether two vectors are of a kind and of the sizes that are expected; `status` is set if not.
    logical function fits(context, kind, expected, a, a_size, a_expected, b, b_size, b_expected, status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: kind, expected
        character(*), intent(in) :: a, b
        integer(c_int64_t), intent(in) :: a_size, a_expected, b_size, b_expected
        integer(c_int), intent(out) :: status
        fits = alike(context, kind, expected, status)
        if (.not. fits) return
        if (a_size /= a_expected) then
            status = refuse(context, spry_error_argument, &
                a // ' has ' // decimal(a_size) // ' values, expected ' // decimal(a_expected))
        else if (b_size /= b_expected) then
            status = refuse(context, spry_error_argument, &
                b // ' has ' // decimal(b_size) // ' values, expected ' // decimal(b_expected))
        end if
        fits = status == spry_ok
    end function

    !> Whether values are of the kind of the matrix's; `status` is set if not.
    logical function alike(context, kind, expected, status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: kind, expected
        integer(c_int), intent(out) :: status
        status = spry_ok
        alike = kind == expected
        if (.not. alike) status = refuse(context, spry_error_argument, &
            'vectors and matrix have values of different kinds, or there is no matrix')
    end function

    !> The message of a call that is refused here.
    integer(c_int) function refuse(context, status, text)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: status
        character(*), intent(in) :: text
        context%refusal = text
        refuse = status
    end function

    !> After a call that failed in the library, its message is the one to read.
    integer(c_int) function seen(context, status)
        type(spry_context), intent(inout) :: context
        integer(c_int), intent(in) :: status
        if (status /= spry_ok .and. allocated(context%refusal)) deallocate(context%refusal)
        seen = status
    end function

    function string_at(there) result(text)
        type(c_ptr), intent(in) :: there
        character(:), allocatable :: text
        character(kind=c_char), pointer :: characters(:)
        integer :: i
        call c_f_pointer(there, characters, [c_strlen(there)])
        allocate(character(size(characters)) :: text)
        do i = 1, size(characters)
            text(i:i) = characters(i)
        end do
    end function

    function decimal(number) result(text)
        integer(c_int64_t), intent(in) :: number
        character(:), allocatable :: text
        character(20) :: digits
        write(digits, '(i0)') number
        text = trim(digits)
    end function

end module
