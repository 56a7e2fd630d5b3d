# SPDX-License-Identifier: BSD-3-Clause
"""Contexts: where matrices are made and multiplied. Each thread has handles of its own."""

import ctypes
import os
import threading
import weakref
from collections import OrderedDict

from . import _driver
from ._arrays import LEGACY_STREAM
from ._errors import error_of
from ._library import BACKEND, STATUS, ContextOptions, lib

MAX_THREADS = 256
STREAMS_KEPT = 8  # handles of a thread for as many streams; the one that was used longest ago goes first


def call(function, *arguments):
    return function(*arguments)


def _release(run, release, pointer, needs):
    run(release, pointer)


class InMemory:
    """What cannot be pickled or copied deeply: it leads to the library's memory in this process."""

    def __reduce_ex__(self, protocol):
        raise TypeError(
            f"a {type(self).__name__} cannot be pickled or copied deeply; of a matrix, what to_scipy() gives can be"
        )


class Owned:
    """Something of the library's, which is released when this object is gone, and before all that it needs: weakref
    keeps hold of that until then, also where a cycle of objects goes at once and in any order. (So nothing that it
    needs may lead back to it.) When the interpreter ends nothing is released, as others may still be at work.

    values  the array that a wrapped matrix has its values in; None for all else
    """

    __slots__ = ("pointer", "values", "__weakref__")

    def __init__(self, pointer, release, needs=(), run=call):
        self.pointer, self.values = pointer, None
        weakref.finalize(self, _release, run, release, pointer, needs).atexit = False


class Handle:
    """One spry_context, for one thread at a time."""

    __slots__ = ("pointer", "ready", "run", "is_current", "context", "stream", "owned")

    def __init__(self, context, options, stream=None):
        made = ctypes.c_void_p()
        status = lib.spry_context_create(ctypes.addressof(made), ctypes.addressof(options))
        if status:
            raise _refusal(status, context)
        self.pointer, self.context, self.stream = made.value, context, stream
        self.ready = ctypes.c_void_p.from_param(self.pointer)  # as an argument of calls without types
        device = _driver.Device() if context.backend == "cuda" else None
        self.run, self.is_current = (device.run, device.is_current) if device else (call, None)
        self.owned = Owned(self.pointer, lib.spry_context_destroy, stream, self.run)

    def call(self, function, *arguments):
        """Call function(handle, *arguments), and raise what its status says."""
        status = self.run(function, self.pointer, *arguments)
        if status:
            raise self.error(status)

    def error(self, status):
        return error_of(status, lib.spry_message(self.pointer).decode(errors="replace"))

    def make(self, function, release, *arguments, needs=()):
        """As call, for functions whose last argument is where a pointer to what they make goes."""
        made = ctypes.c_void_p()
        self.call(function, *arguments, ctypes.addressof(made))
        return Owned(made.value, release, needs, self.run)


def _refusal(status, context):
    if status == STATUS["ERROR_DEVICE"]:
        reason = ctypes.create_string_buffer(512)
        count = lib.spry_cuda_devices(ctypes.addressof(reason), len(reason))
        return error_of(status, reason.value.decode() if count == 0 else f"CUDA device {context.device} cannot be used")
    if status == STATUS["ERROR_ARGUMENT"]:
        return error_of(status, f"no context can have these options: {context!r}")
    return error_of(status)


def _text(names):
    return None if names is None else names.encode()


class Context(InMemory):
    """Where work is done, and with what choices. All arguments have defaults; a context belongs to no thread.

    backend          "cpu", or "cuda" for an NVIDIA GPU
    device           number of the GPU
    threads          CPU threads of a product, up to 256; 0: all that the process may run on (OMP_NUM_THREADS is
                     respected)
    nondeterministic True: products may add in any order, so that two runs may differ in the last bits
    disable          names of CPU features, kernels and algorithms not to be used, with commas between them
    algorithms       names of algorithms of the primitives to be used
    grain            fewest entries of a matrix that are worth a team of threads; 0: a default
    profile          path of a machine profile that the choice of a format goes by; "calibrated": the one that
                     `spbench --calibrate` wrote for this machine; None: what the library brings along
    """

    def __init__(self, backend="cpu", *, device=0, threads=0, nondeterministic=False, disable=None, algorithms=None,
                 grain=0, profile=None):
        if backend.upper() not in BACKEND:
            raise ValueError(f"backend is 'cpu' or 'cuda', not {backend!r}")
        if not 0 <= threads <= MAX_THREADS:
            raise ValueError(f"threads is from 0 to {MAX_THREADS}, not {threads}")
        self.backend, self.device = backend.lower(), device if backend.lower() == "cuda" else None
        self._options = {
            "backend": BACKEND[backend.upper()], "device": device, "threads": threads, "grain": grain,
            "nondeterministic": bool(nondeterministic), "disable": _text(disable), "algorithms": _text(algorithms),
        }
        self._profile = profile
        self._local = threading.local()
        self.handle()

    def __repr__(self):
        given = [
            f"{name}={value!r}" for name, value in self._options.items() if value and name not in ("backend", "device")
        ]
        device = [f"device={self.device}"] if self.device is not None else []
        return f"spry.Context({', '.join([repr(self.backend), *device, *given])})"

    @property
    def threads(self):
        """How many threads products with matrices of this context are split for."""
        return lib.spry_context_threads(self.handle().pointer)

    @property
    def machine(self):
        """The machine whose profile the choice of a format goes by."""
        handle = self.handle()
        name = handle.run(lib.spry_profile_machine, handle.pointer)
        return name.decode() if name else None

    def handle(self, stream=None):
        """This thread's handle. On a GPU there is one for each stream of the caller's (arrays.Stream), None being the
        default stream."""
        number = stream.number if stream else 0
        found = self.known(number)
        if found is None:
            kept = self._local.__dict__.setdefault("handles", OrderedDict())
            found = kept[number] = self.new_handle(stream)
            if len(kept) > STREAMS_KEPT:
                kept.popitem(last=False)
        return found

    def known(self, number):
        """This thread's handle for the stream with a number, where there is one."""
        kept, key = getattr(self._local, "handles", {}), 0 if number == LEGACY_STREAM else number
        found = kept.get(key)
        if found is not None and len(kept) > 1:
            kept.move_to_end(key)
        return found

    def new_handle(self, stream=None):
        """A handle that no thread has yet. The stream lives as long as it."""
        options = ContextOptions(stream=stream.number or None if stream else None, **self._options)
        if self.backend == "cpu":
            handle = Handle(self, options)
        else:
            with _driver.kept():
                handle = Handle(self, options, stream)
        if self._profile is not None:
            path = None if self._profile == "calibrated" else os.fsencode(self._profile)
            handle.call(lib.spry_load_profile, path)
        return handle


_defaults = {}
_making = threading.Lock()


def default(backend="cpu", device=None):
    """The context of those who name none."""
    key = (backend, device or 0)
    found = _defaults.get(key)
    if found is None:
        with _making:
            found = _defaults.get(key)
            if found is None:
                found = _defaults[key] = Context(backend, device=device or 0)
    return found


def cuda_devices():
    """How many CUDA devices can be used; 0 where there is none, or the library was built without CUDA."""
    return lib.spry_cuda_devices(None, 0)
