"""The methods of a Scene that make time pass: a part of talus.aio.Scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Union

from talus import calls, stepping
from talus.actuators import Actuator
from talus.calls import SceneInfo, StepResult
from talus.aio_control import Control
from talus.aio_streams import Pending
from talus.v1.simulation_service_pb2 import StepRequest
from talus.watching import Body

if TYPE_CHECKING:
    from talus.aio import Client

_PARTS = ("positions", "orientations", "velocities", "contacts", "report", "layout")


class SceneSteps:
    """Steps, runs and controls one scene."""

    client: "Client"
    name: str
    lease: str

    async def step(
        self,
        count: int = 1,
        *,
        positions: bool = False,
        orientations: bool = False,
        velocities: bool = False,
        contacts: bool = False,
        report: bool = True,
        layout: bool = False,
        expected_step_index: Optional[int] = None,
        request_id: str = "",
        residual_history: bool = False,
        keep_problem: str = "never",
        actuators: Iterable[Actuator] = (),
        values: Iterable[float] = (),
        bodies: Iterable[Body] = (),
        timeout: Optional[float] = None,
    ) -> StepResult:
        """As talus.scene_steps.SceneSteps.step."""
        request = stepping.step_request(
            self.name,
            count,
            calls.select(positions, orientations, velocities, contacts, report, layout),
            expected_step_index=expected_step_index,
            request_id=request_id,
            residual_history=residual_history,
            keep_problem=keep_problem,
            actuators=actuators,
            values=values,
            bodies=bodies,
        )
        return await self.client.run(stepping.step(request), timeout, lease=self.lease)

    def step_request(self, count: int = 1, **options: Any) -> StepRequest:
        """One step of a Client.batch_step(); options as in step(), but for the timeout. TypeError: another option."""
        parts = {name: options.pop(name) for name in list(options) if name in _PARTS}
        return stepping.step_request(self.name, count, calls.select(**{"report": True, **parts}), **options)

    def submit_step(
        self, count: int = 1, *, timeout: Optional[float] = None, **options: Any
    ) -> Pending[StepResult]:
        """Starts a step without waiting; options as in step()."""
        call = stepping.step(self.step_request(count, **options))
        return self.client.submit(call, timeout, lease=self.lease)

    async def step_until(
        self,
        *,
        time_s: Optional[float] = None,
        at_rest_for: Optional[float] = None,
        rest_speed: Optional[float] = None,
        rest_angular_speed: Optional[float] = None,
        contact: Union[str, Sequence[str], None] = None,
        most_steps: int = 0,
        keep_problem: str = "never",
        actuators: Iterable[Actuator] = (),
        values: Iterable[float] = (),
        bodies: Iterable[Body] = (),
        timeout: Optional[float] = None,
        **parts: bool,
    ) -> stepping.StepUntilResult:
        """As talus.scene_steps.SceneSteps.step_until."""
        call = stepping.step_until(
            self.name,
            calls.select(**{"report": True, **parts}),
            time_s=time_s,
            at_rest_for=at_rest_for,
            rest_speed=rest_speed,
            rest_angular_speed=rest_angular_speed,
            contact=contact,
            most_steps=most_steps,
            keep_problem=keep_problem,
            actuators=actuators,
            values=values,
            bodies=bodies,
        )
        return await self.client.run(call, timeout, lease=self.lease)

    async def run(
        self,
        real_time_factor: Optional[float] = None,
        *,
        step_limit: int = 0,
        keep_problem: str = "never",
        timeout: Optional[float] = None,
    ) -> SceneInfo:
        """As talus.scene_steps.SceneSteps.run."""
        call = stepping.run(self.name, real_time_factor, step_limit, keep_problem)
        return await self.client.run(call, timeout, self.lease)

    async def pause(self, *, timeout: Optional[float] = None) -> SceneInfo:
        """As talus.scene_steps.SceneSteps.pause."""
        return await self.client.run(stepping.pause(self.name), timeout, self.lease)

    async def reset(self, *scopes: str, timeout: Optional[float] = None) -> SceneInfo:
        """As talus.scene_steps.SceneSteps.reset."""
        return await self.client.run(stepping.reset(self.name, scopes), timeout, self.lease)

    async def control(
        self, actuators: Iterable[Actuator] = (), *, timeout: Optional[float] = None, **options: Any
    ) -> Control:
        """As talus.scene_steps.SceneSteps.control."""
        return await self.client.open_control(stepping.control_open(self.name, actuators, **options), timeout)
