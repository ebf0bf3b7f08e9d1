"""Recorded frames: a file of varint-length-delimited talus.v1.Frame messages.

The first frame carries the layout, and so does every frame before which the layout changed; other frames may leave it
out. This is the `frames.binpb` that `talusctl run` and the demo write.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import BinaryIO, Iterator, Optional, Type, Union

from talus.frames import Frame, Layout
from talus.v1 import frame_pb2

Path = Union[str, "os.PathLike[str]"]


class RecordingError(ValueError):
    """The file is no recording, or it ends in the middle of a frame."""


class FrameWriter:
    """Writes frames one after the other. A context manager."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = open(path, "wb")
        self._layout_version: Optional[int] = None
        self.count = 0

    def __enter__(self) -> "FrameWriter":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def write(self, frame: Frame, layout: Optional[Layout] = None) -> None:
        """Appends a frame; its layout, or `layout`, is stored with it when the file does not have that version yet.

        ValueError: neither the frame nor `layout` has the layout the frame's rows follow.
        """
        message = frame.message
        needed = message.layout_version != self._layout_version
        if needed != message.HasField("layout"):
            message = frame_pb2.Frame()
            message.CopyFrom(frame.message)
            if needed:
                if layout is None or layout.version != message.layout_version:
                    raise ValueError(f"frame {frame.step_index} needs layout version {message.layout_version}")
                message.layout.CopyFrom(layout.message)
            else:
                message.ClearField("layout")
        self._layout_version = message.layout_version
        record = message.SerializeToString(deterministic=True)
        self._file.write(_encode_varint(len(record)))
        self._file.write(record)
        self.count += 1

    def close(self) -> None:
        """Flushes and closes the file."""
        self._file.close()


class FrameReader:
    """Iterates over the frames of a file. Every frame it yields carries its layout."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[Frame]:
        layout: Optional[frame_pb2.Layout] = None
        with open(self._path, "rb") as file:
            while True:
                size = _decode_varint(file)
                if size is None:
                    return
                record = file.read(size)
                if len(record) != size:
                    raise RecordingError(f"{self._path}: ends in the middle of a frame")
                message = frame_pb2.Frame.FromString(record)
                if message.HasField("layout"):
                    layout = message.layout
                elif layout is None or layout.layout_version != message.layout_version:
                    raise RecordingError(
                        f"{self._path}: no layout of version {message.layout_version} before frame "
                        f"{message.step_index}"
                    )
                else:
                    message.layout.CopyFrom(layout)
                yield Frame(message)


def _encode_varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _decode_varint(file: BinaryIO) -> Optional[int]:
    """The next length; None at the end of the file."""
    value = 0
    for shift in range(0, 64, 7):
        byte = file.read(1)
        if not byte:
            if shift:
                raise RecordingError("ends in the middle of a length")
            return None
        value |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return value
    raise RecordingError("a length has more than 64 bits")
