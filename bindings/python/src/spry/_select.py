# SPDX-License-Identifier: BSD-3-Clause
"""What each storage would take, and why: the library's ranking."""

import ctypes
import math
from typing import NamedTuple, Optional

from . import _sparse
from ._library import STORAGE_TEXT, Choice, SelectOptions, lib
from ._matrix import Matrix, kernel_name

EXPLAINED = 3  # places that the table says a sentence on
SENTENCE = 512


class Place(NamedTuple):
    """A storage in a ranking. Times are in seconds, of one product where nothing else is said."""

    storage: str
    possible: bool
    kernel: Optional[str]
    seconds: float  # predicted
    measured_seconds: Optional[float]  # where it was measured
    convert_seconds: float  # of making it from CSR: predicted, or what it took where it was measured
    nbytes: float
    pays_back_after: float  # products until it has saved what the conversion took; 0 for CSR, inf: never
    why: str

    def row(self):
        if not self.possible:
            return f"{self.storage:24} {'not possible':>12}"
        measured = "" if self.measured_seconds is None else f"{1e6 * self.measured_seconds:.4g}"
        pays = "never" if math.isinf(self.pays_back_after) else f"{self.pays_back_after:.0f}"
        return (f"{self.storage:24} {1e6 * self.seconds:12.4g} {measured:>12} {1e6 * self.convert_seconds:12.4g} "
                f"{1e-6 * self.nbytes:10.4g} {pays:>10}")


class Ranking(tuple):
    """The storages of a matrix, the best first; as text, a table."""

    def __str__(self):
        head = f"{'storage':24} {'product/us':>12} {'measured/us':>12} {'convert/us':>12} "
        head += f"{'memory/MB':>10} {'pays back':>10}"
        lines = [head, *(place.row() for place in self), ""]
        lines += [f"{number}. {place.why}" for number, place in enumerate(self[:EXPLAINED], 1)]
        return "\n".join(lines)

    __repr__ = __str__


def select(source, *, products=None, measure=0, memory_limit=0, values_change=False, dtype=None, context=None):
    """Rank all storages for y = A x. Nothing is built, and nothing timed unless `measure` says of how many.

    source         a spry.Matrix, or whatever spry.matrix takes
    products       how many will follow, so that what a conversion takes counts; None: many
    memory_limit   most bytes that a storage may take; 0: none but spry.matrix's own
    values_change  True: storages that keep values in a code are left out, and stencils are not possible
    """
    if isinstance(source, Matrix):
        given = source
    else:
        given = Matrix._wrapping(_sparse.parts_of(source), dtype, context)
    given._not_transposed("select")
    csr = given if given.storage == "csr" else given.convert("csr")
    options = SelectOptions(
        measure=measure, products=products or 0, memory_limit=memory_limit, values_change=bool(values_change)
    )
    ranking = csr._settled().make(lib.spry_select, lib.spry_ranking_destroy, csr._pointer, ctypes.addressof(options))
    return Ranking(_place(ranking.pointer, i) for i in range(lib.spry_ranking_count(ranking.pointer)))


def _place(ranking, i):
    choice = Choice.from_address(lib.spry_ranking_choice(ranking, i))
    storage, why = ctypes.create_string_buffer(STORAGE_TEXT), ctypes.create_string_buffer(SENTENCE)
    lib.spry_storage_text(ctypes.addressof(choice.storage), ctypes.addressof(storage), len(storage))
    lib.spry_explain(ranking, i, ctypes.addressof(why), len(why))
    return Place(storage.value.decode(), bool(choice.possible), kernel_name(choice.kernel), choice.seconds,
                 choice.measured_seconds or None, choice.convert_seconds, choice.bytes, choice.pays_back_after,
                 why.value.decode(errors="replace"))
