"""talus_figures: what it refuses, that the same parameters leave the same bytes, and that runs which are kept in the
repository are what today's build leaves.

TALUS_BUILD names the build folder.
"""

import json
import os
import pathlib
import subprocess

import pytest

PROGRAM = pathlib.Path(os.environ["TALUS_BUILD"]) / "tests/validation/talus_figures"
KEPT = pathlib.Path(__file__).resolve().parents[2] / "docs/figures"
REPEATED = [("ab-fig4-5-sphere-piles", "mu0.1-rho0.001-seed1"), ("ab-fig4-5-sphere-piles", "mu0.5-rho0.01-seed2"),
            ("ta-fig10-13-residuals", "rho0.001-seed1-0.001"), ("ta-fig10-13-residuals", "rho0.001-seed1-1e-05")]
SMALL = {
    "rolling_disk": ["seconds=0.5"],
    "sphere_on_plane": ["seconds=0.5", "record_every=10"],
    "gravel_pile": ["particles=20", "seconds=0.5"],
    "sphere_pile": ["particles=3", "seconds=0.5"],
    "wheel": ["seconds=0.5", "law=2"],
    "guideway": ["steps=2", "preloaded=1"],
    "trough_surface": ["cells=2"],
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
    assert sheet["run"] == run and sheet["unconverged_steps"] == 0
    assert (sheet["steps"] > 0) == (run != "trough_surface")
    assert {argument.split("=")[0] for argument in SMALL[run]} <= set(sheet["parameters"])
    assert int(sheet["state_hash"], 16) != 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]


def test_the_wheel_rolls_under_the_law_that_is_asked_for(tmp_path):
    forces = {}
    for law in range(4):
        assert make("wheel", "seconds=0.1", f"law={law}", "--out", tmp_path / "run").returncode == 0
        columns = json.loads((tmp_path / "run").read_text(encoding="utf-8"))["columns"]
        assert len(columns["time_s"]) == 100
        forces[law] = columns["force_x_n"][-1], columns["force_y_n"][-1]
    assert len(set(forces.values())) == 4
    # It slips: NCP and bristles brake with μ times the normal force, no more; the corner of a box reaches √2 of that.
    sizes = {law: (x * x + y * y)**0.5 for law, (x, y) in forces.items()}
    assert abs(sizes[0] - sizes[1]) < 0.05 * sizes[0] and sizes[3] > 1.05 * sizes[0]


def test_the_wheel_records_mean_forces_and_the_last_slip(tmp_path):
    columns = {}
    for stride in (1, 10):
        assert make("wheel", "seconds=0.1", f"record_every={stride}", "--out", tmp_path / "run").returncode == 0
        columns[stride] = json.loads((tmp_path / "run").read_text(encoding="utf-8"))["columns"]
    for name in ("force_x_n", "force_y_n"):
        means = [sum(columns[1][name][at:at + 10]) / 10 for at in range(0, 100, 10)]
        assert len(columns[10][name]) == 10
        assert max(abs(mean - force) for mean, force in zip(means, columns[10][name])) < 1e-12
    assert columns[10]["slip_x_m_s"] == columns[1]["slip_x_m_s"][9::10]
    assert columns[10]["time_s"] == columns[1]["time_s"][9::10]


def test_another_seed_is_another_state(tmp_path):
    hashes = set()
    for seed in (1, 2):
        assert make("gravel_pile", *SMALL["gravel_pile"], f"seed={seed}", "--out", tmp_path / "run").returncode == 0
        hashes.add(json.loads((tmp_path / "run").read_text(encoding="utf-8"))["state_hash"])
    assert len(hashes) == 2


@pytest.mark.parametrize("figure, run", REPEATED)
def test_a_kept_run_is_what_this_build_leaves(figure, run, tmp_path):
    kept = json.loads((KEPT / f"{figure}.json").read_text(encoding="utf-8"))
    (found,) = [entry for key, entry in kept.items() if key.rsplit("-", 1)[0] == run]
    assert make(*found["record"]["command"][1:], "--out", tmp_path / "run").returncode == 0
    sheet = json.loads((tmp_path / "run").read_text(encoding="utf-8"))
    for name in ("state_hash", "steps", "unconverged_steps", "worst_residual"):
        assert sheet[name] == found["data"][name], name


def test_every_figure_that_keeps_runs_has_one_repeated():
    assert {figure for figure, _ in REPEATED} == {path.stem for path in KEPT.glob("*.json")}


def test_spheres_fall_one_after_the_other(tmp_path):
    assert make("sphere_pile", "particles=3", "seconds=0.15", "--out", tmp_path / "run").returncode == 0
    sheet = json.loads((tmp_path / "run").read_text(encoding="utf-8"))
    assert sheet["values"]["dropped"] == 3 and sheet["values"]["waited_steps"] == 0
    heights = sheet["columns"]["z_m"]
    assert heights == sorted(heights) and heights[2] < 0.2
    # 64 ms apart: each has fallen by a diameter when the next one comes.
    assert heights[2] - heights[1] > 0.02


def test_a_sphere_that_falls_is_no_part_of_the_heap(tmp_path):
    values = {}
    for seconds in (0.15, 0.25, 1.0):
        assert make("sphere_pile", "particles=2", f"seconds={seconds}", "--out", tmp_path / "run").returncode == 0
        values[seconds] = json.loads((tmp_path / "run").read_text(encoding="utf-8"))["values"]
    # The first one lies after 0.2 s, the second one 64 ms later.
    assert values[0.15]["untouched"] == 2 and values[0.15]["height_m"] == 0
    assert values[0.25]["untouched"] == 1 and abs(values[0.25]["height_m"] - 0.02) < 2e-4
    assert values[1.0]["untouched"] == 0 and values[1.0]["height_m"] < 0.04


def test_spheres_fall_from_where_they_are_told_to(tmp_path):
    heights = []
    for drop in ("drop_m=0.2", "drop_m=0.3"):
        assert make("sphere_pile", "particles=1", drop, "seconds=0.1", "--out", tmp_path / "run").returncode == 0
        heights += json.loads((tmp_path / "run").read_text(encoding="utf-8"))["columns"]["z_m"]
    assert abs(heights[1] - heights[0] - 0.1) < 1e-12
    done = make("sphere_pile", "drop_m=0.03", "--out", tmp_path / "other")
    assert done.returncode == 2 and "drop_m = 0.03 must be in [0.04, 10]" in done.stderr


def test_a_heap_is_given_time_to_come_to_rest(tmp_path):
    sheets = {}
    for longest in (1.0, 1.2, 5.0):
        assert make("sphere_pile", "particles=20", "sliding=0.1", "rolling_m=0.001", "seconds=1", f"longest_s={longest}",
                    "--out", tmp_path / "run").returncode == 0
        sheets[longest] = json.loads((tmp_path / "run").read_text(encoding="utf-8"))
    # The last sphere falls after 1.216 s: where it may go on it is waited for, and for the spheres that roll.
    assert [sheets[longest]["steps"] for longest in (1.0, 1.2)] == [1000, 1200]
    assert sheets[1.0]["values"]["dropped"] < sheets[5.0]["values"]["dropped"] == 20
    assert sheets[1.2]["values"]["fastest_m_s"] > 0.01 >= sheets[5.0]["values"]["fastest_m_s"]
    assert 1216 < sheets[5.0]["steps"] < 5000 and sheets[5.0]["values"]["untouched"] == 0
    done = make("sphere_pile", "seconds=2", "longest_s=1", "--out", tmp_path / "other")
    assert done.returncode == 2 and "longest_s = 1 must be in [2, 1000]" in done.stderr


def test_the_guideway_is_solved_to_what_is_asked_for(tmp_path):
    for tolerance in (1e-6, 1e-12):
        assert make("guideway", f"tolerance={tolerance}", "steps=3", "seal_n=5.3", "--out", tmp_path / "run").returncode == 0
        sheet = json.loads((tmp_path / "run").read_text(encoding="utf-8"))
        assert sheet["unconverged_steps"] == 0 and sheet["worst_residual"] <= tolerance
    assert make("guideway", "tolerance=0", "--out", tmp_path / "other").returncode == 2


@pytest.mark.parametrize("run", SMALL)
@pytest.mark.parametrize("argument, message", [
    ("NAME=-1", "NAME = -1 must be in ["),
    ("NAME=nan", 'NAME = "nan" must be a finite number'),
    ("NAME=1s", 'NAME = "1s" must be a finite number'),
    ("secnds=1", "secnds = 1 is no parameter of this run"),
    ("=1", 'parameter = "=1" must be name=number'),
    ("NAME", 'parameter = "NAME" must be name=number'),
])
def test_wrong_parameters_are_named(run, argument, message, tmp_path):
    name = SMALL[run][0].split("=")[0]
    done = make(run, argument.replace("NAME", name), "--out", tmp_path / "run")
    assert done.returncode == 2 and message.replace("NAME", name) in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments, message", [
    (["gravel_pile", "seed=1.5", "--out", "run"], "seed = 1.5 must be a whole number"),
    (["gravel_pile", "seed=1", "seed=2", "--out", "run"], "seed = 2 must be given once"),
    (["gravel", "--out", "run"], "must be one of rolling_disk, sphere_on_plane, gravel_pile, sphere_pile, wheel"),
    (["wheel", "law=4", "--out", "run"], "law = 4 must be in [0, 3]"),
    (["trough_surface", "cells=257", "--out", "run"], "cells = 257 must be in [1, 256]"),
    (["rolling_disk", "seconds=0.5", "--out", "/no/such/folder/run"], "cannot be written"),
    (["rolling_disk"], "usage: "),
])
def test_wrong_calls_end_with_2(arguments, message, tmp_path):
    done = subprocess.run([str(PROGRAM), *arguments], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr
