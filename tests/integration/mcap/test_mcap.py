"""Recordings read by other hands: the MCAP project's own reader, protobuf-es with the schemas in the file."""

import json
import os
import pathlib
import subprocess

import numpy
import pytest

import talus
from talus import scene as describe

HERE = pathlib.Path(__file__).parent


def read(path, *arguments):
    """What read.mjs tells of a file."""
    done = subprocess.run([os.environ["TALUS_NODE"], str(HERE / "read.mjs"), str(path), *arguments],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def balls():
    stone = describe.material("stone", sliding=0.5, rolling=0.01)
    bodies = [describe.plane(material="stone", name="ground")]
    bodies += [
        describe.sphere(0.25, material="stone", name=f"ball{i}", position=(0.7 * i, 0.1 * i, 0.5), density=1000.0)
        for i in range(6)
    ]
    return describe.spec(materials=[stone], bodies=bodies)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A file, and what queries told of the same steps."""
    folder = tmp_path_factory.mktemp("data")
    told = {}
    with talus.launch(data_dir=str(folder)) as server:
        scene = server.client.create_scene(balls(), name="a")
        server.client.recordings.start("a", "r", velocities=True, contacts=True, diagnostics=True, every_n_steps=4)
        for _ in range(60):
            result = scene.step(1, positions=True, orientations=True, velocities=True, contacts=True, report=True)
            told[result.step_index] = result
        scene.add_bodies([describe.sphere(0.1, material="stone", name="late", position=(0.0, 0.0, 9.0), density=500.0)])
        scene.step(600)
        recording = server.client.recordings.stop("r")
        server.client.recordings.download("r", folder / "fetched.mcap")
    assert (folder / "fetched.mcap").read_bytes() == (folder / "recordings" / "r.mcap").read_bytes()
    return folder / "fetched.mcap", told, recording


def test_the_summary_tells_what_is_there(recorded):
    path, _, recording = recorded
    seen = read(path)
    counts = {topic: len(messages) for topic, messages in seen["messages"].items()}
    assert seen["statistics"]["channelMessageCounts"] == counts
    assert int(seen["statistics"]["messageCount"]) == sum(counts.values())
    assert seen["statistics"]["chunkCount"] == len(seen["chunks"]) >= 1
    assert set(seen["chunks"]) == {"zstd"}
    assert set(seen["schemas"].values()) == {"protobuf"}
    assert counts["/frames"] == counts["/contacts"] == counts["/diagnostics"] == recording.frame_count
    assert counts["/inputs"] == recording.input_count
    assert counts["/layout"] == 2
    assert [a["name"] for a in seen["attachments"]] == ["start.snapshot"]
    assert seen["metadata"]["talus.recording"]["scene"] == "a"
    assert seen["metadata"]["talus.recording.end"]["state"] == "complete"
    for messages in seen["messages"].values():
        assert [m["sequence"] for m in messages] == list(range(len(messages)))


def test_every_frame_is_the_state_that_was_queried(recorded):
    path, told, _ = recorded
    seen = read(path)["messages"]
    compared = 0
    for message in seen["/frames"]:
        frame = message["value"]
        index = int(frame["stepIndex"])
        assert int(message["logTime"]) == round(frame["timeS"] * 1e9)
        if index not in told:
            continue
        assert int(frame["stateHash"]) == told[index].state_hash or index == 60
        expected = told[index].frame
        numpy.testing.assert_array_equal(frame["bodies"]["positionsWorldM"][:21], expected.positions.reshape(-1))
        numpy.testing.assert_array_equal(frame["bodies"]["orientationsWxyz"][:28], expected.orientations.reshape(-1))
        compared += 1
    assert compared >= 15
    touching = 0
    for message in seen["/contacts"]:
        index = int(message["value"]["stepIndex"])
        if index not in told:
            continue
        expected = told[index].frame.contacts
        numpy.testing.assert_array_equal(message["value"]["contacts"]["forcesWorldN"], expected.forces.reshape(-1))
        touching += len(message["value"]["contacts"]["bodyARows"])
    assert touching > 0
    for message in seen["/diagnostics"]:
        index = int(message["value"]["stepIndex"])
        if 0 < index < 60:
            assert message["value"]["residual"] == told[index].report.residual


def test_inputs_stand_in_order_with_the_hash_after_each_step(recorded):
    path, told, _ = recorded
    inputs = [message["value"] for message in read(path)["messages"]["/inputs"]]
    hashes = []
    kinds = []
    for one in inputs:
        assert int(one["stepIndex"]) == len(hashes)
        if "steps" in one:
            hashes += [int(h) for h in one["steps"]["stateHashes"]]
            assert int(one["stateHash"]) == hashes[-1]
        kinds.append("steps" if "steps" in one else "bodiesAdded" if "bodiesAdded" in one else "?")
    assert len(hashes) == 660
    assert hashes[:60] == [told[index].state_hash for index in range(1, 61)]
    assert "bodiesAdded" in kinds and "?" not in kinds
    added = next(one for one in inputs if "bodiesAdded" in one)
    assert added["bodiesAdded"]["bodies"][0]["name"] == "late"


def test_a_file_cut_off_is_read_up_to_its_last_chunk(recorded, tmp_path):
    path, _, _ = recorded
    whole = read(path)["messages"]
    data = path.read_bytes()
    cut = tmp_path / "cut.mcap"
    for share in (0.99, 0.9):
        cut.write_bytes(data[: int(share * len(data))])
        seen = read(cut, "--cut-off")
        assert not seen["indexed"]
        assert [a["name"] for a in seen["attachments"]] == ["start.snapshot"]
        for topic, messages in seen["messages"].items():
            assert messages == whole[topic][: len(messages)]
