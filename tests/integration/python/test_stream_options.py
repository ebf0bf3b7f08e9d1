"""Policies, selections, profiles and events through the Python client."""

import asyncio

import numpy as np
import pytest
import talus
import talus.aio
from talus import EventKind, WatchOptions
from talus import scene as build


def far_balls(client, count=400):
    """Large frames, cheap steps."""
    balls = [build.sphere(0.1, name=f"b{k}", position=(k % 20, k // 20, 0), mass=1.0) for k in range(count)]
    return client.create_scene(build.spec(bodies=balls))


def test_selected_bodies(pair):
    with pair.watch(options=WatchOptions(bodies=["ball"])) as watch:
        frame = next(watch)
        assert frame.rows.tolist() == [1] and frame.positions.shape == (1, 3)
        assert watch.layout.names == ["ground", "ball"]
    ball = int(pair.layout().ids[1])
    frame = next(pair.watch(options=WatchOptions(bodies=[ball], profile="f32")))
    assert np.array_equal(frame.positions[0], pair.state().positions[1].astype(np.float32))
    frame = next(pair.watch(options=WatchOptions(every_kth_row=2)))
    assert frame.rows.tolist() == [0]
    with pytest.raises(talus.NotFoundError) as error:
        next(pair.watch(options=WatchOptions(bodies=["ball", "nobody"])))
    assert error.value.field == "bodies.names[1]"


def test_quantised_frames_follow_the_scene(client):
    scene = far_balls(client, 40)
    options = WatchOptions(policy="block", queue_frames=4, max_wait_s=60, profile="quantized", key_interval=7)
    with scene.watch(velocities=True, options=options) as watch:
        next(watch)
        for step in range(1, 31):
            scene.step()
            frame = next(watch)
            state = scene.state()
            assert frame.step_index == step and frame.state_hash == state.state_hash
            assert np.abs(frame.positions - state.positions).max() <= 0.5e-4 + 1e-12
            assert np.abs(frame.orientations - state.orientations).max() <= 1e-4
            assert np.array_equal(frame.linear_velocities, state.linear_velocities.astype(np.float32))


def test_a_slow_reader_is_told(client):
    scene = far_balls(client)
    with scene.watch(velocities=True, options=WatchOptions(policy="disconnect", queue_frames=1)) as watch:
        next(watch)
        scene.step(2000)
        with pytest.raises(talus.SlowWatcherError):
            for _ in watch:
                pass


def test_unknown_policies_and_profiles(pair):
    with pytest.raises(ValueError, match="policy"):
        pair.watch(options=WatchOptions(policy="hold"))
    with pytest.raises(ValueError, match="profile"):
        pair.watch(options=WatchOptions(profile="f16"))
    with pytest.raises(talus.InvalidFieldError) as error:
        next(pair.watch(options=WatchOptions(policy="latest", queue_frames=3)))
    assert error.value.field == "queue_frames"


def test_events(pair):
    with pair.watch_events([EventKind.CONTACT_BEGIN, EventKind.BODIES_ADDED, EventKind.SCENE_DELETED]) as events:
        assert events.begin() == 0
        ids = [int(body) for body in pair.layout().ids]
        pair.step(2000)
        contact = next(events)
        assert contact.kind is EventKind.CONTACT_BEGIN and contact.pairs == ((ids[0], ids[1]),)
        assert 0 < contact.step_index <= 2000 and contact.bodies == ()
        added = pair.add_bodies([build.sphere(0.1, position=(50, 0, 5), mass=1.0)])
        event = next(events)
        while event.kind is EventKind.CONTACT_BEGIN:
            event = next(events)
        assert event.kind is EventKind.BODIES_ADDED and event.bodies == tuple(int(body) for body in added)
        pair.delete()
        assert next(events).kind is EventKind.SCENE_DELETED
        with pytest.raises(talus.SceneDeletedError):
            next(events)


def test_events_asynchronously(server, pair):
    async def watch():
        async with talus.aio.Client(server.address) as client:
            events = client.scene(pair.name).watch_events(bodies=["ball"])
            await events.begin()
            await asyncio.get_running_loop().run_in_executor(None, pair.step, 2000)
            event = await events.__anext__()
            events.cancel()
            return event

    assert asyncio.run(watch()).kind is EventKind.CONTACT_BEGIN
