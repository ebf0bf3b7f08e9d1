"""Which bodies are the pile, read off a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from talus.frames import Contacts, Flags, Floats, Frame

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Pile:
    """The particles of a frame; `inside` marks those that are measured.

    Particles that rolled away and lie alone on the floor do not belong to a heap and would spoil its measures, so only
    the largest set of touching particles is inside. When even that holds less than half of the particles there is no
    heap but a spread: then all of them are.
    """

    rows: Rows  # of the particles in the frame's layout
    positions: Floats  # (n, 3) metres
    radii: Floats  # (n,) metres
    inside: Flags  # (n,)

    @property
    def heap_positions(self) -> Floats:
        """(k, 3) of the particles inside."""
        return np.asarray(self.positions[self.inside])

    @property
    def heap_radii(self) -> Floats:
        """(k,) of the particles inside."""
        return np.asarray(self.radii[self.inside])


def find_pile(frame: Frame) -> Pile:
    """The dynamic spheres of a frame with positions, contacts and layout."""
    layout = frame.layout
    if layout is None:
        raise ValueError("the frame has no layout")
    radii = layout.sphere_radii
    rows = np.flatnonzero(layout.dynamic & (radii > 0))
    inside = largest_heap(rows, len(layout), frame.contacts)
    if 2 * int(inside.sum()) < len(rows):
        inside[:] = True
    inside &= frame.positions[rows, 2] > 0.5 * radii[rows]  # what rolled off the edge is falling below the floor
    return Pile(rows, frame.positions[rows], radii[rows], inside)


def largest_heap(rows: Rows, body_count: int, contacts: Contacts) -> Flags:
    """(len(rows),) True for the largest set of bodies of `rows` connected by contacts among themselves."""
    index = np.full(body_count, -1, dtype=np.intp)
    index[rows] = np.arange(len(rows))
    a, b = index[contacts.body_a_rows], index[contacts.body_b_rows]
    both = (a >= 0) & (b >= 0)
    a, b = a[both], b[both]
    labels = np.arange(len(rows))
    while True:
        # Every label falls to the smallest of its neighbours', then to the label of that label (pointer jumping).
        lower = labels.copy()
        np.minimum.at(lower, a, labels[b])
        np.minimum.at(lower, b, labels[a])
        lower = lower[lower]
        if np.array_equal(lower, labels):
            break
        labels = lower
    if not len(labels):
        return np.zeros(0, dtype=np.bool_)
    return np.asarray(labels == np.bincount(labels).argmax())
