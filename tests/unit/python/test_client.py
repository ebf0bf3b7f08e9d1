"""What the synchronous client sends, and how it hands out answers, errors and streams."""

import threading
import time

import grpc
import pytest
import talus
from fake_server import FakeServer, abort, endless_frames, make_frame, sleep_until_cancelled
from talus import calls
from talus.v1 import named_scene_pb2, frame_pb2, query_service_pb2, scene_pb2, scene_service_pb2, server_service_pb2, simulation_service_pb2
from talus.v1 import snapshot_service_pb2, stream_service_pb2

SceneInfo = scene_service_pb2.SceneInfo


@pytest.fixture()
def server():
    fake = FakeServer()
    yield fake
    fake.stop()


@pytest.fixture()
def client(server):
    with talus.connect(server.address) as connected:
        yield connected


def test_create_scene_from_every_source(server, client, tmp_path):
    server.answers["CreateScene"] = lambda request, _: scene_service_pb2.CreateSceneResponse(
        scene=SceneInfo(scene="scenes/" + (request.scene_id or "made-up"))
    )
    spec = talus.gravel_pile(5)
    assert client.create_scene(spec, name="pile", request_id="r").name == "scenes/pile"
    assert server.last().spec == spec and server.last().request_id == "r"
    assert client.create_scene({"bodies": [{"name": "a"}]}).name == "scenes/made-up"
    assert server.last().spec.bodies[0].name == "a"
    path = tmp_path / "scene.json"
    path.write_text('{"bodies": [{"name": "b"}]}')
    client.create_scene(path)
    assert server.last().spec.bodies[0].name == "b"
    client.create_scene(b"snapshot bytes")
    assert server.last().snapshot_data == b"snapshot bytes"
    client.create_scene(snapshot="kept")
    assert server.last().snapshot == "snapshots/kept"
    client.create_scene(named_scene="pile")
    assert server.last().named_scene == "pile" and server.last().idle_ttl_s == 0
    client.create_scene(spec, idle_ttl=30)
    assert server.last().idle_ttl_s == 30
    count = len(server.requests)
    for arguments in ({}, {"source": spec, "snapshot": "kept"}, {"source": spec, "named_scene": "pile"}):
        with pytest.raises(ValueError):
            client.create_scene(**arguments)
    assert len(server.requests) == count


def test_step_sends_what_it_was_told(server, client):
    server.answers["Step"] = lambda request, _: simulation_service_pb2.StepResponse(
        frame=make_frame(request.step_count), steps_done=request.step_count, worst_residual=0.5, sweep_count=9
    )
    scene = client.scene("pile")
    result = scene.step(3, positions=True, contacts=True, expected_step_index=0, request_id="x", residual_history=True)
    request = server.last()
    assert request.scene == "scenes/pile" and request.step_count == 3 and request.request_id == "x"
    assert request.HasField("expected_step_index") and request.expected_step_index == 0
    assert request.selection == frame_pb2.FrameSelection(positions=True, contacts=True, report=True)
    assert request.residual_history
    assert result.steps_done == 3 and result.step_index == 3 and result.worst_residual == 0.5
    assert result.sweep_count == 9 and result.frame.positions.tolist() == [[3.0] * 3] * 2
    scene.step()
    assert not server.last().HasField("expected_step_index") and server.last().step_count == 1
    pending = scene.submit_step(4, velocities=True, expected_step_index=7)
    assert pending.result(10).steps_done == 4 and pending.done()
    assert server.last().selection.velocities and server.last().expected_step_index == 7
    with pytest.raises(TypeError, match="colour"):
        scene.submit_step(1, colour="red")


def test_pages_are_joined(server, client):
    def answer(request, context):
        start = int(request.page_token or 0)
        infos = [SceneInfo(scene=f"scenes/{i}") for i in range(start, min(start + request.page_size, 7))]
        token = str(start + request.page_size) if start + request.page_size < 7 else ""
        return scene_service_pb2.ListScenesResponse(scenes=infos, next_page_token=token)

    server.answers["ListScenes"] = answer
    assert [info.scene for info in client.scenes(page_size=3)] == [f"scenes/{i}" for i in range(7)]
    assert len(server.requests) == 3


def test_pages_of_named_scenes_are_joined(server, client):
    def answer(request, context):
        info = named_scene_pb2.NamedSceneInfo(name=f"n{request.page_token}", body_count=4)
        token = f"{request.page_token}n"
        return named_scene_pb2.ListNamedScenesResponse(scenes=[info], next_page_token=token if len(token) < 3 else "")

    server.answers["ListNamedScenes"] = answer
    assert [scene.name for scene in client.named_scenes(page_size=1)] == ["n", "nn", "nnn"]
    assert server.last().page_size == 1 and server.last().page_token == "nn"


def test_pages_of_bodies_and_joints_are_joined(server, client):
    def list_bodies(request, context):
        first = int(request.page_token or 0) + 1
        bodies = [scene_service_pb2.ListedBody(body_id=i, spec={"name": f"b{i}"}) for i in range(first, min(first + 2, 6))]
        token = str(first + 1) if first + 2 < 6 else ""
        materials = [scene_pb2.NamedMaterial(name="stone"), scene_pb2.NamedMaterial(name=f"m{first}")]
        return scene_service_pb2.ListBodiesResponse(
            bodies=bodies, materials=materials, step_index=first, layout_version=7, next_page_token=token
        )

    server.answers["ListBodies"] = list_bodies
    bodies = client.scene("s").body_specs(page_size=2)
    assert {number: spec.name for number, spec in bodies.specs.items()} == {i: f"b{i}" for i in range(1, 6)}
    assert list(bodies.materials) == ["stone", "m1", "m3", "m5"] and bodies.moments == [(1, 7), (3, 7), (5, 7)]
    assert server.last().scene == "scenes/s" and server.last().page_size == 2 and server.last().page_token == "4"
    listed = scene_service_pb2.ListedJoint(joint_id=3, spec={"name": "hinge"})
    server.answers["ListJoints"] = lambda *_: scene_service_pb2.ListJointsResponse(joints=[listed], layout_version=2)
    joints = client.scene("s").joint_specs()
    assert joints.specs[3].name == "hinge" and joints.moments == [(0, 2)] and server.last().page_size == 1000


def test_bodies_are_removed_by_id_or_name(server, client):
    server.answers["RemoveBodies"] = lambda *_: scene_service_pb2.RemoveBodiesResponse()
    client.scene("s").remove_bodies(3, "ball", 2**63)
    assert list(server.last().body_ids) == [3, 2**63] and list(server.last().body_names) == ["ball"]


def test_what_is_given_of_a_body_is_what_its_mask_names(server, client):
    server.answers["UpdateBodies"] = lambda *_: scene_service_pb2.UpdateBodiesResponse(scene=SceneInfo(state_hash=5))
    info = client.scene("s").update_bodies(
        [
            talus.body_update(2**63, position=(1, 2, 3), angular_velocity=(0, 0, 0)),
            talus.body_update("ball", orientation=(1, 0, 0, 0), linear_velocity=(4, 5, 6)),
            talus.body_update(3),
        ]
    )
    first, second, third = server.last().updates
    assert info.state_hash == 5 and server.last().scene == "scenes/s"
    assert first.body_id == 2**63 and first.values.position_world_m.z == 3
    assert list(first.update_mask.paths) == ["position_world_m", "angular_velocity_world_rad_s"]
    assert second.body_name == "ball" and second.values.linear_velocity_world_m_s.x == 4
    assert list(second.update_mask.paths) == ["orientation_world", "linear_velocity_world_m_s"]
    assert second.values.orientation_world.w == 1 and not third.update_mask.paths


def test_fork_by_count_and_by_name(server, client):
    server.answers["ForkScene"] = lambda request, _: snapshot_service_pb2.ForkSceneResponse(
        scenes=[SceneInfo(scene=f"scenes/{name or 'any'}") for name in request.scene_ids]
    )
    scene = client.scene("s")
    assert [fork.name for fork in scene.fork(2)] == ["scenes/any", "scenes/any"]
    assert [fork.name for fork in scene.fork(["a", "b"])] == ["scenes/a", "scenes/b"]


def test_download_joins_the_chunks(server, client):
    server.answers["DownloadSnapshot"] = lambda request, _: iter(
        snapshot_service_pb2.DownloadSnapshotResponse(chunk=bytes([k]) * 3) for k in range(3)
    )
    assert client.download_snapshot("kept") == bytes([0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert server.last().snapshot == "snapshots/kept"
    client.scene("s").download()
    assert server.last().scene == "scenes/s"
    server.answers["DownloadSnapshot"] = abort(grpc.StatusCode.NOT_FOUND, "NOT_FOUND")
    with pytest.raises(talus.NotFoundError):
        client.scene("s").download()


def test_an_upload_goes_in_messages_below_the_smallest_limit():
    data = bytes(range(256)) * 20_000
    messages = list(calls.upload_snapshot(data, "kept").request)
    assert b"".join(message.chunk for message in messages) == data
    assert max(message.ByteSize() for message in messages) < 1 << 20
    assert [message.snapshot_id for message in messages[:2]] == ["kept", ""]


def test_errors_are_raised_with_their_detail(server, client):
    server.answers["Step"] = abort(
        grpc.StatusCode.RESOURCE_EXHAUSTED, "MAILBOX_FULL", "mailbox is full", retry_after_ms=20
    )
    for attempt in (lambda: client.scene("s").step(), lambda: client.scene("s").submit_step().result(10)):
        with pytest.raises(talus.MailboxFullError, match="mailbox is full") as caught:
            attempt()
        assert caught.value.retry_after == 0.02


def test_messages_beyond_four_mebibytes_pass(server, client):
    server.answers["GetState"] = lambda *_: query_service_pb2.GetStateResponse(
        frame=make_frame(1, rows=300_000)
    )
    assert client.scene("s").state().positions.shape == (300_000, 3)


def test_deadline_and_cancellation_reach_the_server(server, client):
    seen = threading.Event()
    server.answers["Step"] = sleep_until_cancelled(seen)
    patience = 0.1
    while not server.requests:  # on a busy machine a call may be over before the server hears of it
        with pytest.raises(talus.DeadlineExceededError):
            client.scene("s").step(timeout=patience)
        patience *= 2
    assert seen.wait(60)
    seen.clear()
    heard = len(server.requests)
    pending = client.scene("s").submit_step()
    with pytest.raises(TimeoutError):
        pending.result(0.1)
    assert not pending.done()
    while len(server.requests) == heard:
        time.sleep(0.01)
    pending.cancel()
    with pytest.raises(talus.CallCancelledError):
        pending.result(60)
    assert seen.wait(60)


def test_default_timeout_holds_for_calls_without_one(server):
    server.answers["GetServerInfo"] = sleep_until_cancelled(threading.Event())
    with talus.connect(server.address, timeout=0.1) as client, pytest.raises(talus.DeadlineExceededError):
        client.info()


def test_default_timeout_holds_for_steps_that_are_not_waited_for(server):
    server.answers["Step"] = sleep_until_cancelled(threading.Event())
    with talus.connect(server.address, timeout=0.1) as client, pytest.raises(talus.DeadlineExceededError):
        client.scene("s").submit_step().result(60)


def test_watch_yields_frames_and_keeps_the_layout(server, client):
    server.answers["WatchState"] = endless_frames
    with client.scene("s").watch(every_n_steps=5, contacts=True) as watch:
        frames = [next(watch) for _ in range(4)]
        assert [frame.step_index for frame in frames] == [0, 1, 2, 3]
        assert frames[3].dropped_since_last == 3 and frames[3].layout is None
        assert watch.layout is not None and len(watch.layout) == 2
    assert server.last().every_n_steps == 5 and server.last().selection.contacts
    assert list(watch) == []  # over after cancel
    client.scene("s").watch(rate_hz=2.5, frame_limit=7).cancel()
    with pytest.raises(ValueError):
        client.scene("s").watch(rate_hz=1, every_n_steps=1)


def test_cancel_from_another_thread_ends_the_iteration(server, client):
    server.answers["WatchState"] = endless_frames
    watch = client.scene("s").watch()
    threading.Timer(0.1, watch.cancel).start()
    assert len(list(watch)) > 0


def test_a_stream_that_fails_raises(server, client):
    def answer(request, context):
        yield stream_service_pb2.WatchStateResponse(frame=make_frame(0, layout=True))
        abort(grpc.StatusCode.ABORTED, "SCENE_DELETED")(request, context)

    server.answers["WatchState"] = answer
    watch = client.scene("s").watch()
    assert next(watch).step_index == 0
    with pytest.raises(talus.SceneDeletedError):
        next(watch)


def test_info(server, client):
    server.answers["GetServerInfo"] = lambda *_: server_service_pb2.GetServerInfoResponse(version="1.2.3")
    assert client.info().version == "1.2.3"


def test_nobody_there():
    with pytest.raises(talus.UnavailableError, match="no server at"):
        talus.connect("127.0.0.1:1", wait=0.3)
