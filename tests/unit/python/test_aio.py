"""The asyncio client: the same answers, errors, streams and cancellation as the synchronous one."""

import asyncio
import inspect
import threading

import grpc
import pytest
import talus
import talus.aio
from fake_server import FakeServer, abort, endless_frames, make_frame, sleep_until_cancelled
from talus.v1 import scene_service_pb2, simulation_service_pb2, snapshot_service_pb2


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


@pytest.mark.parametrize("sync, other", [(talus.Client, talus.aio.Client), (talus.Scene, talus.aio.Scene)])
def test_both_clients_have_the_same_calls(sync, other):
    only_sync = {"submit", "submit_step", "wait_until_ready"}
    names = {name for name in vars(sync) if not name.startswith("_")} - only_sync
    assert names == {name for name in vars(other) if not name.startswith("_")}
    for name in names:
        mine, theirs = getattr(sync, name), getattr(other, name)
        assert list(inspect.signature(mine).parameters) == list(inspect.signature(theirs).parameters), name
