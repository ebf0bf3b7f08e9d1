"""Scenes that nobody uses go to disk and come back; seen from outside."""

import contextlib
import os
import time
import urllib.request

import pytest
import talus
from conftest import build, launch, pair_spec, wait_until


def metric(server, name):
    with urllib.request.urlopen(f"http://{server.metrics_address}/metrics", timeout=30) as page:
        for line in page.read().decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
    raise AssertionError(f"no metric {name}")


def many_balls(count):
    balls = [
        build.sphere(0.02, position=(0.1 * (k % 50), 0.1 * (k // 50), 0.02), mass=0.1, material="stone")
        for k in range(count)
    ]
    return build.spec(
        materials=[build.material("stone", sliding=0.5, rolling=0.001)],
        bodies=[build.plane(name="ground", material="stone"), *balls],
    )


def test_idle_scenes_give_their_memory_back_and_return_with_the_same_bits(tmp_path):
    options = dict(data_dir=str(tmp_path), evict_after_seconds=1, metrics_listen="127.0.0.1:0")
    with launch(**options) as server:
        client = server.client
        twin = client.create_scene(many_balls(5000))
        expected = [twin.step().state_hash for _ in range(4)]
        twin.delete()
        before = client.info()
        assert before.evict_after_s == 1.0
        # Under a lease they stay, however long a busy machine takes for all eight.
        with contextlib.ExitStack() as leases:
            scenes = [client.create_scene(many_balls(5000)) for _ in range(8)]
            for scene in scenes:
                control = leases.enter_context(scene.control(holder="test"))
                assert control.step(count=2).frame.state_hash == expected[1]
            assert not any(scene.info().evicted for scene in scenes)
            held = client.info().memory_bytes - before.memory_bytes
            returned = metric(server, "talus_evicted_scene_returns_total")
        wait_until(lambda: all(scene.info().evicted for scene in scenes))
        assert metric(server, "talus_scenes_evicted") == 8
        assert metric(server, "talus_evictions_total") == returned + 8
        if not os.environ.get("TALUS_SANITIZER"):  # whose allocator keeps what was freed
            # The allocator is asked for its freed pages once the last of a round has gone.
            wait_until(lambda: client.info().memory_bytes - before.memory_bytes < held / 3)
        assert len(list((tmp_path / "evicted").iterdir())) == 24
        for scene in scenes:
            assert scene.info().state_hash == expected[1]
            assert len(scene.contacts()) == 5000
            assert scene.step(2).state_hash == expected[3]
        assert metric(server, "talus_evicted_scene_returns_total") >= returned + 8
        scenes[0].delete()
    # Without autosave they lived in memory: what is left here is not taken for kept.
    with launch(**options) as server:
        assert list((tmp_path / "evicted").iterdir()) == []
        assert server.client.scenes() == []


def test_a_scene_comes_back_to_be_listed(tmp_path):
    with launch(data_dir=str(tmp_path), evict_after_seconds=1) as server:
        scene = server.client.create_scene(pair_spec())
        wait_until(lambda: scene.info().evicted)
        assert [spec.name for spec in scene.body_specs().specs.values()] == ["ground", "ball"]
        wait_until(lambda: scene.info().evicted)
        assert scene.joint_specs().specs == {}


def test_eviction_needs_a_directory():
    with pytest.raises(talus.LaunchError, match="(?s)status 2.*--data-dir"):
        talus.launch(evict_after_seconds=5)


def test_watchers_of_events_are_told(tmp_path):
    with launch(data_dir=str(tmp_path), evict_after_seconds=1) as server:
        scene = server.client.create_scene(pair_spec())
        with scene.watch_events(kinds=[talus.EventKind.SCENE_EVICTED, talus.EventKind.SCENE_RETURNED]) as events:
            seen = iter(events)
            assert next(seen).kind == talus.EventKind.SCENE_EVICTED
            scene.step()
            assert next(seen).kind == talus.EventKind.SCENE_RETURNED


def test_a_scene_with_a_time_of_its_own_goes_where_no_other_does(tmp_path):
    with launch(data_dir=str(tmp_path), workers=1) as server:
        other = server.client.create_scene(pair_spec())
        scene = server.client.create_scene(pair_spec(), idle_ttl=1)
        assert scene.info().idle_ttl_s == 1
        end = time.monotonic() + 60
        while not scene.info().evicted:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert not other.info().evicted and other.info().idle_ttl_s == 0
        assert scene.step().step_index == 1 and not scene.info().evicted
    with launch(workers=1) as server:
        with pytest.raises(talus.TalusError) as refused:
            server.client.create_scene(pair_spec(), idle_ttl=1)
        assert refused.value.code.name == "FAILED_PRECONDITION" and refused.value.reason == "STORAGE"
