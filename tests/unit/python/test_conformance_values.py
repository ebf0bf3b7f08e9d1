"""Paths and texts of the conformance runner, as tests/conformance/README.md defines them."""

import os
import sys

import numpy as np
import pytest
from talus.v1 import frame_pb2, scene_pb2, scene_service_pb2, snapshot_service_pb2, stream_service_pb2

sys.path.insert(0, os.path.join(os.environ["TALUS_SOURCE_DIR"], "tests", "conformance"))
from value_path import ABSENT, Path, UsageError, assign, find  # noqa: E402
from value_text import bits_equal, show  # noqa: E402


def watch_response():
    response = stream_service_pb2.WatchStateResponse(dropped_since_last=3)
    response.frame.bodies.positions_world_m = np.array([1.0, 2.0, -0.0]).tobytes()
    response.frame.contacts.modes = np.array([5, 2**32 - 1], dtype="<u4").tobytes()
    response.frame.layout.body_kinds.append(2)
    return response


@pytest.mark.parametrize(
    "path, value",
    [
        ("[0].frame.bodies.positions_world_m[1]", 2.0),
        ("[0].frame.bodies.positions_world_m[3]", ABSENT),
        ("[0].frame.contacts.modes[1]", 2**32 - 1),
        ("[0].frame.layout.body_kinds[0]", 2),
        ("[0].frame.report", ABSENT),
        ("[0].frame.report.energy.potential_j", ABSENT),
        ("[0].frame.step_index", 0),
        ("[1].frame", ABSENT),
        ("[0].dropped_since_last", 3),
    ],
)
def test_find(path, value):
    assert find([watch_response()], Path(path)) == value


def test_optional_and_oneof_fields_are_absent_when_unset():
    assert find(scene_pb2.BodySpec(), Path("mass_kg")) is ABSENT
    assert find(scene_pb2.BodySpec(mass_kg=0.0), Path("mass_kg")) == 0.0
    assert find(scene_service_pb2.CreateSceneRequest(), Path("snapshot")) is ABSENT


def test_all_chunks_are_joined():
    messages = [snapshot_service_pb2.DownloadSnapshotResponse(chunk=b"ab") for _ in range(2)]
    assert find(messages, Path("[*].chunk")) == b"abab"
    assert find(messages, Path("")) is messages


@pytest.mark.parametrize("path", ["[0].nothing", "[0].frame.report.nothing", "[0].frame.step_index.x", "[0].frame[1]"])
def test_paths_that_name_no_field(path):
    with pytest.raises(UsageError):
        find([watch_response()], Path(path))


@pytest.mark.parametrize("text", ["A", "a..b", "a[x]", "[", "a b"])
def test_texts_that_are_no_path(text):
    with pytest.raises(UsageError):
        Path(text)


def test_assign():
    request = scene_service_pb2.RemoveBodiesRequest()
    assign(request, Path("body_ids[0]"), 7)
    assign(request, Path("body_ids[1]"), 8)
    assign(request, Path("body_ids[0]"), 9)
    assert list(request.body_ids) == [9, 8]
    create = scene_service_pb2.CreateSceneRequest()
    assign(create, Path("spec.bodies[0].shapes[0].sphere.radius_m"), 0.5)
    assert create.spec.bodies[0].shapes[0].sphere.radius_m == 0.5
    assign(create, Path("snapshot"), "s")
    assert create.WhichOneof("source") == "snapshot"
    with pytest.raises(UsageError):
        assign(create, Path("nothing"), 1)


def test_texts():
    assert show(1.0, "NUMBER") == "3ff0000000000000" and show(-0.0, "NUMBER") == "8000000000000000"
    assert show(2**64 - 1, "INTEGER") == "18446744073709551615"
    assert show('a"\\\n é', "TEXT") == '"a\\x22\\x5c\\x0a \\xc3\\xa9"'
    assert show(True, "BOOLEAN") == "true" and show(b"abc", "BYTES") == "bytes(3)"
    assert show(ABSENT, "NUMBER") == "absent"
    report = frame_pb2.StepReport(outcome=frame_pb2.SOLVE_OUTCOME_CONVERGED)
    assert show(find(report, Path("outcome")), "ENUMERATOR") == "SOLVE_OUTCOME_CONVERGED"
    report.MergeFromString(b"\x48\x63")  # outcome 99, of a newer server
    assert show(find(report, Path("outcome")), "ENUMERATOR") == "99"


def test_bits():
    assert bits_equal(float("nan"), float("nan")) and not bits_equal(0.0, -0.0)
    assert bits_equal(3, 3) and not bits_equal(3, 3.0)
