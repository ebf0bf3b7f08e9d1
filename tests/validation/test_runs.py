"""talus_figures: what it refuses, and that the same parameters leave the same bytes.

TALUS_BUILD names the build folder.
"""

import json
import os
import pathlib
import subprocess

import pytest

PROGRAM = pathlib.Path(os.environ["TALUS_BUILD"]) / "tests/validation/talus_figures"
SMALL = {
    "rolling_disk": ["seconds=0.5"],
    "sphere_on_plane": ["seconds=0.5", "record_every=10"],
    "gravel_pile": ["particles=20", "seconds=0.5"],
    "sphere_pile": ["particles=3", "seconds=0.5"],
}


def make(*arguments):
    return subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("run", SMALL)
def test_the_same_parameters_leave_the_same_bytes(run, tmp_path):
    for name in ("first", "second"):
        done = make(run, *SMALL[run], "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    sheet = json.loads((tmp_path / "first").read_text(encoding="utf-8"))
    assert sheet["run"] == run and sheet["steps"] > 0 and sheet["unconverged_steps"] == 0
    assert {argument.split("=")[0] for argument in SMALL[run]} <= set(sheet["parameters"])
    assert int(sheet["state_hash"], 16) != 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]


def test_another_seed_is_another_state(tmp_path):
    hashes = set()
    for seed in (1, 2):
        assert make("gravel_pile", *SMALL["gravel_pile"], f"seed={seed}", "--out", tmp_path / "run").returncode == 0
        hashes.add(json.loads((tmp_path / "run").read_text(encoding="utf-8"))["state_hash"])
    assert len(hashes) == 2


def test_spheres_fall_one_after_the_other(tmp_path):
    assert make("sphere_pile", "particles=3", "seconds=0.15", "--out", tmp_path / "run").returncode == 0
    sheet = json.loads((tmp_path / "run").read_text(encoding="utf-8"))
    assert sheet["values"]["dropped"] == 3 and sheet["values"]["waited_steps"] == 0
    heights = sheet["columns"]["z_m"]
    assert heights == sorted(heights) and heights[2] < 0.2
    # 64 ms apart: each has fallen by a diameter when the next one comes.
    assert heights[2] - heights[1] > 0.02


@pytest.mark.parametrize("run", SMALL)
@pytest.mark.parametrize("argument, message", [
    ("seconds=-1", "seconds = -1 must be in [0.1, "),
    ("seconds=nan", 'seconds = "nan" must be a finite number'),
    ("seconds=1s", 'seconds = "1s" must be a finite number'),
    ("secnds=1", "secnds = 1 is no parameter of this run"),
    ("=1", 'parameter = "=1" must be name=number'),
    ("seconds", 'parameter = "seconds" must be name=number'),
])
def test_wrong_parameters_are_named(run, argument, message, tmp_path):
    done = make(run, argument, "--out", tmp_path / "run")
    assert done.returncode == 2 and message in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments, message", [
    (["gravel_pile", "seed=1.5", "--out", "run"], "seed = 1.5 must be a whole number"),
    (["gravel_pile", "seed=1", "seed=2", "--out", "run"], "seed = 2 must be given once"),
    (["gravel", "--out", "run"], "must be one of rolling_disk, sphere_on_plane, gravel_pile, sphere_pile"),
    (["rolling_disk", "seconds=0.5", "--out", "/no/such/folder/run"], "cannot be written"),
    (["rolling_disk"], "usage: "),
])
def test_wrong_calls_end_with_2(arguments, message, tmp_path):
    done = subprocess.run([str(PROGRAM), *arguments], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr
