"""What the calls that make time pass send and how their answers are read, free of any transport."""

from __future__ import annotations

from typing import Callable, Iterable, Optional, Sequence, TypeVar, Union

from talus import methods
from talus.actuators import Actuator
from talus.calls import Call, SceneInfo, StepResult, select
from talus.choices import choose
from talus.methods import Method, Request, Response
from talus.errors import Code, TalusError, make_error
from talus.frames import Frame, Layout
from talus.v1 import contact_problem_pb2, control_pb2, error_pb2, frame_pb2, simulation_service_pb2
from talus.watching import Body, select_bodies

CAPTURES = {
    "never": contact_problem_pb2.PROBLEM_CAPTURE_NEVER,
    "unconverged": contact_problem_pb2.PROBLEM_CAPTURE_UNCONVERGED,
    "always": contact_problem_pb2.PROBLEM_CAPTURE_ALWAYS,
}
SCOPES = {
    "all": simulation_service_pb2.RESET_SCOPE_ALL,
    "time": simulation_service_pb2.RESET_SCOPE_TIME,
    "state": simulation_service_pb2.RESET_SCOPE_STATE,
    "spawned": simulation_service_pb2.RESET_SCOPE_SPAWNED,
}
STOP_REASONS = {
    simulation_service_pb2.STOP_REASON_STEP_COUNT: "step_count",
    simulation_service_pb2.STOP_REASON_TIME: "time",
    simulation_service_pb2.STOP_REASON_REST: "rest",
    simulation_service_pb2.STOP_REASON_CONTACT: "contact",
}
MISS_POLICIES = {
    "hold": control_pb2.MISS_POLICY_HOLD_LAST,
    "zero": control_pb2.MISS_POLICY_ZERO,
    "fail": control_pb2.MISS_POLICY_FAIL,
}

LEASE_KEY = "talus-lease"
"""The metadata that carries the token of a lease."""


T = TypeVar("T")


def _call(method: Method[Request, Response], request: Request, decode: Callable[[Response], T]) -> Call[T]:
    return Call(method, request, decode)


def lease_metadata(lease: str) -> Optional[tuple[tuple[str, str], ...]]:
    """What a call under a lease carries; None without one."""
    return ((LEASE_KEY, lease),) if lease else None


class StepUntilResult(StepResult):
    """The answer to StepUntil."""

    __slots__ = ("stop_reason",)

    def __init__(self, response: simulation_service_pb2.StepUntilResponse) -> None:
        super().__init__(response.step)
        self.stop_reason = STOP_REASONS.get(response.stop_reason, "")
        """What ended it: "time", "rest", "contact", or "step_count" when none of them came."""


class ControlState:
    """The answer to one request of a Control stream."""

    __slots__ = ("frame", "steps_done", "worst_residual", "unconverged_steps", "tick", "missed", "lateness_s")

    def __init__(self, message: control_pb2.ControlStepped) -> None:
        self.frame = Frame(message.frame)
        self.steps_done = int(message.steps_done)
        self.worst_residual = float(message.worst_residual)
        self.unconverged_steps = int(message.unconverged_steps)
        self.tick = int(message.tick)
        self.missed = int(message.missed)
        self.lateness_s = float(message.lateness_s)


def _capture(keep_problem: str) -> contact_problem_pb2.ProblemCapture:
    return choose("keep_problem", keep_problem, CAPTURES)


def step_request(
    scene: str,
    count: int,
    selection: frame_pb2.FrameSelection,
    *,
    expected_step_index: Optional[int] = None,
    request_id: str = "",
    residual_history: bool = False,
    keep_problem: str = "never",
    actuators: Iterable[Actuator] = (),
    values: Iterable[float] = (),
    bodies: Iterable[Body] = (),
) -> simulation_service_pb2.StepRequest:
    """Empty `bodies`: all. ValueError: keep_problem is not one of never, unconverged, always."""
    return simulation_service_pb2.StepRequest(
        scene=scene,
        step_count=count,
        expected_step_index=expected_step_index,
        request_id=request_id,
        selection=selection,
        residual_history=residual_history,
        problem_capture=_capture(keep_problem),
        actuators=actuators,
        values=values,
        bodies=select_bodies(bodies) if bodies else None,
    )


def step(request: simulation_service_pb2.StepRequest) -> Call[StepResult]:
    """Step."""
    return _call(methods.STEP, request, StepResult)


def step_until(
    scene: str,
    selection: frame_pb2.FrameSelection,
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
) -> Call[StepUntilResult]:
    """StepUntil. ValueError: `contact` names more than two bodies, or keep_problem as of step_request."""
    until = simulation_service_pb2.StopCondition(time_s=time_s)
    if at_rest_for is not None or rest_speed is not None or rest_angular_speed is not None:
        until.rest.CopyFrom(
            simulation_service_pb2.RestCondition(
                speed_m_s=rest_speed, angular_speed_rad_s=rest_angular_speed, for_s=at_rest_for
            )
        )
    if contact is not None:
        names = [contact] if isinstance(contact, str) else list(contact)
        if not 1 <= len(names) <= 2:
            raise ValueError(f"contact names {len(names)} bodies, must name one or two")
        until.contact.body_a = names[0]
        until.contact.body_b = names[1] if len(names) > 1 else ""
    request = simulation_service_pb2.StepUntilRequest(
        scene=scene,
        until=until,
        step_count=most_steps,
        selection=selection,
        problem_capture=_capture(keep_problem),
        actuators=actuators,
        values=values,
        bodies=select_bodies(bodies) if bodies else None,
    )
    return _call(methods.STEP_UNTIL, request, StepUntilResult)


def batch_step(
    requests: Iterable[simulation_service_pb2.StepRequest],
) -> Call[list[Union[StepResult, TalusError]]]:
    """BatchStep; answers in the order of the requests, failures as the exceptions they would raise alone."""
    request = simulation_service_pb2.BatchStepRequest(steps=requests)
    return _call(methods.BATCH_STEP, request, lambda response: [_batch_result(one) for one in response.results])


def _batch_result(result: simulation_service_pb2.BatchStepResult) -> Union[StepResult, TalusError]:
    return StepResult(result.step) if result.HasField("step") else error_of(result.error)


def error_of(error: error_pb2.ErrorStatus) -> TalusError:
    """The exception for a failure inside an answer."""
    return make_error(Code(error.code), error.message, error.detail)


def run(
    scene: str, real_time_factor: Optional[float], step_limit: int, keep_problem: str
) -> Call[SceneInfo]:
    """Run. ValueError: keep_problem as of step_request."""
    request = simulation_service_pb2.RunRequest(
        scene=scene,
        real_time_factor=real_time_factor,
        step_limit=step_limit,
        problem_capture=_capture(keep_problem),
    )
    return _call(methods.RUN, request, lambda response: response.scene)


def pause(scene: str) -> Call[SceneInfo]:
    """Pause."""
    return _call(methods.PAUSE, simulation_service_pb2.PauseRequest(scene=scene), lambda response: response.scene)


def reset(scene: str, scopes: Sequence[str]) -> Call[SceneInfo]:
    """ResetScene. ValueError: a scope is not one of all, time, state, spawned."""
    request = simulation_service_pb2.ResetSceneRequest(
        scene=scene, scopes=[choose("scope", scope, SCOPES) for scope in scopes]
    )
    return _call(methods.RESET_SCENE, request, lambda response: response.scene)


def control_open(
    scene: str,
    actuators: Iterable[Actuator],
    *,
    holder: str = "",
    take_over: bool = False,
    positions: bool = True,
    orientations: bool = True,
    velocities: bool = True,
    contacts: bool = False,
    report: bool = False,
    max_wait: Optional[float] = None,
    real_time: bool = False,
    period: Optional[float] = None,
    steps_per_tick: Optional[int] = None,
    on_miss: str = "hold",
    most_misses: Optional[int] = None,
    keep_problem: str = "never",
    bodies: Iterable[Body] = (),
) -> control_pb2.ControlRequest:
    """The first request of a Control stream. ValueError: on_miss is not one of hold, zero, fail, or keep_problem as of
    step_request."""
    pacing = control_pb2.CONTROL_PACING_REAL_TIME if real_time else control_pb2.CONTROL_PACING_LOCKED
    return control_pb2.ControlRequest(
        open=control_pb2.ControlOpen(
            scene=scene,
            holder=holder,
            take_over=take_over,
            actuators=actuators,
            selection=select(positions, orientations, velocities, contacts, report),
            pacing=pacing,
            max_wait_s=max_wait,
            period_s=period,
            steps_per_tick=steps_per_tick,
            miss_policy=choose("on_miss", on_miss, MISS_POLICIES),
            most_misses=most_misses,
            problem_capture=_capture(keep_problem),
            bodies=select_bodies(bodies) if bodies else None,
        )
    )


def control_step(
    values: Iterable[float], count: int, expected_step_index: Optional[int], timeout: Optional[float]
) -> control_pb2.ControlRequest:
    """Any later one."""
    return control_pb2.ControlRequest(
        step=control_pb2.ControlStep(
            values=values, step_count=count, expected_step_index=expected_step_index, timeout_s=timeout
        )
    )


class ControlOpening:
    """What the server said when it opened a Control stream."""

    def __init__(self, message: control_pb2.ControlOpened) -> None:
        self.step_index = int(message.step_index)
        self.time_step_s = float(message.time_step_s)
        self.lease = str(message.lease)
        self.value_count = int(message.value_count)
        self.pipeline_depth = int(message.pipeline_depth)
        self.period_s = float(message.period_s)
        self.layout = Layout(message.layout)
