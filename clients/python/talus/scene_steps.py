"""The methods of a Scene that make time pass: a part of talus.client.Scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Union

from talus import calls, stepping
from talus.actuators import Actuator
from talus.calls import SceneInfo, StepResult
from talus.control import Control
from talus.pending import Pending
from talus.v1.simulation_service_pb2 import StepRequest
from talus.watching import Body

if TYPE_CHECKING:
    from talus.client import Client

_PARTS = ("positions", "orientations", "velocities", "contacts", "report", "layout")


class SceneSteps:
    """Steps, runs and controls one scene."""

    client: "Client"
    name: str
    lease: str

    def step(
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
        """Makes `count` steps and answers once they are done, with the chosen parts of the final state.

        With `expected_step_index` a scene at any other index is an error; with `request_id` a repeat returns the first
        answer and steps no further. With `keep_problem` "unconverged" or "always" the last such step keeps its contact
        problem for step_problem(). `values` are those of all `actuators` (talus.actuators) one after the other. With `bodies`, ids
        or names, the frame has their rows only (Frame.rows), and the contacts that touch one of them. After
        `timeout` seconds the scene stays valid at the step it reached.
        """
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
        return self.client.run(stepping.step(request), timeout, lease=self.lease)

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

    def step_until(
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
        """Steps until the first of: simulated time `time_s`; all bodies at rest for `at_rest_for` simulated seconds, no
        faster than `rest_speed` [0.001 m/s] and `rest_angular_speed` [0.01 rad/s]; `contact` of a body with any other, or
        of two. After `most_steps` [the server's limit] it ends with stop_reason "step_count". `keep_problem`, `bodies`
        and `parts` as in step()."""
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
        return self.client.run(call, timeout, lease=self.lease)

    def run(
        self,
        real_time_factor: Optional[float] = None,
        *,
        step_limit: int = 0,
        keep_problem: str = "never",
        timeout: Optional[float] = None,
    ) -> SceneInfo:
        """Lets the scene step on its own, as fast as it can or at so many simulated seconds a second, until pause() or
        `step_limit` steps. `keep_problem` as in step()."""
        call = stepping.run(self.name, real_time_factor, step_limit, keep_problem)
        return self.client.run(call, timeout, self.lease)

    def pause(self, *, timeout: Optional[float] = None) -> SceneInfo:
        """Stops a scene that steps on its own, after the step it is at."""
        return self.client.run(stepping.pause(self.name), timeout, self.lease)

    def reset(self, *scopes: str, timeout: Optional[float] = None) -> SceneInfo:
        """Back to how it was made: "all" (none given), or parts of it: "time", "state", "spawned"."""
        return self.client.run(stepping.reset(self.name, scopes), timeout, self.lease)

    def control(
        self, actuators: Iterable[Actuator] = (), *, timeout: Optional[float] = None, **options: Any
    ) -> Control:
        """Takes the lease on the scene and steps it in lock-step; `timeout` bounds the whole stream.

        Options: holder, a name for those who are refused; take_over the lease of another; which state the answers carry:
        positions, orientations, velocities [True], contacts, report [False]; max_wait [60 s] between requests before the
        lease is lost. With real_time=True the server's clock ticks each `period` seconds [the steps of a tick], with
        steps_per_tick [1], on_miss "hold", "zero" or "fail", most_misses in a row [1000].
        keep_problem and bodies as in step().
        """
        return self.client.open_control(stepping.control_open(self.name, actuators, **options), timeout)
