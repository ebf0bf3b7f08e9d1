"""Frames hand out read-only numpy views of the received bytes in the documented shapes."""

import numpy as np
import pytest
import talus
from talus.frames import Contacts, Frame, Layout
from talus.v1 import frame_pb2


def make_frame(n=5):
    values = np.arange(13.0 * n)
    bodies = frame_pb2.BodyColumns(
        positions_world_m=values[: 3 * n].tobytes(),
        orientations_wxyz=values[3 * n : 7 * n].tobytes(),
        linear_velocities_world_m_s=values[7 * n : 10 * n].tobytes(),
        angular_velocities_world_rad_s=values[10 * n :].tobytes(),
    )
    message = frame_pb2.Frame(step_index=4, time_s=0.02, layout_version=2, state_hash=2**64 - 1, bodies=bodies)
    return Frame(frame_pb2.Frame.FromString(message.SerializeToString()))


def make_contacts(m=4):
    indices = {
        name: (np.arange(m, dtype="<u4") + k).tobytes()
        for k, name in enumerate(["body_a_rows", "body_b_rows", "shape_a", "shape_b", "features", "modes"])
    }
    return Contacts(
        frame_pb2.ContactColumns(
            points_world_m=np.arange(3.0 * m).tobytes(),
            normals_world=np.ones(3 * m).tobytes(),
            gaps_m=(-np.arange(1.0 * m)).tobytes(),
            forces_world_n=np.arange(3.0 * m).tobytes(),
            torques_world_n_m=np.zeros(3 * m).tobytes(),
            wrenches_contact=np.arange(6.0 * m).tobytes(),
            **indices,
        )
    )


def test_body_columns_have_shapes_and_values():
    frame = make_frame(5)
    assert frame.positions.shape == (5, 3) and frame.orientations.shape == (5, 4)
    assert frame.linear_velocities.shape == (5, 3) and frame.angular_velocities.shape == (5, 3)
    assert frame.positions[1].tolist() == [3.0, 4.0, 5.0]
    assert frame.angular_velocities[-1, -1] == 64.0
    assert len(frame) == 5
    assert frame.state_hash == 2**64 - 1 and frame.step_index == 4 and frame.layout_version == 2


def test_views_are_read_only_and_share_the_bytes():
    frame = make_frame()
    column = frame.message.bodies.positions_world_m
    view = frame.positions
    assert not view.flags.writeable and not view.flags.owndata
    with pytest.raises(ValueError):
        view[0, 0] = 1.0
    assert np.frombuffer(column).tobytes() == view.tobytes()


def test_what_was_not_asked_for_is_empty():
    frame = Frame(frame_pb2.Frame())
    assert frame.positions.shape == (0, 3) and frame.orientations.shape == (0, 4)
    assert len(frame.contacts) == 0 and frame.contacts.wrenches.shape == (0, 6)
    assert frame.report is None and frame.layout is None and len(frame) == 0


def test_contacts():
    contacts = make_contacts(4)
    assert len(contacts) == 4
    assert contacts.points.shape == contacts.normals.shape == contacts.forces.shape == contacts.torques.shape == (4, 3)
    assert contacts.wrenches.shape == (4, 6) and contacts.gaps.shape == (4,)
    assert contacts.body_b_rows.tolist() == [1, 2, 3, 4] and contacts.body_b_rows.dtype == np.uint32
    assert contacts.modes.tolist() == [5, 6, 7, 8]
    assert contacts.with_mode(talus.ContactMode.CLOSED).tolist() == [True, False, True, False]
    rolling_closed = talus.ContactMode.CLOSED | talus.ContactMode.ROLLING
    assert contacts.with_mode(rolling_closed).tolist() == [True, False, True, False]
    assert not contacts.forces.flags.writeable


def test_structured_contacts_are_a_copy():
    contacts = make_contacts(3)
    records = contacts.structured()
    assert records.shape == (3,) and records["wrenches"].shape == (3, 6)
    assert records["points"].tolist() == contacts.points.tolist()
    records["gaps"][0] = 1.0  # writable


def test_a_column_of_wrong_length_is_an_error():
    frame = Frame(frame_pb2.Frame(bodies=frame_pb2.BodyColumns(positions_world_m=bytes(8 * 4))))
    with pytest.raises(ValueError):
        frame.positions


def test_layout():
    layout = Layout(
        frame_pb2.Layout(
            layout_version=3,
            body_ids=[1, 2, 2**63],
            body_names=["floor", "", "ball"],
            body_kinds=[frame_pb2.BODY_KIND_CODE_STATIC, frame_pb2.BODY_KIND_CODE_DYNAMIC, 3],
            sphere_radii_m=[0.0, 0.1, 0.2],
        )
    )
    assert len(layout) == 3 and layout.version == 3
    assert layout.ids.tolist() == [1, 2, 2**63]
    assert layout.dynamic.tolist() == [False, True, False]
    assert layout.row("ball") == 2 and layout.sphere_radii.tolist() == [0.0, 0.1, 0.2]
    with pytest.raises(KeyError):
        layout.row("")
