"""kill -9 at any moment while stepping, storing and recording: what was acknowledged is there, and nothing else is harmed.

TALUS_CRASHES says how often (4 unless it is set; 200 by hand take about ten minutes).
"""

import os
import pathlib
import random
import signal
import threading
import time

import pytest

import talus
from test_server_binary import ten_balls

CRASHES = int(os.environ.get("TALUS_CRASHES", "4"))
KILLED = -signal.SIGKILL


class Writer(threading.Thread):
    """Steps a scene, stores snapshots and records until the server is gone; remembers what was acknowledged."""

    def __init__(self, address, scene, round_number):
        super().__init__()
        self.address, self.scene, self.round = address, scene, round_number
        self.snapshots = {}  # name -> (step index, hash)
        self.recordings = []
        self.deleted = set()
        self.steps = 0

    def run(self):
        try:
            with talus.connect(self.address, timeout=30.0) as client:
                scene = client.scene(self.scene)
                for turn in range(10_000):
                    name = f"{self.scene}-{self.round}-{turn}"
                    client.recordings.start(self.scene, name, contacts=True, diagnostics=True)
                    self.recordings.append(name)
                    self.steps = scene.step(20).step_index
                    info = scene.snapshot(name)
                    self.snapshots[name] = (info.step_index, info.state_hash)
                    scene.step(20)
                    client.recordings.stop(name)
                    if turn > 2:
                        old = f"{self.scene}-{self.round}-{turn - 3}"
                        self.deleted.add(old)
                        client.delete_snapshot(old)
                        client.recordings.delete(old)
        except talus.TalusError:
            pass  # the server is gone


class Stepper(threading.Thread):
    """Steps a scene one by one until the server is gone; nothing but autosave keeps it. Remembers the hash of each step."""

    def __init__(self, address, scene, hashes):
        super().__init__()
        self.address, self.scene, self.hashes = address, scene, hashes
        self.disagreed = []  # step indices that were reached twice, and not with the same hash

    def run(self):
        try:
            with talus.connect(self.address, timeout=30.0) as client:
                scene = client.scene(self.scene)
                while True:
                    step = scene.step(1)
                    if self.hashes.setdefault(step.step_index, step.state_hash) != step.state_hash:
                        self.disagreed.append(step.step_index)
        except talus.TalusError:
            pass  # the server is gone


def newest_autosave(data, scene):
    """Number of the newest file that autosave left of the scene; 0: none."""
    return max((int(path.name.split(".")[-2]) for path in pathlib.Path(data, "scenes").glob(f"{scene}.*.scene")), default=0)


def test_killed_at_any_moment(tmp_path):
    seed = int(os.environ.get("TALUS_SEED", time.time_ns() % 1_000_000))
    print("seed", seed)  # shown when the test fails
    chance = random.Random(seed)
    data = str(tmp_path / "data")
    last = {}  # scene -> newest acknowledged snapshot
    hashes = {}  # of the scene that only autosave keeps: step index -> hash
    saved, reached, came_back = 0, 0, 0  # its newest file before the server starts, where it came back, how often
    replayed = 0
    for crash in range(CRASHES + 1):
        with talus.launch(data_dir=data, autosave_seconds=1, workers=2) as server:
            client = server.client
            # Every scene of which a snapshot was acknowledged is back, no older than that.
            for scene, (step_index, _) in last.items():
                assert client.scene(scene).info().step_index >= step_index
            there = {info.scene for info in client.scenes()}
            if saved > 0:
                # Autosave brings back a state that was there, and never an older one than at the start before.
                kept = client.scene("kept").info()
                assert kept.step_index >= reached and hashes.get(kept.step_index, kept.state_hash) == kept.state_hash
                reached, came_back = kept.step_index, came_back + 1
            elif "scenes/kept" in there:
                pytest.fail("a scene came back of which nothing is stored")
            names = {info.snapshot.rpartition("/")[2]: info for info in client.snapshots()}
            if crash > 0:
                for writer in writers:
                    for name, (step_index, state_hash) in writer.snapshots.items():
                        if name in writer.deleted:
                            continue
                        assert names[name].step_index == step_index and names[name].state_hash == state_hash
                        again = client.create_scene(snapshot=name)
                        assert again.info().state_hash == state_hash
                        again.delete()
                    known = {r.recording.rpartition("/")[2]: r for r in client.recordings.list()}
                    for name in writer.recordings:
                        if name in writer.deleted:
                            continue
                        # Whole or cut off, what is there leads where it led.
                        replay = client.recordings.replay(name)
                        assert not replay.HasField("mismatch"), (name, replay.mismatch)
                        complete = known[name].state == talus.recordings.messages.RECORDING_STATE_COMPLETE
                        assert replay.truncated == (not complete)
                        replayed += replay.steps_replayed
                for info in client.snapshots():
                    client.delete_snapshot(info.snapshot)
                for recording in client.recordings.list():
                    client.recordings.delete(recording.recording)
            if crash == CRASHES:
                assert server.stop() == 0
                break
            for scene in ("a", "b", "kept"):
                if f"scenes/{scene}" not in there:
                    client.create_scene(ten_balls(), name=scene)
            writers = [Writer(server.address, scene, crash) for scene in ("a", "b")]
            stepper = Stepper(server.address, "kept", hashes)
            for thread in (*writers, stepper):
                thread.start()
            time.sleep(chance.uniform(0.1, 1.6))
            server.kill()
            for writer in writers:
                writer.join(60.0)
                assert not writer.is_alive()
                if writer.snapshots:
                    last[writer.scene] = list(writer.snapshots.values())[-1]
            stepper.join(60.0)
            assert not stepper.is_alive() and stepper.disagreed == []
            saved = newest_autosave(data, "kept")
    print("crashes", CRASHES, "steps replayed", replayed, "autosaves that came back", came_back)
    assert replayed > 0


def test_a_damaged_file_harms_nobody_else(tmp_path):
    data = tmp_path / "data"
    with talus.launch(data_dir=str(data)) as server:
        for name in ("a", "b"):
            scene = server.client.create_scene(ten_balls(), name=name)
            scene.step(3)
            scene.snapshot(f"of-{name}")
            server.client.recordings.start(name, f"of-{name}")
        hashes = {name: server.client.scene(name).info().state_hash for name in ("a", "b")}
        assert server.stop() == 0
    for path in (data / "scenes" / "a.1.scene", data / "recordings" / "of-a.mcap"):
        path.unlink()  # the scene's file is a second name of the snapshot's
        path.write_bytes(b"damage")
    with talus.launch(data_dir=str(data)) as server:
        client = server.client
        assert [info.scene for info in client.scenes()] == ["scenes/b"]
        assert client.scene("b").info().state_hash == hashes["b"]
        assert client.create_scene(snapshot="of-a", name="a").info().state_hash == hashes["a"]
        with pytest.raises(talus.DataLossError):
            client.recordings.replay("of-a")
        assert not client.recordings.replay("of-b").HasField("mismatch")
        assert server.stop() == 0
        assert "scene not restored" in server.log() and "scenes/a" in server.log()


def test_a_deleted_scene_does_not_come_back(tmp_path):
    with talus.launch(data_dir=str(tmp_path)) as server:
        scene = server.client.create_scene(ten_balls(), name="a")
        scene.snapshot("s")
        scene.delete()
        server.kill()
    with talus.launch(data_dir=str(tmp_path)) as server:
        assert list(server.client.scenes()) == []
        assert server.client.snapshot_info("s").step_index == 0


def test_an_uploaded_snapshot_is_checked_before_it_is_kept(tmp_path):
    with talus.launch(data_dir=str(tmp_path)) as server:
        client = server.client
        scene = client.create_scene(ten_balls(), name="a")
        scene.step(5)
        data = scene.download()
        info = client.upload_snapshot(data, "up")
        assert info.step_index == 5 and info.state_hash == scene.info().state_hash
        assert client.download_snapshot("up") == data
        for bad in (b"", data[:-1], data + b"x", bytes([data[0] ^ 1]) + data[1:]):
            with pytest.raises(talus.BadSnapshotError):
                client.upload_snapshot(bad, "bad")
        with pytest.raises(talus.AlreadyExistsError):
            client.upload_snapshot(data, "up")
        with pytest.raises(talus.InvalidFieldError):
            client.upload_snapshot(data, "../up")
        assert [s.snapshot for s in client.snapshots()] == ["snapshots/up"]
