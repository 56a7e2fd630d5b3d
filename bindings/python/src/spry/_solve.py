# SPDX-License-Identifier: BSD-3-Clause
"""A x = b by iteration: methods and preconditioners of the library."""

import contextlib
import ctypes
import signal
import threading

import numpy

from . import _arrays, _sparse
from ._context import InMemory, default
from ._library import (
    APPLY,
    METHOD,
    MONITOR,
    OUTCOME,
    PRECOND_KIND,
    STATUS,
    Operator,
    PrecondOptions,
    SolverOptions,
    SolveResult,
    lib,
)
from ._matrix import Matrix

METHODS = tuple(name.lower() for name in METHOD if name != "NO_METHOD")
RTOL = {"float32": 1e-5, "float64": 1e-8}  # of a solver whose options say no tolerance at all, see solve.h
PRECONDITIONERS = tuple(name.lower().replace("_", "-") for name in PRECOND_KIND if name != "NO_PRECOND")


class Solution(tuple):
    """What came of a solve: x, info = solution, as SciPy's solvers return it.

    x           the last iterate
    info        0: it has converged; above 0: so many iterations were not enough; below 0: it ended otherwise, as
                `outcome` says
    outcome     in words: "converged", …
    iterations  how many there were
    residual    |b - A x|, computed from this x
    norm_b      |b|
    history     the residual's norm in each iteration, from that of the first guess on; None unless it was asked for
    """

    def __new__(cls, x, result, history):
        number = result.outcome
        info = 0 if number == OUTCOME["CONVERGED"] else result.iterations if number == OUTCOME["LIMIT"] else -number
        made = super().__new__(cls, (x, info))
        made.x, made.info, made.history = x, info, history
        made.outcome = lib.spry_outcome_string(number).decode()
        made.iterations, made.residual, made.norm_b = result.iterations, result.residual, result.norm_b
        made.converged = info == 0
        return made

    def __repr__(self):
        return (f"<spry.Solution: {self.outcome} after {self.iterations} iterations, |b - A x| = {self.residual:.3g}, "
                f"|b| = {self.norm_b:.3g}>")

    def __reduce__(self):
        return tuple, (tuple(self),)


def _by_name(name, function, none, names, what):
    number = function(name.encode()) if isinstance(name, str) else none
    if number == none:
        raise ValueError(f"{what} is one of {', '.join(names)}, not {name!r}")
    return number


def _matrix_of(a, **options):
    """A Matrix, also of a sparse matrix of the caller's; None for other operators."""
    if isinstance(a, Matrix):
        return a
    return Matrix.from_scipy(a, **options) if _sparse.is_sparse(a) else None


def _square(a):
    if not all(hasattr(a, name) for name in ("shape", "dtype", "matvec")):
        raise TypeError(f"A is a sparse matrix, or has shape, dtype and matvec: a {type(a).__name__} is neither")
    if len(a.shape) != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f"A is square in A x = b, not {a.shape}")


class _Watch:
    """What happens in a solve outside of the library: no exception can pass through it, so the first one is kept until
    its call has returned, and Ctrl-C is a flag meanwhile. The library is told to stop."""

    def __init__(self, callback):
        self._callback, self._error, self._before, self._interrupted = callback, None, None, False
        self.function = MONITOR(self._go_on)

    def _go_on(self, user, iteration, residual):
        """Called in each iteration; what is not 0 stops it."""
        try:
            return 1 if self._interrupted or (self._callback is not None and self._callback(iteration, residual)) else 0
        except BaseException as error:  # pylint: disable=broad-except
            self.note(error)
            return 1

    def note(self, error):
        self._error = self._error or error

    def __enter__(self):
        self._error, self._before, self._interrupted = None, None, False
        here = threading.current_thread() is threading.main_thread()
        if here and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number, frame):
        self._interrupted = True

    def __exit__(self, kind, error, where):
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        noted, self._error = self._error, None
        if noted is not None:
            raise noted
        if self._interrupted:
            raise KeyboardInterrupt


def _from_function(n, dtype, function, watch):
    """An operator that calls a function of arrays in host memory, and the object that has to live as long as it."""
    size = n * dtype.itemsize

    def apply(context, user, x, y):
        try:
            given = numpy.frombuffer((ctypes.c_char * size).from_address(x), dtype)
            given.flags.writeable = False
            numpy.frombuffer((ctypes.c_char * size).from_address(y), dtype)[:] = numpy.asarray(function(given)).reshape(
                n
            )
            return STATUS["OK"]
        except BaseException as error:  # pylint: disable=broad-except
            watch.note(error)
            return STATUS["ERROR_ARGUMENT"]

    called = APPLY(apply)
    address = ctypes.cast(called, ctypes.c_void_p).value
    return Operator(n=n, type=_sparse.TYPES[dtype], apply=address), called


def _kind(name):
    return _by_name(name, lib.spry_precond_by_name, PRECOND_KIND["NO_PRECOND"], PRECONDITIONERS, "a preconditioner")


class Preconditioner(InMemory):
    """An approximate inverse of a square matrix. M @ r applies it, so SciPy's solvers take it as M too.

    kind               "jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev" or "fsai"
    block              block-jacobi: rows of a block, 32 at most; None: 8
    omega              ssor: above 0 and below 2; None: 1
    degree             chebyshev: products in each application; None: 4
    inner              chebyshev: the kind that it is a polynomial over, any other; None: "jacobi"
    smallest, largest  chebyshev: bounds of the eigenvalues of the inner kind times A; None: largest is estimated,
                       smallest a share of it; smallest needs a largest
    shift              ic0, ilu0, fsai: added to the diagonal first, as a multiple of each entry
    sweeps             ssor, ilu0, ic0: Jacobi sweeps in the place of each triangular solve; None: it is solved exactly
    single             made and applied in float32, whatever A is; vectors stay what they are
    power              fsai: 1 for the pattern of A, 2 for that of its square; None: 1
    entries            fsai: entries of a row, 64 at most; None: 32
    values_change      fsai: True: update() takes any values; False: those that the codes of its factors can keep
    colours            ssor, ilu0, ic0: of the rows in the order of colours, which makes for few levels
    """

    def __init__(
        self,
        a,
        kind="jacobi",
        *,
        block=None,
        omega=None,
        degree=None,
        inner=None,
        smallest=None,
        largest=None,
        shift=None,
        sweeps=None,
        single=False,
        power=None,
        entries=None,
        values_change=False,
        colours=False,
    ):
        number = _kind(kind)
        matrix = _matrix_of(a)
        if matrix is None:
            raise TypeError(f"a preconditioner is made of a matrix, not of a {type(a).__name__}")
        matrix._not_transposed("a preconditioner")
        _square(matrix)
        given = {
            "block": block,
            "omega": omega,
            "degree": degree,
            "smallest": smallest,
            "largest": largest,
            "shift": shift,
            "inner": None if inner is None else _kind(inner),
            "sweeps": sweeps,
            "single": int(bool(single)),
            "power": power,
            "entries": entries,
            "values_change": bool(values_change),
            "colours": int(bool(colours)),
        }
        options = PrecondOptions(kind=number, **{name: value for name, value in given.items() if value is not None})
        self.kind, self.shape, self.dtype, self._matrix = kind, matrix.shape, matrix.dtype, matrix
        self._lock = threading.RLock()  # what is between is kept in the preconditioner
        self._owned = matrix._settled().make(lib.spry_precond_create, lib.spry_precond_destroy, matrix._pointer,
                                            ctypes.addressof(options), needs=matrix._owned)

    @property
    def shift(self):
        """The shift that the factors were made with."""
        return lib.spry_precond_shift(self._owned.pointer)

    def update(self, a):
        """Take new values of the matrix, whose pattern is as it was. A chebyshev takes those of the Matrix that it was
        made of."""
        matrix = _matrix_of(a, format="csr", dtype=self.dtype, context=self._matrix.context)
        matrix._not_transposed("update")
        matrix = matrix._cast(self._matrix._types())
        with self._lock:
            self._matrix._settled().call(lib.spry_precond_update, self._owned.pointer, matrix._pointer)

    def __matmul__(self, r):
        matrix, family = self._matrix, _arrays.family(r)
        given = matrix._read(family, r, "r", self.shape[0])
        if len(given.shape) != 1:
            raise ValueError(f"r is a vector, and has the shape {given.shape}")
        if not given.is_vector():
            given = family.read(family.copy(given.array), self.dtype, "r")
        new = family.empty(given.shape, self.dtype, False, matrix.context.device)
        result = matrix._result(family if matrix.device != "cpu" else _arrays.NUMPY, new)
        if self.shape[0]:
            with self._lock:
                matrix._handle(family).call(lib.spry_precond_apply, self._owned.pointer, given.pointer, result.pointer)
        return family.given_back(new)

    def matvec(self, r):
        """M @ r, also of a single column."""
        return self @ (r[:, 0] if r.ndim == 2 and r.shape[1] == 1 else r)

    def operator(self):
        made = Operator()
        lib.spry_operator_set_precond(self._owned.pointer, ctypes.addressof(made), ctypes.sizeof(made))
        return made


class Solver(InMemory):
    """A method with all its workspace, for one A after another b: `solver.solve(b)`. One solve at a time; others wait.

    a               a spry.Matrix, or what spry.matrix takes; on the CPU also whatever has shape, dtype and matvec
    method          "cg" (symmetric positive definite), "minres" (symmetric), "bicgstab" or "gmres" (any)
    preconditioner  a spry.Preconditioner, or the name of one; on the CPU also whatever has matvec, or a function; None
    rtol, atol      it has converged when |b - A x| <= max(rtol |b|, atol); None: 1e-8 and 0, for float32 1e-5
    maxiter         most iterations; None: 10,000
    restart         gmres: vectors before it restarts, 64 at most; None: 30
    divergence      it is given up when the residual has grown so many times; None: 1e5
    callback        callback(iteration, residual); it stops when that returns something true
    history         True: keep the residual's norm in every iteration
    check_interval  GPU: iterations between two looks by the host; None: it chooses
    """

    def __init__(
        self,
        a,
        method="cg",
        *,
        preconditioner=None,
        rtol=None,
        atol=0.0,
        maxiter=None,
        restart=None,
        divergence=None,
        callback=None,
        history=False,
        check_interval=None,
    ):
        number = _by_name(method, lib.spry_method_by_name, METHOD["NO_METHOD"], METHODS, "a method")
        atol = 0.0 if atol is None else atol
        if rtol is not None and not (rtol > 0 or atol > 0):
            raise ValueError("one of rtol and atol is above zero")
        if maxiter is not None and maxiter < 1:
            raise ValueError(f"maxiter is 1 or more, not {maxiter}")
        self._watch, self._lock, self._busy = _Watch(callback), threading.RLock(), False
        self._others_lock = contextlib.nullcontext()  # of the preconditioner, which serves one solver at a time
        self._kept = []  # functions that the library calls, and what they call
        self._matrix = matrix = _matrix_of(a)
        self._needs = [matrix._owned] if matrix is not None else []
        _square(matrix or a)
        self.shape, self.dtype = (matrix or a).shape, _sparse.value_type((matrix or a).dtype)
        self._a = self._operator(a)
        self._m = self._preconditioner(preconditioner)
        relative = RTOL[self.dtype.name] if rtol is None else rtol
        given = {"relative": relative, "iterations": maxiter, "restart": restart, "divergence": divergence,
                 "check_interval": check_interval}
        self._options = {"method": number, "absolute": atol, "history": bool(history),
                         **{name: value for name, value in given.items() if value is not None}}
        self._handle = self._context().new_handle()
        self._needs.append(self._handle.owned)
        self._made = {}
        self._solver(False)

    # ---- operators ----

    def _context(self):
        return self._matrix.context if self._matrix is not None else default()

    def _operator(self, a):
        matrix = self._matrix
        if matrix is not None and not matrix._op:
            made = Operator()
            lib.spry_operator_set_matrix(matrix._pointer, ctypes.addressof(made), ctypes.sizeof(made))
            return made
        if matrix is not None and matrix.device != "cpu":
            raise ValueError("A.T is solved with on the CPU only: A.transposed() is a matrix of its own")
        return self._function((matrix or a).matvec)

    def _preconditioner(self, given):
        if given is None:
            return None
        if isinstance(given, str):
            if self._matrix is None:
                raise TypeError("a preconditioner by its name is made of a matrix; this A is none")
            given = Preconditioner(self._matrix, given)
        if isinstance(given, Preconditioner):
            if given.shape != self.shape or given.dtype != self.dtype or given._matrix.device != self._device():
                raise ValueError(
                    f"a preconditioner for {given.shape} of {given.dtype} on {given._matrix.device}, and A is "
                    f"{self.shape} of {self.dtype} on {self._device()}"
                )
            self._kept.append(given)
            self._others_lock = given._lock
            self._needs.append(given._owned)
            return given.operator()
        if self._device() != "cpu":
            raise TypeError("on a GPU a preconditioner is a spry.Preconditioner or the name of one")
        function = getattr(given, "matvec", given)
        if not callable(function):
            raise TypeError(f"a {type(given).__name__} is no preconditioner")
        return self._function(function)

    def _function(self, function):
        made, called = _from_function(self.shape[0], self.dtype, function, self._watch)
        self._kept.append(called)
        return made

    def _device(self):
        return "cpu" if self._matrix is None else self._matrix.device

    # ---- solving ----

    def _solver(self, guess):
        """The library's solver, with a first guess or without one: made when it is first wanted."""
        if guess not in self._made:
            options = SolverOptions(
                use_guess=guess, monitor=ctypes.cast(self._watch.function, ctypes.c_void_p), **self._options
            )
            m = ctypes.addressof(self._m) if self._m is not None else None
            self._made[guess] = self._handle.make(
                lib.spry_solver_create,
                lib.spry_solver_destroy,
                ctypes.addressof(self._a),
                m,
                ctypes.addressof(options),
                needs=tuple(self._needs),
            )
        return self._made[guess].pointer

    def solve(self, b, x0=None):
        """Solve A x = b, from the guess x0 or from zero. b and x0 are vectors where A is, of its type; x is like b. Where b
        is zero, so is x, whatever A is: there is no product then."""
        b = _arrays.imported(b)
        family = _arrays.family(b)
        given = self._vector(family, b, "b")
        x, result = self._start(family, x0), SolveResult()
        with self._lock:
            if self._busy:
                raise RuntimeError("solve was called from a callback of the same solver")
            self._busy = True
            try:
                history = self._run(family, given, x, x0 is not None, result)
            finally:
                self._busy = False
        return Solution(family.given_back(x.array), result, history)

    def _run(self, family, b, x, guess, result):
        """Fill the result; returns the history."""
        with self._others_lock, self._watch:
            # The library works in a stream of its own, and has ended when it returns.
            family.settle(self._context().device)
            status = self._handle.run(
                lib.spry_solve, self._solver(guess), b.pointer, x.pointer, ctypes.addressof(result)
            )
            history = self._history(result)
        if status:
            raise self._handle.error(status)
        return history

    def _history(self, result):
        if not result.history:
            return None
        return numpy.ctypeslib.as_array(ctypes.cast(result.history, ctypes.POINTER(ctypes.c_double)),
                                        (result.iterations + 1,)).copy()

    def _vector(self, family, b, what):
        given = family.read(b, self.dtype, what)
        if given.device != self._context().device:
            raise TypeError(f"{what} is {given.place()}, and A on {self._device()}")
        if given.shape != (self.shape[0],):
            raise ValueError(f"{what} has the shape {given.shape}, and A {self.shape}: a vector is expected")
        return given if given.is_vector() else family.read(family.copy(given.array), self.dtype, what)

    def _start(self, family, x0):
        """x, with the first guess in it."""
        if x0 is None:
            new = family.empty((self.shape[0],), self.dtype, False, self._context().device)
        else:
            own = _arrays.family(x0)
            guess = self._vector(own, x0, "x0")
            if self._device() != "cpu" and type(own) is not type(family):
                raise TypeError("x0 and b are arrays of two libraries")
            new = family.copy(guess.array)
        return (family if self._device() != "cpu" else _arrays.NUMPY).written(new, self.dtype, "x")


def solve(a, b, method="cg", x0=None, **options):
    """Solve A x = b; options as of spry.Solver. Returns a spry.Solution: x, info = spry.solve(A, b, "gmres")."""
    return Solver(a, method, **options).solve(b, x0)


def _method(name):
    def solve_by(a, b, x0=None, **options):
        return solve(a, b, name, x0, **options)

    solve_by.__name__ = solve_by.__qualname__ = name
    solve_by.__doc__ = f"Solve A x = b by {name.upper()}: spry.solve(a, b, {name!r}, x0, **options)."
    return solve_by


cg, minres, bicgstab, gmres = map(_method, METHODS)
