"""Every call takes a timeout of its own, which is the deadline that the server sees; there is none by default."""

import asyncio
import inspect

import pytest
import talus
import talus.aio
from fake_server import FakeServer
from talus import methods, recordings
from talus.v1 import analysis_service_pb2

ROLLING = analysis_service_pb2.AnalyzeRollingTransitionRequest()
CLIENT_CALLS = {
    "info": (),
    "features": (),
    "create_scene": ({},),
    "create_robot_scene": (talus.Model("<robot/>"),),
    "scenes": (),
    "snapshots": (),
    "delete_snapshot": ("a",),
    "named_scenes": (),
    "snapshot_info": ("a",),
    "upload_snapshot": (b"data", "a"),
    "download_snapshot": ("a",),
    "solve": (b"problem",),
    "analyze_rolling_transition": (ROLLING,),
    "rolling_loads": (ROLLING, []),
    "trough_surface": (),
    "batch_step": ([],),
}
SCENE_CALLS = {
    "info": (),
    "state": (),
    "contacts": (),
    "joints": (),
    "body_specs": (),
    "joint_specs": (),
    "energy": (),
    "diagnostics": (),
    "step_problem": (),
    "cast_rays": ((0, 0, 0), [(0, 0, -1)]),
    "layout": (),
    "add_bodies": ([],),
    "import_model": (talus.Model("<robot/>"),),
    "remove_bodies": (1, "b"),
    "update_bodies": ([],),
    "add_emitters": ([],),
    "remove_emitters": ("a",),
    "add_joints": ([],),
    "remove_joints": (1, "b"),
    "snapshot": ("a",),
    "restore": ("a",),
    "fork": (1,),
    "download": (),
    "delete": (),
    "step": (),
    "step_until": (),
    "submit_step": (),
    "run": (),
    "pause": (),
    "reset": ("time",),
}
STREAMS = {"watch": (), "watch_events": ()}
RECORDING_CALLS = {
    "start": ("s",),
    "stop": ("a",),
    "get": ("a",),
    "list": (),
    "delete": ("a",),
    "download": ("a",),
    "replay": ("a",),
}
# What makes no call, and what calls are made with.
NO_CALLS = {"close", "wait_until_ready", "scene", "under", "step_request"}
ANY_CALLS = {"run", "submit", "stream", "chunks", "watch", "open_control"}


def pick_client(client):
    return client


def pick_scene(client):
    return client.scene("s")


def pick_recordings(client):
    return client.recordings


ALL = [
    (pick, name, arguments)
    for pick, table in (
        (pick_client, CLIENT_CALLS),
        (pick_scene, {**SCENE_CALLS, **STREAMS}),
        (pick_recordings, RECORDING_CALLS),
    )
    for name, arguments in table.items()
]


def is_endless(remaining):
    return remaining is None or remaining > 1e6


def is_about(timeout, remaining):
    return timeout - 1000 < remaining < timeout + 20  # gRPC rounds long ones up


class DeadlineServer(FakeServer):
    """Answers every call with an empty message, and notes how long it might have taken."""

    def __init__(self):
        super().__init__()
        self.remaining = []
        for method in methods.ALL:
            self.answers[method.name] = self._note(method)

    def _note(self, method):
        def answer(request, context):
            self.remaining.append(context.time_remaining())
            return iter(()) if method.streams else method.response_type()

        return answer


@pytest.fixture(scope="module")
def server():
    fake = DeadlineServer()
    yield fake
    fake.stop()


def arguments_of(name, arguments, pick, tmp_path):
    return (*arguments, tmp_path / "file") if pick is pick_recordings and name == "download" else arguments


def make(server, pick, name, arguments, client_timeout, **options):
    with talus.Client(server.address, timeout=client_timeout) as client:
        answer = getattr(pick(client), name)(*arguments, **options)
        if name == "submit_step":
            answer.result()
        elif name in STREAMS and pick is pick_scene:
            assert list(answer) == []


def make_asyncio(server, pick, name, arguments, client_timeout, **options):
    async def main():
        async with talus.aio.Client(server.address, timeout=client_timeout) as client:
            answer = getattr(pick(client), name)(*arguments, **options)
            if name == "submit_step":
                await answer.result()
            elif name in STREAMS and pick is pick_scene:
                assert [one async for one in answer] == []
            else:
                await answer

    asyncio.run(main())


@pytest.mark.parametrize("how", [make, make_asyncio])
@pytest.mark.parametrize("pick, name, arguments", ALL)
def test_a_timeout_is_the_call_s_deadline(server, how, pick, name, arguments, tmp_path):
    arguments = arguments_of(name, arguments, pick, tmp_path)

    def remaining(client_timeout, **options):
        how(server, pick, name, arguments, client_timeout, **options)
        return server.remaining.pop()

    assert is_endless(remaining(None))
    assert is_about(5000, remaining(None, timeout=5000.0))
    assert is_about(5000, remaining(9000.0, timeout=5000.0))
    assert is_endless(remaining(9000.0)) if name in STREAMS else is_about(9000, remaining(9000.0))


@pytest.mark.parametrize(
    "kind, table",
    [
        (kind, table)
        for kinds, table in (
            ((talus.Client, talus.aio.Client), CLIENT_CALLS),
            ((talus.Scene, talus.aio.Scene), {**SCENE_CALLS, **STREAMS, "control": ()}),
            ((recordings.Recordings, recordings.AsyncRecordings), RECORDING_CALLS),
        )
        for kind in kinds
    ],
)
def test_no_call_is_left_out(kind, table):
    public = {name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))}
    own = ANY_CALLS if kind in (talus.Client, talus.aio.Client) else set()
    assert public - NO_CALLS - own == set(table)
    for name in table:
        assert inspect.signature(getattr(kind, name)).parameters["timeout"].default is None, name
