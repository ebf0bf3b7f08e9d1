"""Requests of StreamService, and the events it sends."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Iterable, Optional, Sequence, Union

from talus.choices import choose
from talus.v1 import frame_pb2, stream_service_pb2

Body = Union[int, str]
"""A body by its id or its name."""

_POLICIES = {
    "latest": stream_service_pb2.SLOW_WATCHER_POLICY_LATEST,
    "buffer": stream_service_pb2.SLOW_WATCHER_POLICY_BUFFER,
    "block": stream_service_pb2.SLOW_WATCHER_POLICY_BLOCK,
    "disconnect": stream_service_pb2.SLOW_WATCHER_POLICY_DISCONNECT,
}
_PROFILES = {
    "f64": frame_pb2.ENCODING_PROFILE_F64,
    "f32": frame_pb2.ENCODING_PROFILE_F32,
    "quantized": frame_pb2.ENCODING_PROFILE_QUANTIZED,
}


class EventKind(enum.IntEnum):
    """What can happen to a scene and in it."""

    CONTACT_BEGIN = 1
    CONTACT_END = 2
    BODIES_ADDED = 3
    BODIES_REMOVED = 4
    SCENE_RESTORED = 5
    SCENE_FAULTED = 6
    SCENE_DELETED = 7
    SCENE_DRAINING = 8
    DEADLINE_MISSED = 9
    LEASE_LOST = 10
    WATCHER_DROPPED = 11
    SCENE_EVICTED = 12
    SCENE_RETURNED = 13


_KNOWN_KINDS = frozenset(int(kind) for kind in EventKind)


@dataclass(frozen=True)
class Event:
    """Something that happened."""

    kind: int
    """An EventKind; a number without a name comes from a newer server."""
    sequence: int
    """Grows with every event of the scene."""
    step_index: int
    """Index of the state it led to."""
    bodies: tuple[int, ...] = ()
    """Ids of the bodies that were added or removed."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Ids of the bodies in contact, the lower first."""
    text: str = ""
    """The fault, the policy of a dropped watcher, the owner of a lost lease."""
    lateness_s: float = 0.0
    """Of a missed deadline."""
    lost_before: int = 0
    """Events that were dropped before this one because this reader was slow."""


@dataclass(frozen=True)
class WatchOptions:
    """What happens when a watcher is slow, which bodies it sees, and how numbers travel. Unset: as the server chooses."""

    policy: str = "latest"
    """'latest', 'buffer', 'block' (the scene waits) or 'disconnect'."""
    queue_frames: Optional[int] = None
    """Frames that may wait for this reader, 1 to 1024."""
    max_wait_s: Optional[float] = None
    """How long the scene waits under 'block'."""
    bodies: Sequence[Body] = ()
    """Ids and names; none: all, unless every_kth_row is set."""
    every_kth_row: int = 0
    """Every k-th row of the layout as well."""
    profile: str = "f64"
    """'f64', 'f32' or 'quantized' (positions on a grid, for viewers)."""
    position_step_m: Optional[float] = None
    """The grid of 'quantized'."""
    key_interval: Optional[int] = None
    """At least one of so many frames of 'quantized' stands for itself."""


def select_bodies(bodies: Iterable[Body], every_kth_row: int = 0) -> frame_pb2.BodySelection:
    """The bodies by id or name."""
    selection = frame_pb2.BodySelection(every_kth_row=every_kth_row)
    for body in bodies:
        if isinstance(body, str):
            selection.names.append(body)
        else:
            selection.ids.append(body)
    return selection


def apply_options(request: stream_service_pb2.WatchStateRequest, options: WatchOptions) -> None:
    """ValueError: a policy or profile that is none."""
    request.policy = choose("policy", options.policy, _POLICIES)
    request.profile = choose("profile", options.profile, _PROFILES)
    if options.queue_frames is not None:
        request.queue_frames = options.queue_frames
    if options.max_wait_s is not None:
        request.max_wait_s = options.max_wait_s
    if options.bodies or options.every_kth_row:
        request.bodies.CopyFrom(select_bodies(options.bodies, options.every_kth_row))
    if options.position_step_m is not None:
        request.quantization.position_step_m = options.position_step_m
    if options.key_interval is not None:
        request.quantization.key_interval = options.key_interval


def events_request(
    scene: str, kinds: Iterable[int], bodies: Sequence[Body], queue_events: Optional[int]
) -> stream_service_pb2.WatchEventsRequest:
    """WatchEvents."""
    request = stream_service_pb2.WatchEventsRequest(scene=scene)
    for kind in kinds:
        request.kinds.append(int(kind))
    if bodies:
        request.bodies.CopyFrom(select_bodies(bodies))
    if queue_events is not None:
        request.queue_events = queue_events
    return request


class EventBatch:
    """One message of WatchEvents."""

    __slots__ = ("step_index", "events")

    def __init__(self, response: stream_service_pb2.WatchEventsResponse) -> None:
        self.step_index = int(response.step_index)
        self.events: list[Event] = []
        lost = int(response.lost_since_last)
        for message in response.events:
            self.events.append(_event(message, lost))
            lost = 0


def _event(message: stream_service_pb2.SceneEvent, lost: int) -> Event:
    kind = int(message.kind)
    ids = tuple(int(body) for body in message.body_ids)
    others = tuple(int(body) for body in message.other_body_ids)
    return Event(
        kind=EventKind(kind) if kind in _KNOWN_KINDS else kind,
        sequence=int(message.sequence),
        step_index=int(message.step_index),
        bodies=() if others else ids,
        pairs=tuple(zip(ids, others)),
        text=str(message.text),
        lateness_s=float(message.lateness_s),
        lost_before=lost,
    )
