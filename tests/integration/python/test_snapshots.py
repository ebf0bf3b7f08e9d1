"""Snapshots, forks and downloads continue bit for bit, also after a kill."""

import os

import pytest
import talus
from conftest import KILLED, launch, pair_spec


def pile(client, steps=60):
    scene = client.create_scene(talus.gravel_pile(80))
    scene.step(steps)
    return scene


def continues(scene, steps=60):
    return [scene.step(10).state_hash for _ in range(steps // 10)]


def test_snapshot_and_restore(client, name):
    scene = pile(client)
    info = scene.snapshot(name)
    assert info.snapshot == f"snapshots/{name}" and info.step_index == 60 and info.byte_size > 0
    assert info.state_hash == scene.info().state_hash
    undisturbed = continues(scene)
    assert scene.restore(name).state_hash == info.state_hash
    assert continues(scene) == undisturbed
    again = client.create_scene(snapshot=name)
    assert continues(again) == undisturbed


def test_list_and_delete(client, name):
    scene = client.create_scene(pair_spec())
    for letter in "ba":
        scene.snapshot(f"{name}-{letter}")
    listed = [info.snapshot for info in client.snapshots(page_size=1)]
    assert listed == sorted(listed) and {f"snapshots/{name}-a", f"snapshots/{name}-b"} <= set(listed)
    client.delete_snapshot(f"{name}-a")
    assert f"snapshots/{name}-a" not in [info.snapshot for info in client.snapshots()]
    with pytest.raises(talus.NotFoundError):
        client.delete_snapshot(f"{name}-a")


def test_names(client, name):
    scene = client.create_scene(pair_spec())
    assert scene.snapshot().snapshot != scene.snapshot().snapshot  # chosen by the server
    scene.snapshot(name)
    with pytest.raises(talus.AlreadyExistsError):
        scene.snapshot(name)
    for bad in ("../escape", "a/b", "x" * 65):
        with pytest.raises(talus.InvalidFieldError):
            scene.snapshot(bad)
    with pytest.raises(talus.InvalidFieldError):
        client.snapshots(page_size=-1)


def test_unknown_snapshot_changes_nothing(client, name):
    scene = client.create_scene(pair_spec())
    before = scene.info()
    with pytest.raises(talus.NotFoundError):
        scene.restore("never")
    with pytest.raises(talus.NotFoundError):
        client.create_scene(name=name, snapshot="never")
    with pytest.raises(talus.NotFoundError):
        client.download_snapshot("never")
    assert scene.info() == before and f"scenes/{name}" not in [info.scene for info in client.scenes()]


def test_forks_are_identical_until_an_input_differs(client, name):
    scene = pile(client)
    twin, other = scene.fork([f"{name}-twin", f"{name}-other"])
    assert twin.name == f"scenes/{name}-twin"
    undisturbed = continues(scene)
    assert continues(twin) == undisturbed
    assert other.info().step_index == 60
    other.remove_emitters("nozzle")
    assert continues(other) != undisturbed
    with pytest.raises(talus.AlreadyExistsError):
        scene.fork([f"{name}-new", f"{name}-twin"])
    assert f"scenes/{name}-new" not in [info.scene for info in client.scenes()]
    for senseless in (0, 65):
        with pytest.raises(talus.InvalidFieldError):
            scene.fork(senseless)


def test_fork_is_idempotent_by_request_id(client, name):
    scene = client.create_scene(pair_spec())
    first = scene.fork(2, request_id=name)
    assert [fork.name for fork in scene.fork(2, request_id=name)] == [fork.name for fork in first]
    with pytest.raises(talus.RequestIdReusedError):
        scene.fork(3, request_id=name)


def test_downloads(client, name):
    scene = pile(client)
    scene.snapshot(name)
    assert scene.download() == client.download_snapshot(name)
    assert client.create_scene(scene.download()).info().state_hash == scene.info().state_hash


def test_damaged_bytes_are_refused(client, name):
    data = bytearray(pile(client).download())
    data[len(data) // 2] ^= 1
    for damaged in (bytes(data), bytes(data[:100]), b"", b"nonsense"):
        with pytest.raises((talus.BadSnapshotError, talus.InvalidArgumentError)):
            client.create_scene(damaged, name=name)
    assert f"scenes/{name}" not in [info.scene for info in client.scenes()]


def test_damaged_file_is_data_loss(tmp_path):
    with launch(data_dir=str(tmp_path)) as server:
        scene = pile(server.client)
        scene.snapshot("kept")
        before = scene.step(5).state_hash
        (path,) = [os.path.join(folder, file) for folder, _, files in os.walk(tmp_path) for file in files if "kept" in file]
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        with pytest.raises(talus.BadSnapshotError) as caught:
            scene.restore("kept")
        assert caught.value.code is talus.Code.DATA_LOSS
        assert scene.info().state_hash == before


def test_no_data_directory():
    with launch() as server:
        scene = server.client.create_scene(pair_spec())
        with pytest.raises(talus.StorageError):
            scene.snapshot("kept")
        assert scene.step().step_index == 1


def test_kill_and_restore_continue_as_if_nothing_had_happened(tmp_path):
    with launch(data_dir=str(tmp_path), workers=1, status=KILLED) as server:
        undisturbed = continues(pile(server.client))  # a scene that is never saved nor killed on its way
        scene = pile(server.client)
        info = scene.snapshot("kept")
        running = scene.submit_step(1_000_000)
        server.kill()
        with pytest.raises(talus.UnavailableError):
            running.result(30)
    with launch(data_dir=str(tmp_path), workers=2) as server:
        assert [kept.snapshot for kept in server.client.snapshots()] == ["snapshots/kept"]
        scene = server.client.create_scene(snapshot="kept")
        assert scene.info().state_hash == info.state_hash
        assert continues(scene) == undisturbed
        # Put back into a scene of another past, it goes the same way.
        anew = pile(server.client, steps=5)
        restored = anew.restore("kept")
        assert (restored.step_index, restored.state_hash) == (info.step_index, info.state_hash)
        assert continues(anew) == undisturbed


def test_too_many_snapshots(tmp_path):
    with launch(data_dir=str(tmp_path), max_snapshots=2) as server:
        scene = server.client.create_scene(pair_spec())
        for letter in "ab":
            scene.snapshot(letter)
        with pytest.raises(talus.LimitReachedError) as caught:
            scene.snapshot("c")
        assert caught.value.limit_name == "snapshots"
        server.client.delete_snapshot("a")
        scene.snapshot("c")
