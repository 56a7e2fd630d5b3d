# SPDX-License-Identifier: BSD-3-Clause
"""What the library's statuses become: exceptions, each also a built-in one that fits."""

from ._library import STATUS, lib


class SpryError(Exception):
    """A call of the library failed. `status` is its number, `message` what the library says of it."""

    def __init__(self, message="", status=None):
        super().__init__(message)
        self.message, self.status = message, status


class ArgumentError(SpryError, ValueError):
    """An argument is out of range or contradicts another."""


class OutOfMemoryError(SpryError, MemoryError):
    """There is not enough memory, on the host or the device."""


class SizeError(SpryError, OverflowError):
    """A size or an index does not fit its type."""


class TooLargeError(SpryError, ValueError):
    """A format would need far more memory than CSR, or a file unpacks to too much."""


class UnsupportedError(SpryError, NotImplementedError):
    """The library has no kernel or no code for this."""


class InvalidError(SpryError, ValueError):
    """The arrays of a matrix contradict themselves or its size, or a preconditioner cannot be made of it."""


class DuplicateError(SpryError, ValueError):
    """The same row and column twice."""


class PatternError(SpryError, ValueError):
    """New values come with another pattern."""


class FileError(SpryError, OSError):
    """A file could not be opened, read or written."""


class FileSyntaxError(SpryError, ValueError):
    """A file is not what its format prescribes."""


class DeviceError(SpryError, RuntimeError):
    """The GPU, its driver or CUDA refused, or there is none."""


_CLASSES = {
    "ERROR_ARGUMENT": ArgumentError, "ERROR_MEMORY": OutOfMemoryError, "ERROR_OVERFLOW": SizeError,
    "ERROR_TOO_LARGE": TooLargeError, "ERROR_UNSUPPORTED": UnsupportedError, "ERROR_INVALID": InvalidError,
    "ERROR_DUPLICATE": DuplicateError, "ERROR_PATTERN": PatternError, "ERROR_IO": FileError,
    "ERROR_SYNTAX": FileSyntaxError, "ERROR_DEVICE": DeviceError,
}
_BY_STATUS = {STATUS[name]: error for name, error in _CLASSES.items()}


def error_of(status, message=""):
    """The exception for a status; one that this package does not know is a SpryError."""
    message = message or lib.spry_status_string(status).decode()
    return _BY_STATUS.get(status, SpryError)(message, status)
