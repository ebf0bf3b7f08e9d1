"""Storage that fails: a full disk, a directory that cannot be written, damaged files. A clear error, nothing else harmed."""

import os
import subprocess

import pytest

import talus
from test_server_binary import ten_balls, wait_until


@pytest.fixture(name="small_disk")
def small_disk_fixture(tmp_path):
    """A file system of 4 MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_a_clear_error_and_stepping_goes_on(small_disk):
    with talus.launch(data_dir=str(small_disk), autosave_seconds=1) as server:
        client = server.client
        scene = client.create_scene(ten_balls(), name="a")
        scene.step(3)
        kept = scene.snapshot("kept")
        client.recordings.start("a", "r", velocities=True, contacts=True)
        filler = small_disk / "filler"
        with open(filler, "wb", buffering=0) as file, pytest.raises(OSError):
            while True:
                file.write(os.urandom(1 << 16))
                file.flush()
        with pytest.raises(talus.StorageError) as full:
            for number in range(100):
                scene.snapshot(f"s{number}")
        assert "No space left" in str(full.value)
        assert full.value.retry_after == 1.0
        for _ in range(20):
            scene.step(200)
        ended = client.recordings.stop("r")
        assert ended.state == talus.recordings.messages.RECORDING_STATE_FAILED
        assert "No space left" in ended.ended_because
        hash_before = scene.info().state_hash
        filler.unlink()
        scene.snapshot("after")
        assert client.create_scene(snapshot="kept").info().state_hash == kept.state_hash
        assert not client.recordings.replay("r").HasField("mismatch")
        assert server.stop() == 0
    with talus.launch(data_dir=str(small_disk)) as server:
        assert server.client.scene("a").info().state_hash == hash_before


def test_a_directory_that_cannot_be_written_is_a_clear_error(small_disk):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    ended = subprocess.run([os.environ["TALUS_SERVER"], "--listen", "127.0.0.1:0", "--data-dir", str(small_disk)],
                           capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert "Read-only file system" in ended.stderr and str(small_disk) in ended.stderr


def fill(folder):
    """Leaves no room; the file to delete when there is to be some again."""
    filler = folder / "filler"
    with open(filler, "wb", buffering=0) as file, pytest.raises(OSError):
        while True:
            file.write(os.urandom(1 << 12))
    return filler


def test_an_upload_to_a_full_disk_leaves_nothing(small_disk):
    with talus.launch(data_dir=str(small_disk)) as server:
        client = server.client
        scene = client.create_scene(ten_balls(), name="a")
        scene.step(5)
        data = scene.download()
        filler = fill(small_disk)
        with pytest.raises(talus.StorageError) as full:
            client.upload_snapshot(data, "up")
        assert "No space left" in str(full.value)
        assert list(client.snapshots()) == []
        assert sorted(path.name for path in small_disk.glob("*up*")) == []
        filler.unlink()
        assert client.upload_snapshot(data, "up").state_hash == scene.info().state_hash
        assert server.stop() == 0


def test_autosave_on_a_full_disk_tells_and_carries_on_when_there_is_room(small_disk):
    with talus.launch(data_dir=str(small_disk), autosave_seconds=1) as server:
        scene = server.client.create_scene(ten_balls(), name="a")
        filler = fill(small_disk)
        scene.step(3)
        wait_until(lambda: "No space left" in server.log())
        assert scene.step(3).step_index == 6
        assert list((small_disk / "scenes").glob("a.*.scene")) == []
        filler.unlink()
        wait_until(lambda: list((small_disk / "scenes").glob("a.*.scene")))
        saved = scene.info().state_hash
        server.kill()
    with talus.launch(data_dir=str(small_disk)) as server:
        assert server.client.scene("a").info().state_hash == saved


def test_a_disk_that_turns_read_only_stops_no_scene(small_disk):
    with talus.launch(data_dir=str(small_disk)) as server:
        client = server.client
        scene = client.create_scene(ten_balls(), name="a")
        scene.step(3)
        kept = scene.snapshot("kept")
        # The same files once more on top: what is open for writing already keeps the mount below from turning.
        subprocess.run(["mount", "--bind", str(small_disk), str(small_disk)], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", str(small_disk)], check=True)
        for refused in (lambda: scene.snapshot("more"), lambda: client.recordings.start("a", "r"),
                        lambda: client.upload_snapshot(scene.download(), "up"), lambda: client.delete_snapshot("kept")):
            with pytest.raises(talus.StorageError) as error:
                refused()
            assert "Read-only file system" in str(error.value)
        assert client.create_scene(snapshot="kept").info().state_hash == kept.state_hash
        assert scene.step(10).step_index == 13
        subprocess.run(["umount", str(small_disk)], check=True)
        assert scene.snapshot("more").step_index == 13
        assert server.stop() == 0


def test_a_damaged_snapshot_in_the_directory_at_the_start(tmp_path):
    with talus.launch(data_dir=str(tmp_path)) as server:
        scene = server.client.create_scene(ten_balls(), name="a")
        for number in range(4):
            scene.step(1)
            scene.snapshot(f"s{number}")
        last = scene.info().state_hash
        assert server.stop() == 0
    whole = (tmp_path / "s0.snapshot").read_bytes()
    damages = {"s0": whole[: len(whole) // 2], "s1": b"", "s2": whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]}
    for name, damage in damages.items():
        (tmp_path / f"{name}.snapshot").unlink()  # the scene's file is a second name of it
        (tmp_path / f"{name}.snapshot").write_bytes(damage)
    with talus.launch(data_dir=str(tmp_path)) as server:
        client = server.client
        assert client.scene("a").info().state_hash == last
        for name in damages:
            with pytest.raises(talus.BadSnapshotError, match="DATA_LOSS"):
                client.create_scene(snapshot=name)
            with pytest.raises(talus.BadSnapshotError, match="DATA_LOSS"):
                client.scene("a").restore(name)
            client.delete_snapshot(name)
        assert client.scene("a").info().state_hash == last
        assert client.create_scene(snapshot="s3").info().state_hash == last
        assert [info.snapshot for info in client.snapshots()] == ["snapshots/s3"]
        assert server.stop() == 0


def test_a_damaged_autosave_gives_way_to_the_one_before(tmp_path):
    with talus.launch(data_dir=str(tmp_path), autosave_seconds=1) as server:
        scene = server.client.create_scene(ten_balls(), name="a")
        files = lambda: sorted((tmp_path / "scenes").glob("a.*.scene"), key=lambda path: int(path.name.split(".")[1]))
        hashes = []
        for count in (1, 2):
            hashes.append(scene.step(4).state_hash)
            wait_until(lambda: len(files()) == count)
        server.kill()
    newest = files()[-1]
    newest.write_bytes(newest.read_bytes()[:-1])
    with talus.launch(data_dir=str(tmp_path)) as server:
        assert server.client.scene("a").info().state_hash == hashes[0]
        assert server.stop() == 0
