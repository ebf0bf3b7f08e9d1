"""Poses of the profile QUANTIZED (talus.v1.QuantizedBodies) as numbers again."""

from __future__ import annotations

from typing import NamedTuple, Optional

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
        self._key: _Grid = np.zeros((0, 3), dtype=np.int64)

    def decode(self, message: frame_pb2.QuantizedBodies) -> Poses:
        """ValueError: the frame refers to a key frame that this decoder has not seen last."""
        if message.key_frame:
            grid = _integers(message.key_positions, "<i4", 3)
            self._key, self._key_moment = grid, int(message.key_moment)
        else:
            if message.key_moment != self._key_moment:
                raise ValueError(f"the frame refers to key frame {message.key_moment}, the last was {self._key_moment}")
            deltas = _integers(message.position_deltas, "<i2", 3)
            if deltas.shape != self._key.shape:
                raise ValueError(f"the frame has {len(deltas)} rows, its key frame {len(self._key)}")
            grid = self._key + deltas
        positions: npt.NDArray[np.float64] = grid * float(message.position_step_m)
        if message.wide_rows:
            wide = np.array(message.wide_positions_world_m, dtype=np.float64).reshape(-1, 3)
            positions[np.array(message.wide_rows, dtype=np.int64)] = wide
        return Poses(positions, _orientations(message.orientations))


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
