"""Frames as numpy: read-only views of the received bytes, no copies.

All vectors are in the world frame, SI units; quaternions are w, x, y, z, world <- body. Rows follow the layout whose
version the frame carries, or, where bodies were selected, `Frame.rows`. A column that was not asked for has zero rows.
What was sent as floats or quantised is converted to doubles, which copies.
"""

from __future__ import annotations

import enum
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from talus.quantized import Poses
from talus.v1 import frame_pb2

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]

StepReport = frame_pb2.StepReport
Energy = frame_pb2.Energy


class Outcome(enum.IntEnum):
    """Why a solve ended; StepReport.outcome holds its number."""

    NONE = 0
    CONVERGED = 1
    SWEEP_LIMIT = 2
    STALLED = 3
    RAY = 4
    SINGULAR = 5
    TOO_LARGE = 6


class ContactMode(enum.IntFlag):
    """What a contact does; Contacts.modes holds its bits."""

    OPEN = 0
    CLOSED = 1
    SLIDING = 2
    ROLLING = 4
    SPINNING = 8


def _floats(column: bytes, width: int, single: bool = False) -> Floats:
    values: Floats = np.frombuffer(column, dtype="<f4").astype(np.float64) if single else np.frombuffer(column, "<f8")
    return values.reshape(-1, width) if width > 1 else values


def _indices(column: bytes) -> Indices:
    return np.frombuffer(column, dtype="<u4")


class Layout:
    """What the body rows of a frame mean."""

    __slots__ = ("message", "_rows")

    def __init__(self, message: frame_pb2.Layout) -> None:
        self.message = message
        self._rows: Optional[dict[str, int]] = None

    def __len__(self) -> int:
        return len(self.message.body_ids)

    @property
    def version(self) -> int:
        """Grows with every change of the rows."""
        return int(self.message.layout_version)

    @property
    def ids(self) -> npt.NDArray[np.uint64]:
        """(n,) body ids, increasing."""
        return np.array(self.message.body_ids, dtype=np.uint64)

    @property
    def names(self) -> list[str]:
        """Body names by row, empty when unnamed."""
        return list(self.message.body_names)

    @property
    def dynamic(self) -> Flags:
        """(n,) True where the body moves by forces."""
        kinds = np.array(self.message.body_kinds, dtype=np.int32)
        return np.asarray(kinds == frame_pb2.BODY_KIND_CODE_DYNAMIC)

    @property
    def sphere_radii(self) -> Floats:
        """(n,) radius of the first shape if that is a sphere, else 0; metres."""
        return np.array(self.message.sphere_radii_m, dtype=np.float64)

    def row(self, name: str) -> int:
        """Row of the body of that name; KeyError when there is none."""
        if self._rows is None:
            self._rows = {name: row for row, name in enumerate(self.message.body_names) if name}
        return self._rows[name]


class Contacts:
    """The m contacts of a step. The wrench is what body b receives; body a receives its opposite."""

    __slots__ = ("message", "_single")

    def __init__(self, message: Union[frame_pb2.ContactColumns, frame_pb2.FloatContactColumns]) -> None:
        self.message = message
        self._single = isinstance(message, frame_pb2.FloatContactColumns)

    def __len__(self) -> int:
        return len(self.message.gaps_m) // (4 if self._single else 8)

    @property
    def body_a_rows(self) -> Indices:
        """(m,) row of body a in the layout."""
        return _indices(self.message.body_a_rows)

    @property
    def body_b_rows(self) -> Indices:
        """(m,) row of body b in the layout."""
        return _indices(self.message.body_b_rows)

    @property
    def shape_a(self) -> Indices:
        """(m,) index of the shape on body a, after containers were expanded to boxes."""
        return _indices(self.message.shape_a)

    @property
    def shape_b(self) -> Indices:
        """(m,) index of the shape on body b."""
        return _indices(self.message.shape_b)

    @property
    def features(self) -> Indices:
        """(m,) persistent key of the contact within its shape pair."""
        return _indices(self.message.features)

    @property
    def modes(self) -> Indices:
        """(m,) ContactMode bits."""
        return _indices(self.message.modes)

    @property
    def points(self) -> Floats:
        """(m, 3) contact points, metres."""
        return _floats(self.message.points_world_m, 3, self._single)

    @property
    def normals(self) -> Floats:
        """(m, 3) unit normals from a to b."""
        return _floats(self.message.normals_world, 3, self._single)

    @property
    def gaps(self) -> Floats:
        """(m,) gaps at the start of the step, metres; negative when the bodies overlap."""
        return _floats(self.message.gaps_m, 1, self._single)

    @property
    def forces(self) -> Floats:
        """(m, 3) force on b, N."""
        return _floats(self.message.forces_world_n, 3, self._single)

    @property
    def torques(self) -> Floats:
        """(m, 3) torque on b about the contact point, N m."""
        return _floats(self.message.torques_world_n_m, 3, self._single)

    @property
    def wrenches(self) -> Floats:
        """(m, 6) in the contact frame: normal and two tangential N; spin and two rolling N m."""
        return _floats(self.message.wrenches_contact, 6, self._single)

    def with_mode(self, mode: ContactMode) -> Flags:
        """(m,) True where all bits of `mode` are set."""
        return np.asarray((self.modes & np.uint32(mode)) == np.uint32(mode))

    def structured(self) -> npt.NDArray[Any]:
        """A copy as one structured array, a record a contact."""
        columns: dict[str, npt.NDArray[Any]] = {
            name: getattr(self, name)
            for name in (
                *("body_a_rows", "body_b_rows", "shape_a", "shape_b", "features", "modes"),
                *("points", "normals", "gaps", "forces", "torques", "wrenches"),
            )
        }
        records = np.zeros(
            len(self), dtype=[(name, column.dtype, column.shape[1:]) for name, column in columns.items()]
        )
        for name, column in columns.items():
            records[name] = column
        return records


class Frame:
    """A moment of a scene."""

    __slots__ = ("message", "_poses")

    def __init__(self, message: frame_pb2.Frame, poses: Optional[Poses] = None) -> None:
        """`poses` are those of a message of the profile QUANTIZED, decoded in the order of its stream."""
        self.message = message
        self._poses = poses

    def __repr__(self) -> str:
        return f"Frame(step_index={self.step_index}, bodies={len(self)}, state_hash={self.state_hash:#018x})"

    def __len__(self) -> int:
        """Rows of the body columns received."""
        return max(len(self.positions), len(self.orientations), len(self.linear_velocities))

    def _column(self, name: str, width: int) -> Floats:
        if self.message.HasField("float_bodies"):
            return _floats(getattr(self.message.float_bodies, name), width, single=True)
        return _floats(getattr(self.message.bodies, name), width)

    def _decoded_poses(self) -> Optional[Poses]:
        if self._poses is None and self.message.HasField("quantized_bodies"):
            raise ValueError("a frame of the profile QUANTIZED is decoded by the watch it came from")
        return self._poses

    @property
    def step_index(self) -> int:
        """Index of the state, 0 before the first step."""
        return int(self.message.step_index)

    @property
    def time_s(self) -> float:
        """Simulated time, seconds."""
        return float(self.message.time_s)

    @property
    def state_hash(self) -> int:
        """Hash of the whole state, 64 bits."""
        return int(self.message.state_hash)

    @property
    def layout_version(self) -> int:
        """Version of the layout the rows follow."""
        return int(self.message.layout_version)

    @property
    def rows(self) -> Optional[Indices]:
        """(n,) the layout's row of each row of the columns, when bodies were selected; else None: they are the same."""
        return _indices(self.message.selected_rows.rows) if self.message.HasField("selected_rows") else None

    @property
    def positions(self) -> Floats:
        """(n, 3) centres of mass, metres."""
        poses = self._decoded_poses()
        return self._column("positions_world_m", 3) if poses is None else poses.positions

    @property
    def orientations(self) -> Floats:
        """(n, 4) unit quaternions w, x, y, z."""
        poses = self._decoded_poses()
        return self._column("orientations_wxyz", 4) if poses is None else poses.orientations

    @property
    def linear_velocities(self) -> Floats:
        """(n, 3) velocities of the centres of mass, m/s."""
        return self._column("linear_velocities_world_m_s", 3)

    @property
    def angular_velocities(self) -> Floats:
        """(n, 3) angular velocities, rad/s."""
        return self._column("angular_velocities_world_rad_s", 3)

    @property
    def contacts(self) -> Contacts:
        """Contacts of the step that led here; empty when not asked for."""
        if self.message.HasField("float_contacts"):
            return Contacts(self.message.float_contacts)
        return Contacts(self.message.contacts)

    @property
    def report(self) -> Optional[StepReport]:
        """Report of the step that led here, when asked for."""
        return self.message.report if self.message.HasField("report") else None

    @property
    def layout(self) -> Optional[Layout]:
        """The layout, when the frame carries it."""
        return Layout(self.message.layout) if self.message.HasField("layout") else None
