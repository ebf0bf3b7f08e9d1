"""Frames of the profiles F32 and QUANTIZED become doubles within the stated bounds."""

import numpy as np
import pytest
from talus.frames import Frame
from talus.quantized import QuantizedDecoder
from talus.v1 import frame_pb2

STEP = 1e-3


def grid(positions, dtype):
    return np.rint(np.asarray(positions) / STEP).astype(dtype)


def key_message(positions, moment=1):
    return frame_pb2.QuantizedBodies(
        key_moment=moment, key_frame=True, position_step_m=STEP, key_positions=grid(positions, "<i4").tobytes()
    )


def delta_message(positions, key, moment=1):
    deltas = (grid(positions, "i8") - grid(key, "i8")).astype("<i2")
    changed = np.any(deltas != 0, axis=1)
    return frame_pb2.QuantizedBodies(
        key_moment=moment,
        position_step_m=STEP,
        position_deltas=deltas[changed].tobytes(),
        changed_rows=np.packbits(changed, bitorder="little").tobytes(),
    )


def encode_orientation(quaternion):
    """As frame.proto tells it."""
    largest = int(np.argmax(np.abs(quaternion)))
    quaternion = np.asarray(quaternion) * np.sign(quaternion[largest])
    words = [round((c * np.sqrt(2) + 1) / 2 * 32767) for i, c in enumerate(quaternion) if i != largest]
    words[0] |= (largest & 1) << 15
    words[1] |= (largest >> 1) << 15
    return np.array(words, dtype="<u2").tobytes()


def test_positions_follow_their_key_frame():
    random = np.random.default_rng(3)
    key = random.uniform(-100, 100, (50, 3))
    decoder = QuantizedDecoder()
    assert np.abs(decoder.decode(key_message(key)).positions - key).max() <= STEP / 2 + 1e-12
    for _ in range(3):
        moved = key + random.uniform(-30, 30, key.shape)
        decoded = decoder.decode(delta_message(moved, key)).positions
        assert np.abs(decoded - moved).max() <= STEP / 2 + 1e-12
    # The next key frame takes its place.
    decoder.decode(key_message(moved, moment=7))
    assert decoder.decode(delta_message(moved, moved, moment=7)).positions.shape == (50, 3)


def test_only_changed_rows_are_told():
    key = np.arange(33.0).reshape(11, 3)
    upright = encode_orientation([1, 0, 0, 0])
    decoder = QuantizedDecoder()
    first = key_message(key)
    first.orientations = 11 * upright
    first.wide_rows.append(4)
    first.wide_positions_world_m.extend([1e12, 0.0, 0.0])
    decoder.decode(first).positions[:] = 0.0  # the decoder keeps its own
    moved = key.copy()
    moved[9] += 0.25
    message = delta_message(moved, key)
    message.orientations = encode_orientation([0, 0, 1, 0])
    poses = decoder.decode(message)
    moved[4] = [1e12, 0.0, 0.0]
    assert np.abs(poses.positions - moved).max() <= STEP / 2 + 1e-12
    assert poses.orientations[9] == pytest.approx([0, 0, 1, 0], abs=1e-4)
    assert poses.orientations[8] == pytest.approx([1, 0, 0, 0], abs=1e-4)
    still = delta_message(key, key)
    assert still.position_deltas == b""
    assert decoder.decode(still).positions[9].tolist() == pytest.approx(key[9].tolist())


def test_rows_that_do_not_fit_are_refused():
    decoder = QuantizedDecoder()
    decoder.decode(key_message([[0, 0, 0]] * 3))
    message = delta_message([[1, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0]] * 3)
    for bits, refused in ((b"", "3 rows"), (b"\x03", "2 changed"), (b"\x00", "0 changed"), (b"\x08", "row 3")):
        message.changed_rows = bits
        with pytest.raises(ValueError, match=refused):
            decoder.decode(message)


def test_a_key_frame_that_does_not_fit_is_refused_and_the_last_one_kept():
    decoder = QuantizedDecoder()
    decoder.decode(key_message([[1, 2, 3]]))
    broken = key_message([[0, 0, 0]] * 2, moment=2)
    broken.orientations = encode_orientation([1, 0, 0, 0])
    with pytest.raises(ValueError, match="2 rows of positions, 1 of orientations"):
        decoder.decode(broken)
    assert decoder.decode(delta_message([[1, 2, 3]], [[1, 2, 3]])).positions.tolist() == [[1, 2, 3]]


def test_rows_told_in_full():
    message = key_message([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    message.wide_rows.append(1)
    message.wide_positions_world_m.extend([1e12, -5.25, 0.1])
    assert QuantizedDecoder().decode(message).positions[1].tolist() == [1e12, -5.25, 0.1]
    message.wide_rows[0] = 2
    with pytest.raises(ValueError, match="row 2"):
        QuantizedDecoder().decode(message)
    message.wide_rows[0] = 1
    del message.wide_positions_world_m[2]
    with pytest.raises(ValueError):
        QuantizedDecoder().decode(message)


def test_orientations_are_unit_and_near():
    random = np.random.default_rng(5)
    quaternions = random.normal(size=(500, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
    quaternions[:5] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1], [0.5, -0.5, 0.5, -0.5]]
    message = frame_pb2.QuantizedBodies(key_frame=True, orientations=b"".join(map(encode_orientation, quaternions)))
    decoded = QuantizedDecoder().decode(message).orientations
    assert np.allclose(np.linalg.norm(decoded, axis=1), 1.0, atol=1e-12)
    signs = np.sign(np.sum(decoded * quaternions, axis=1))
    chords = np.linalg.norm(decoded - signs[:, None] * quaternions, axis=1)
    angles = 4 * np.arcsin(chords / 2)
    assert 1e-5 < angles.max() <= 2e-4


def test_a_foreign_key_frame_is_refused():
    decoder = QuantizedDecoder()
    with pytest.raises(ValueError, match="key frame 1"):
        decoder.decode(delta_message([[0, 0, 0]], [[0, 0, 0]]))
    decoder.decode(key_message([[0, 0, 0]], moment=4))
    with pytest.raises(ValueError):
        decoder.decode(delta_message([[0, 0, 0]], [[0, 0, 0]], moment=3))
    with pytest.raises(ValueError, match="rows"):
        decoder.decode(delta_message([[0, 0, 0]] * 9, [[0, 0, 0]] * 9, moment=4))


def test_a_quantised_frame_needs_its_stream():
    with pytest.raises(ValueError, match="watch"):
        Frame(frame_pb2.Frame(quantized_bodies=key_message([[0, 0, 0]]))).positions


def test_floats_become_doubles():
    columns = frame_pb2.FloatBodyColumns(
        positions_world_m=np.array([0.1, 2, 3], dtype="<f4").tobytes(),
        linear_velocities_world_m_s=np.array([1, 2, 0.3], dtype="<f4").tobytes(),
    )
    contacts = frame_pb2.FloatContactColumns(
        body_a_rows=np.array([3], dtype="<u4").tobytes(), gaps_m=np.array([-0.25], dtype="<f4").tobytes()
    )
    frame = Frame(
        frame_pb2.Frame(
            float_bodies=columns,
            float_contacts=contacts,
            selected_rows=frame_pb2.RowColumns(rows=np.array([9], dtype="<u4").tobytes()),
        )
    )
    assert frame.positions.dtype == np.float64 and frame.positions[0, 0] == np.float32(0.1)
    assert frame.linear_velocities[0, 2] == np.float32(0.3) and frame.orientations.shape == (0, 4)
    assert len(frame) == 1 and len(frame.contacts) == 1
    assert frame.contacts.gaps.tolist() == [-0.25] and frame.contacts.body_a_rows.tolist() == [3]
    assert frame.rows.tolist() == [9]
    assert Frame(frame_pb2.Frame()).rows is None
