"""Recorded frames come back as they were written, and damaged files are refused."""

import numpy as np
import pytest
import talus
from talus.frames import Frame, Layout
from talus.v1 import frame_pb2


def layout(version):
    return Layout(frame_pb2.Layout(layout_version=version, body_ids=range(1, version + 1)))


def frame(index, version, with_layout=False):
    message = frame_pb2.Frame(step_index=index, layout_version=version)
    message.bodies.positions_world_m = np.full(300, float(index)).tobytes()
    if with_layout:
        message.layout.CopyFrom(layout(version).message)
    return Frame(message)


def test_round_trip(tmp_path):
    path = tmp_path / "frames.binpb"
    with talus.FrameWriter(path) as writer:
        writer.write(frame(1, 1, with_layout=True))
        writer.write(frame(2, 1))
        writer.write(frame(3, 2), layout(2))
        writer.write(frame(4, 2), layout(2))
        assert writer.count == 4
    frames = list(talus.FrameReader(path))
    assert [f.step_index for f in frames] == [1, 2, 3, 4]
    assert [f.layout.version for f in frames] == [1, 1, 2, 2]
    assert frames[2].positions.tolist() == frame(3, 2).positions.tolist()


def test_layout_is_stored_only_when_it_changes(tmp_path):
    path = tmp_path / "frames.binpb"
    with talus.FrameWriter(path) as writer:
        for index in range(3):
            writer.write(frame(index, 5), layout(5))
    data = path.read_bytes()
    one = frame(0, 5).message.ByteSize()
    assert len(data) < 3 * one + layout(5).message.ByteSize() + 20


def test_a_frame_without_its_layout_is_refused(tmp_path):
    with talus.FrameWriter(tmp_path / "frames.binpb") as writer:
        with pytest.raises(ValueError, match="layout version 2"):
            writer.write(frame(1, 2), layout(1))
        with pytest.raises(ValueError):
            writer.write(frame(1, 2))


def test_damaged_files_are_refused(tmp_path):
    path = tmp_path / "frames.binpb"
    with talus.FrameWriter(path) as writer:
        writer.write(frame(1, 1, with_layout=True))
    data = path.read_bytes()
    for damaged in (data[:-1], data + b"\x80", b"\xff" * 11):
        path.write_bytes(damaged)
        with pytest.raises(talus.RecordingError):
            list(talus.FrameReader(path))


def test_missing_layout_is_refused_on_reading(tmp_path):
    path = tmp_path / "frames.binpb"
    record = frame(1, 1).message.SerializeToString()
    path.write_bytes(bytes([len(record) & 127 | 128, len(record) >> 7]) + record)
    with pytest.raises(talus.RecordingError, match="no layout"):
        list(talus.FrameReader(path))


def test_empty_file_has_no_frames(tmp_path):
    path = tmp_path / "frames.binpb"
    path.write_bytes(b"")
    assert list(talus.FrameReader(path)) == []


def test_a_layout_the_file_has_is_not_written_again(tmp_path):
    path = tmp_path / "frames.binpb"
    with talus.FrameWriter(path) as writer:
        for index in range(3):
            written = frame(index, 5, with_layout=True)
            writer.write(written)
            assert written.layout is not None  # the caller's frame stays as it is
    one = frame(0, 5).message.ByteSize()
    assert len(path.read_bytes()) < 3 * one + layout(5).message.ByteSize() + 20
