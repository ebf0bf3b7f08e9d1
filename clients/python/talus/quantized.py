"""Poses of the profile QUANTIZED (talus.v1.QuantizedBodies) as numbers again."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from talus.v1 import frame_pb2

_Grid = npt.NDArray[np.int64]


class Poses(NamedTuple):
    """Decoded poses."""

    positions: npt.NDArray[np.float64]
    """(n, 3) metres, each off by half a position step at most."""
    orientations: npt.NDArray[np.float64]
    """(n, 4) unit quaternions w, x, y, z, off by 2e-4 rad at most."""


class QuantizedDecoder:
    """Decodes the frames of one stream in the order they came: all but key frames refer to the last key frame."""

    def __init__(self) -> None:
        self._key_moment: Optional[int] = None
        self._grid: _Grid = np.zeros((0, 3), dtype=np.int64)
        self._key = Poses(np.zeros((0, 3)), np.zeros((0, 4)))

    def decode(self, message: frame_pb2.QuantizedBodies) -> Poses:
        """ValueError: the frame refers to a key frame that this decoder has not seen last, or tells other rows."""
        if message.key_frame:
            grid = _integers(message.key_positions, "<i4", 3)
            poses = Poses(grid * float(message.position_step_m), _orientations(message.orientations))
            counts = len(poses.positions), len(poses.orientations)
            if all(counts) and counts[0] != counts[1]:
                raise ValueError(f"the key frame has {counts[0]} rows of positions, {counts[1]} of orientations")
            _place_wide_rows(message, poses.positions)
            self._grid, self._key_moment = grid, int(message.key_moment)
            # A caller may write into what he gets.
            self._key = Poses(poses.positions.copy(), poses.orientations.copy())
            return poses
        if message.key_moment != self._key_moment:
            raise ValueError(f"the frame refers to key frame {message.key_moment}, the last was {self._key_moment}")
        rows = self._changed_rows(message.changed_rows)
        poses = Poses(self._key.positions.copy(), self._key.orientations.copy())
        if len(poses.positions):
            deltas = _integers(message.position_deltas, "<i2", 3)
            _check_told(rows, deltas)
            poses.positions[rows] = (self._grid[rows] + deltas) * float(message.position_step_m)
        if len(poses.orientations):
            turned = _orientations(message.orientations)
            _check_told(rows, turned)
            poses.orientations[rows] = turned
        _place_wide_rows(message, poses.positions)
        return poses

    def _changed_rows(self, bits: bytes) -> npt.NDArray[np.int64]:
        count = max(len(self._key.positions), len(self._key.orientations))
        if len(bits) != (count + 7) // 8:
            raise ValueError(f"the frame and its key frame of {count} rows differ in their rows")
        rows: npt.NDArray[np.int64] = np.flatnonzero(
            np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")
        )
        if len(rows) and rows[-1] >= count:
            raise ValueError(f"row {rows[-1]} changed, but there are {count} rows")
        return rows


def _check_told(rows: npt.NDArray[np.int64], told: npt.NDArray[Any]) -> None:
    if len(told) != len(rows):
        raise ValueError(f"the frame tells {len(told)} rows, {len(rows)} changed")


def _place_wide_rows(message: frame_pb2.QuantizedBodies, positions: npt.NDArray[np.float64]) -> None:
    if not message.wide_rows:
        return
    rows = np.array(message.wide_rows, dtype=np.int64)
    if rows.max() >= len(positions):
        raise ValueError(f"row {rows.max()} is told in full, but there are {len(positions)} rows")
    positions[rows] = np.array(message.wide_positions_world_m, dtype=np.float64).reshape(len(rows), 3)


def _integers(column: bytes, dtype: str, width: int) -> _Grid:
    return np.frombuffer(column, dtype=dtype).reshape(-1, width).astype(np.int64)


def _orientations(column: bytes) -> npt.NDArray[np.float64]:
    words = _integers(column, "<u2", 3)
    largest = (words[:, 0] >> 15) | (words[:, 1] >> 15) << 1
    smallest = ((words & 0x7FFF) / 32767.0 * 2.0 - 1.0) / np.sqrt(2.0)
    quaternions: npt.NDArray[np.float64] = np.empty((len(words), 4))
    rows = np.arange(len(words))
    for k in range(3):
        # The k-th of the others: one further behind the largest.
        quaternions[rows, k + (largest <= k)] = smallest[:, k]
    quaternions[rows, largest] = np.sqrt(np.maximum(0.0, 1.0 - np.sum(smallest * smallest, axis=1)))
    return quaternions
