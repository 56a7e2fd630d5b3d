# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's linear operators on the library's products."""


def aslinearoperator(a):
    """A scipy.sparse.linalg.LinearOperator of a Matrix, with all products of it: also with several vectors at once,
    which SciPy does not ask a Matrix itself for."""
    from scipy.sparse.linalg import LinearOperator

    class Operator(LinearOperator):
        def _matvec(self, x):
            return a @ x

        _matmat = _matvec

        def _rmatvec(self, x):
            return a.T @ x

        _rmatmat = _rmatvec

        def _transpose(self):
            return aslinearoperator(a.T)

        _adjoint = _transpose

    return Operator(a.dtype, a.shape)
