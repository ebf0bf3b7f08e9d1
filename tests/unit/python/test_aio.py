"""The asyncio client: the same answers, errors, streams and cancellation as the synchronous one."""

import asyncio
import inspect
import threading

import grpc
import pytest
import talus
import talus.aio
from fake_server import FakeServer, abort, endless_events, endless_frames, make_frame, sleep_until_cancelled
from talus import aio_control, aio_streams, recordings
from talus.v1 import named_scene_pb2, scene_service_pb2, simulation_service_pb2, snapshot_service_pb2


@pytest.fixture()
def server():
    fake = FakeServer()
    yield fake
    fake.stop()


def run(server, scenario):
    async def main():
        async with talus.aio.connect(server.address) as client:
            return await asyncio.wait_for(scenario(client), 60)

    return asyncio.run(main())


def test_calls(server):
    server.answers["CreateScene"] = lambda *_: scene_service_pb2.CreateSceneResponse(
        scene=scene_service_pb2.SceneInfo(scene="scenes/a")
    )
    server.answers["Step"] = lambda request, _: simulation_service_pb2.StepResponse(frame=make_frame(request.step_count))
    server.answers["DownloadSnapshot"] = lambda *_: iter(
        snapshot_service_pb2.DownloadSnapshotResponse(chunk=b"ab") for _ in range(2)
    )

    async def scenario(client):
        scene = await client.create_scene(talus.gravel_pile(3))
        result = await scene.step(5, positions=True, expected_step_index=2)
        return scene.name, result, await scene.download()

    name, result, data = run(server, scenario)
    assert name == "scenes/a" and result.step_index == 5 and data == b"abab"
    assert result.frame.positions.shape == (2, 3)


def test_pages_of_bodies_and_joints_are_joined(server):
    def list_bodies(request, context):
        first = int(request.page_token or 0) + 1
        body = scene_service_pb2.ListedBody(body_id=first, spec={"name": f"b{first}"})
        token = str(first) if first < 3 else ""
        return scene_service_pb2.ListBodiesResponse(bodies=[body], step_index=first, next_page_token=token)

    server.answers["ListBodies"] = list_bodies
    listed = scene_service_pb2.ListedJoint(joint_id=3, spec={"name": "hinge"})
    server.answers["ListJoints"] = lambda *_: scene_service_pb2.ListJointsResponse(joints=[listed])

    async def scenario(client):
        return await client.scene("s").body_specs(1), await client.scene("s").joint_specs()

    bodies, joints = run(server, scenario)
    assert [spec.name for spec in bodies.specs.values()] == ["b1", "b2", "b3"]
    assert bodies.moments == [(1, 0), (2, 0), (3, 0)] and joints.specs[3].name == "hinge"


def test_named_scenes(server):
    server.answers["CreateScene"] = lambda request, _: scene_service_pb2.CreateSceneResponse(
        scene=scene_service_pb2.SceneInfo(scene="scenes/" + request.named_scene)
    )

    def answer(request, context):
        infos = [named_scene_pb2.NamedSceneInfo(name=f"n{request.page_token}")]
        return named_scene_pb2.ListNamedScenesResponse(scenes=infos, next_page_token="" if request.page_token else "n")

    server.answers["ListNamedScenes"] = answer

    async def scenario(client):
        return (await client.create_scene(named_scene="pile")).name, await client.named_scenes(1)

    name, listed = run(server, scenario)
    assert name == "scenes/pile" and [scene.name for scene in listed] == ["n", "nn"]


def test_errors(server):
    server.answers["Step"] = abort(grpc.StatusCode.FAILED_PRECONDITION, "STEP_INDEX_MISMATCH", step_index=4)

    async def scenario(client):
        with pytest.raises(talus.StepIndexMismatchError) as caught:
            await client.scene("s").step()
        return caught.value

    assert run(server, scenario).step_index == 4


def test_watch_and_cancel(server):
    server.answers["WatchState"] = endless_frames

    async def scenario(client):
        watch, seen = client.scene("s").watch(), []
        async for frame in watch:
            seen.append(frame.step_index)
            if len(seen) == 3:
                watch.cancel()
        assert watch.layout is not None
        return seen

    assert run(server, scenario) == [0, 1, 2]


def test_a_stream_that_fails_raises(server):
    server.answers["WatchState"] = abort(grpc.StatusCode.NOT_FOUND, "NOT_FOUND")

    async def scenario(client):
        with pytest.raises(talus.NotFoundError):
            async for _ in client.scene("s").watch():
                pass

    run(server, scenario)


def test_cancelling_the_task_cancels_the_step(server):
    seen = threading.Event()
    server.answers["Step"] = sleep_until_cancelled(seen)

    async def scenario(client):
        task = asyncio.ensure_future(client.scene("s").step())
        while not server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(server, scenario)
    assert seen.wait(60)


def test_a_pending_step_goes_on_until_it_is_cancelled(server):
    seen = threading.Event()
    server.answers["Step"] = sleep_until_cancelled(seen)

    async def scenario(client):
        pending = client.scene("s").submit_step(3, expected_step_index=7)
        with pytest.raises(TimeoutError):
            await pending.result(0.05)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(pending.result(), 0.05)
        assert not pending.done() and not seen.is_set()
        pending.cancel()
        for _ in range(2):
            with pytest.raises(talus.CallCancelledError):
                await pending.result()
        assert pending.done()

    run(server, scenario)
    assert seen.wait(60) and server.last().step_count == 3 and server.last().expected_step_index == 7


def test_a_pending_step_has_its_answer_or_its_error(server):
    server.answers["Step"] = lambda request, _: simulation_service_pb2.StepResponse(frame=make_frame(request.step_count))

    async def scenario(client):
        several = [client.scene("s").submit_step(count) for count in (1, 2)]
        indices = [(await pending.result()).step_index for pending in several]
        server.answers["Step"] = abort(grpc.StatusCode.FAILED_PRECONDITION, "STEP_INDEX_MISMATCH", step_index=4)
        with pytest.raises(talus.StepIndexMismatchError):
            await client.scene("s").submit_step().result(60)
        return indices

    assert run(server, scenario) == [1, 2]


def test_closing_the_client_ends_a_pending_step(server):
    server.answers["Step"] = sleep_until_cancelled(threading.Event())

    async def scenario(client):
        pending = client.scene("s").submit_step()
        while not server.requests:
            await asyncio.sleep(0.01)
        await client.close()
        with pytest.raises(talus.CallCancelledError):
            await pending.result()

    run(server, scenario)


def test_a_watch_ends_with_its_block(server):
    server.answers["WatchState"] = endless_frames
    server.answers["WatchEvents"] = endless_events

    async def scenario(client):
        for watch in (client.scene("s").watch(), client.scene("s").watch_events()):
            async with watch as entered:
                assert entered is watch
                await entered.__anext__()
            with pytest.raises(StopAsyncIteration):
                while True:  # events that had come with the last
                    await watch.__anext__()

    run(server, scenario)


def test_waiting_for_a_server(server, tmp_path):
    nowhere = f"unix:{tmp_path}/none.sock"

    async def scenario(client):
        await client.wait_until_ready()
        async with talus.aio.connect(server.address, wait=60) as other:
            assert other.address == server.address
        async with talus.aio.connect(nowhere) as other:
            with pytest.raises(TimeoutError, match="none.sock within 0.05 s"):
                await other.wait_until_ready(0.05)
        with pytest.raises(talus.UnavailableError, match="none.sock within 0.05 s"):
            async with talus.aio.connect(nowhere, wait=0.05):
                pass

    run(server, scenario)


def parameters(function):
    return list(inspect.signature(function).parameters)


@pytest.mark.parametrize(
    "sync, other",
    [
        (talus.Client, talus.aio.Client),
        (talus.Scene, talus.aio.Scene),
        (talus.Control, aio_control.Control),
        (talus.Pending, aio_streams.Pending),
        (talus.Watch, aio_streams.Watch),
        (talus.EventWatch, aio_streams.EventWatch),
        (recordings.Recordings, recordings.AsyncRecordings),
    ],
)
def test_both_clients_have_the_same_calls(sync, other):
    own = {"open"} if other is aio_control.Control else set()
    names = {name for name in dir(sync) if not name.startswith("_")}
    assert names == {name for name in dir(other) if not name.startswith("_")} - own
    for name in names:
        mine, theirs = getattr(sync, name), getattr(other, name)
        if callable(mine):
            assert parameters(mine) == parameters(theirs), name
    assert hasattr(sync, "__enter__") == hasattr(other, "__aenter__")
    assert hasattr(sync, "__next__") == hasattr(other, "__anext__")


def test_both_clients_are_opened_alike():
    assert parameters(talus.Client) == parameters(talus.aio.Client)
    assert parameters(talus.connect) == parameters(talus.aio.connect)
