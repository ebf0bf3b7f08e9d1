"""A pile out of a run's sphere columns: which spheres are the heap, and its angle by the demo's conical fit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Optional, Sequence, Tuple

import numpy as np
from talus.demo.measures import Cone, fit_cone
from talus.demo.pile import largest_heap

from book.figure import RunData


@dataclass(frozen=True)
class Heap:
    """`inside` marks the largest set of touching spheres, or all of them where that is less than half."""

    positions: Any  # (n, 3)
    radii: Any  # (n,)
    inside: Any  # (n,) flags

    def cone(self) -> Optional[Cone]:
        """The conical fit; None when there are too few spheres for one."""
        return fit_cone(self.positions[self.inside], self.radii[self.inside])

    def angle_deg(self) -> float:
        """0 where there is no heap to fit: no spheres left, or one layer of them."""
        if self.is_layer():
            return 0.0
        cone = self.cone()
        return cone.angle_deg if cone else 0.0

    def is_layer(self) -> bool:
        """No sphere rests on others: a fit would measure noise."""
        return not len(self.positions) or float(self.positions[:, 2].max()) < 2.0 * float(self.radii.max())


def find_heap(data: RunData) -> Heap:
    columns = data["columns"]
    positions = np.array([columns["x_m"], columns["y_m"], columns["z_m"]], dtype=float).T.reshape(-1, 3)
    radii = np.array(columns["radius_m"], dtype=float)
    contacts: Any = SimpleNamespace(body_a_rows=np.array(columns["contact_a"], dtype=np.intp),
                                    body_b_rows=np.array(columns["contact_b"], dtype=np.intp))
    rows = np.arange(len(positions))
    inside = largest_heap(rows, len(rows), contacts) if len(rows) else np.zeros(0, dtype=bool)
    if 2 * int(inside.sum()) < len(rows):
        inside[:] = True
    return Heap(positions, radii, inside)


def mean_and_error(values: Sequence[float]) -> Tuple[float, float]:
    """The mean and its standard error; the error is NaN for one value."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return mean, math.nan
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
