"""Streams: the first frame, the pace, drops that are counted, and why a stream ends."""

import threading
import time

import pytest
import talus
from conftest import launch, pair_spec, wait_until
from talus import scene as build


def test_late_joiner_gets_layout_and_state(pair):
    pair.step(4)
    with pair.watch() as watch:
        frame = next(watch)
        assert frame.step_index == 4 and frame.state_hash == pair.info().state_hash
        assert frame.layout.names == ["ground", "ball"] and frame.dropped_since_last == 0
        assert frame.positions.shape == (2, 3) and frame.orientations.shape == (2, 4)
        assert frame.linear_velocities.shape == (0, 3)


def test_every_n_steps_and_frame_limit(pair):
    watch = pair.watch(every_n_steps=10, frame_limit=3, velocities=True, positions=False, report=True)
    assert next(watch).step_index == 0
    pair.step(10)
    frame = next(watch)
    assert frame.step_index == 10 and frame.layout is None and frame.report.step_index == 10
    assert frame.linear_velocities.shape == (2, 3) and frame.positions.shape == (0, 3)
    pair.step(10)
    assert [frame.step_index for frame in watch] == [20]


def test_layout_comes_again_when_it_changed(pair):
    with pair.watch() as watch:
        first = next(watch)
        pair.add_bodies([build.sphere(0.1, position=(5, 0, 5), mass=1.0)])
        pair.step()
        frame = next(watch)
        while frame.step_index == 0:
            frame = next(watch)
        assert watch.layout.version == frame.layout_version > first.layout_version
        assert len(watch.layout) == 3 == len(frame)


def test_rate_bounds_the_frames(busy):
    running = busy.submit_step(1_000_000)
    watch = busy.watch(rate_hz=20, frame_limit=6)
    begin = time.monotonic()
    frames = list(watch)
    assert len(frames) == 6
    assert time.monotonic() - begin > 4 / 20  # the first comes at once
    assert [f.step_index for f in frames] == sorted({f.step_index for f in frames})
    running.cancel()


def test_drops_are_counted_exactly(client):
    # Many balls that touch nothing: large frames, cheap steps.
    balls = [build.sphere(0.1, position=(k % 20, k // 20, 0), mass=1.0) for k in range(400)]
    scene = client.create_scene(build.spec(bodies=balls))
    with scene.watch(velocities=True) as watch:
        previous = next(watch)
        scene.step(1000)  # nobody reads: the stream's window fills up, then frames are overwritten
        dropped = 0
        while previous.step_index < 1000:
            frame = next(watch)
            assert frame.step_index == previous.step_index + 1 + frame.dropped_since_last
            dropped += frame.dropped_since_last
            previous = frame
        assert dropped > 0


def test_cancel_ends_the_subscription(pair):
    watch = pair.watch()
    next(watch)
    wait_until(lambda: pair.diagnostics().watcher_count == 1)
    watch.cancel()
    assert list(watch) == []
    wait_until(lambda: pair.diagnostics().watcher_count == 0)


def test_deletion_ends_the_stream_with_its_reason(client):
    scene = client.create_scene(pair_spec())
    watch = scene.watch()
    next(watch)
    threading.Timer(0.1, scene.delete).start()
    with pytest.raises(talus.SceneDeletedError):
        next(watch)


def test_deadline_of_a_stream(pair):
    with pytest.raises(talus.DeadlineExceededError):
        for frame in pair.watch(timeout=0.3):
            assert frame.step_index == 0


@pytest.mark.parametrize("pace", [{"rate_hz": 0.0}, {"rate_hz": -1.0}, {"rate_hz": 1e5}, {"every_n_steps": 0}, {"frame_limit": -1}])
def test_senseless_paces(pair, pace):
    with pytest.raises(talus.InvalidFieldError):
        next(pair.watch(**pace))


def test_too_many_watchers():
    with launch(max_watchers=2) as small:
        scene = small.client.create_scene(pair_spec())
        watches = [scene.watch() for _ in range(2)]
        for watch in watches:
            next(watch)
        with pytest.raises(talus.LimitReachedError) as caught:
            next(scene.watch())
        assert caught.value.limit_name == "watchers_per_scene" and caught.value.limit_value == 2
        watches[0].cancel()
        wait_until(lambda: scene.diagnostics().watcher_count == 1)
        assert next(scene.watch()).step_index == 0
