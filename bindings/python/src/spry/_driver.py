# SPDX-License-Identifier: BSD-3-Clause
"""CUDA's current device, which the library wants to be the context's, and which callers want to find as they left it.

By the driver, where there is one: the runtimes of the library, of CuPy and of PyTorch all go by what it says."""

import contextlib
import ctypes


def _load():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    driver.cuCtxSetCurrent.argtypes = [ctypes.c_void_p]
    driver.cuPointerGetAttribute.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64]
    return driver


_driver = None
_DEVICE_ORDINAL = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL


def _open():
    global _driver
    if _driver is None:
        _driver = _load() or False
    return _driver


def current():
    """The calling thread's current CUDA context; None without one."""
    driver = _open()
    found = ctypes.c_void_p()
    if driver:
        driver.cuCtxGetCurrent(ctypes.byref(found))
    return found.value


def device_of(pointer):
    """The device that a pointer leads to; None where the driver does not know it."""
    driver = _open()
    device = ctypes.c_int()
    if not driver or driver.cuPointerGetAttribute(ctypes.addressof(device), _DEVICE_ORDINAL, pointer) != 0:
        return None
    return device.value


@contextlib.contextmanager
def kept():
    """The current context is afterwards what it was before."""
    before = current()
    try:
        yield
    finally:
        if _driver:
            _driver.cuCtxSetCurrent(before)


class Device:
    """A device that can be made current for a while: `with device:`. Made where it is the current one."""

    def __init__(self):
        self._context = current()

    def __enter__(self):
        before = current()
        if _driver and before != self._context:
            _driver.cuCtxSetCurrent(self._context)
        return before

    def is_current(self):
        return current() == self._context

    def run(self, function, *arguments):
        """Call with this device as the current one."""
        before = self.__enter__()
        try:
            return function(*arguments)
        finally:
            if _driver and before != self._context:
                _driver.cuCtxSetCurrent(before)
