"""The demo leaves everything it promises, and the same seed gives the same pile with any number of threads."""

import csv
import json
import math
import re
import subprocess
import sys

import pytest
import talus

COUNTS = (
    *("contacts", "surface_fit_particles", "particles_in_pile", "particles_left", "frames"),
    "server_peak_memory_bytes",
)
MEASURES = (
    *("wall_seconds", "angle_of_repose_deg", "angle_of_repose_moments_deg", "surface_fit_rms_m", "pile_height_m"),
    *("residual_worst_last_second", "penetration_worst_last_second_m", "sweeps_per_step", "steps_per_second"),
    "real_time_factor",
)


def run(out, *arguments):
    command = [sys.executable, "-m", "talus.demo", "--out", str(out), "--particles", "60", "--seconds", "0.8", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=250)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    done = run(out, "--threads", "2", "--seed", "5")
    assert done.returncode == 0, done.stderr
    return out, done


def test_files(demo):
    out, done = demo
    assert (out / "pile.png").read_bytes().startswith(b"\x89PNG")
    assert (out / "table.md").read_text() in done.stdout and "angle of repose, moment fit" in done.stdout
    assert "100%" in done.stderr and "\r" not in done.stderr


def test_summary(demo):
    summary = json.loads((demo[0] / "summary.json").read_text())
    assert (summary["particles"], summary["seed"], summary["threads"], summary["law"]) == (60, 5, 2, "ncp")
    assert summary["seconds_simulated"] == pytest.approx(0.8) and summary["steps"] == 160
    assert re.fullmatch("[0-9a-f]{16}", summary["state_hash"]) and int(summary["state_hash"], 16) > 0
    assert all(type(summary[key]) is int and summary[key] > 0 for key in COUNTS)
    assert all(type(summary[key]) is float and math.isfinite(summary[key]) for key in MEASURES)


def test_measures_are_plausible(demo):
    summary = json.loads((demo[0] / "summary.json").read_text())
    # 60 stones of 45 mm hit the floor from a metre up: most of them lie in a low heap.
    assert 30 <= summary["particles_in_pile"] <= summary["particles_left"] <= 60
    assert 12 <= summary["surface_fit_particles"] <= summary["particles_in_pile"]  # fewer would have no angle, null
    assert abs(summary["angle_of_repose_deg"]) < 60 and 0 <= summary["angle_of_repose_moments_deg"] < 60
    assert 0.045 <= summary["pile_height_m"] < 0.5 and 0 <= summary["surface_fit_rms_m"] < 0.045
    assert summary["contacts"] >= summary["particles_in_pile"]  # each lies on something
    assert summary["unconverged_steps_last_second"] == 0
    assert 0 < summary["residual_worst_last_second"] <= summary["tolerance"] == 1e-4
    assert 0 <= summary["penetration_worst_last_second_m"] < 0.001
    assert summary["sweeps_per_step"] >= 1 and summary["wall_seconds"] > 0
    assert summary["real_time_factor"] == pytest.approx(0.8 / summary["wall_seconds"])
    assert summary["server_peak_memory_bytes"] > 1 << 20


def test_recording_and_contacts(demo):
    summary = json.loads((demo[0] / "summary.json").read_text())
    frames = list(talus.FrameReader(demo[0] / "frames.binpb"))
    assert len(frames) == summary["frames"] and frames[0].step_index == 0
    assert frames[-1].step_index == 160 and f"{frames[-1].state_hash:016x}" == summary["state_hash"]
    assert len(frames[-1]) == 61 == len(frames[-1].layout)
    with open(demo[0] / "contacts.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == summary["contacts"] == len(frames[-1].contacts)
    assert float(rows[0]["normal_n"]) == frames[-1].contacts.wrenches[0, 0]


def test_threads_do_not_matter_and_json_is_printed(demo, tmp_path):
    done = run(tmp_path, "--threads", "1", "--seed", "5", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["state_hash"] == json.loads((demo[0] / "summary.json").read_text())["state_hash"]
    assert summary["threads"] == 1


def test_failures_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("TALUS_SERVER", str(tmp_path / "nothing"))
    done = run(tmp_path)
    assert done.returncode == 1 and "cannot start" in done.stderr
