"""The methods of a Scene that look at it and change nothing: a part of talus.client.Scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Optional, Sequence, Union

import numpy.typing as npt

from talus import calls
from talus.calls import Diagnostics, JointState, SceneInfo
from talus.frames import Contacts, Energy, Frame, Layout
from talus.listing import PAGE_SIZE, BodyList, JointList, list_bodies, list_joints
from talus.pending import EventWatch, Watch
from talus.problems import StepProblem
from talus.rays import RayHits
from talus.watching import Body, WatchOptions

if TYPE_CHECKING:
    from talus.client import Client


class SceneQueries:
    """Queries and watches one scene."""

    client: "Client"
    name: str

    def info(self, *, timeout: Optional[float] = None) -> SceneInfo:
        """Step index, counts, settings, state hash, fault."""
        return self.client.run(calls.get_scene(self.name), timeout)

    def state(
        self,
        *,
        positions: bool = True,
        orientations: bool = True,
        velocities: bool = True,
        contacts: bool = False,
        report: bool = False,
        layout: bool = False,
        bodies: Iterable[Body] = (),
        timeout: Optional[float] = None,
    ) -> Frame:
        """The state now, as selected; with `bodies`, ids or names, of those only."""
        selection = calls.select(positions, orientations, velocities, contacts, report, layout)
        return self.client.run(calls.get_state(self.name, selection, bodies), timeout)

    def contacts(self, *, timeout: Optional[float] = None) -> Contacts:
        """The contacts of the last step with full wrench and mode."""
        return self.client.run(calls.get_contacts(self.name), timeout)

    def joints(self, *, timeout: Optional[float] = None) -> list[JointState]:
        """The joints by id: where they stand, and what they carried in the last step."""
        return self.client.run(calls.get_joints(self.name), timeout)

    def body_specs(self, page_size: int = PAGE_SIZE, *, timeout: Optional[float] = None) -> BodyList:
        """All bodies as they are now, those of emitters too, as add_bodies() takes them; `timeout` is that of each page."""
        bodies = BodyList()
        token = bodies.take(self.client.run(list_bodies(self.name, "", page_size), timeout))
        while token:
            token = bodies.take(self.client.run(list_bodies(self.name, token, page_size), timeout))
        return bodies

    def joint_specs(self, page_size: int = PAGE_SIZE, *, timeout: Optional[float] = None) -> JointList:
        """All joints as add_joints() takes them; `timeout` is that of each page."""
        joints = JointList()
        token = joints.take(self.client.run(list_joints(self.name, "", page_size), timeout))
        while token:
            token = joints.take(self.client.run(list_joints(self.name, token, page_size), timeout))
        return joints

    def energy(self, *, timeout: Optional[float] = None) -> Energy:
        """The energies of the dynamic bodies."""
        return self.client.run(calls.get_energy(self.name), timeout)

    def diagnostics(self, *, timeout: Optional[float] = None) -> Diagnostics:
        """The last step's report, and how busy the scene is."""
        return self.client.run(calls.get_diagnostics(self.name), timeout)

    def step_problem(self, *, timeout: Optional[float] = None) -> StepProblem:
        """The contact problem that a step was asked to keep. NotFoundError: none was."""
        return self.client.run(calls.get_step_problem(self.name), timeout)

    def cast_rays(
        self,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        max_distance: Optional[Union[float, npt.ArrayLike]] = None,
        *,
        ignored_bodies: Iterable[int] = (),
        timeout: Optional[float] = None,
    ) -> RayHits:
        """What n rays hit first now: from `origins` (3,) or (n, 3), world frame, metres, along `directions` (n, 3) of any
        length but 0. `max_distance`, one or (n,), is how far they reach, metres [any]; `ignored_bodies` are ids of bodies
        that they pass through. At most 10 000 rays. From inside a body the distance is 0."""
        call = calls.cast_rays(self.name, origins, directions, max_distance, ignored_bodies)
        return self.client.run(call, timeout)

    def layout(self, *, timeout: Optional[float] = None) -> Layout:
        """Row -> body."""
        return self.client.run(calls.get_layout(self.name), timeout)

    def watch(
        self,
        *,
        rate_hz: Optional[float] = None,
        every_n_steps: Optional[int] = None,
        positions: bool = True,
        orientations: bool = True,
        velocities: bool = False,
        contacts: bool = False,
        report: bool = False,
        frame_limit: int = 0,
        options: Optional[WatchOptions] = None,
        timeout: Optional[float] = None,
    ) -> Watch:
        """Frames as the scene moves, at most `rate_hz` a second or every n-th step; every step by default."""
        selection = calls.select(positions, orientations, velocities, contacts, report)
        call = calls.watch(self.name, rate_hz, every_n_steps, selection, frame_limit, options)
        return self.client.watch(call, timeout)

    def watch_events(
        self,
        kinds: Iterable[int] = (),
        *,
        bodies: Sequence[Body] = (),
        queue_events: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> EventWatch:
        """What happens in the scene and to it: `kinds` of EventKind [all], of these bodies by id or name [all]."""
        return EventWatch(self.client.stream(calls.watch_events(self.name, kinds, bodies, queue_events), timeout))
