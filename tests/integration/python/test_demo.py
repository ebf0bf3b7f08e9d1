"""The demo leaves everything it promises, and the same seed gives the same pile with any number of threads."""

import csv
import json
import subprocess
import sys

import pytest
import talus

KEYS = {
    *("particles", "seconds_simulated", "wall_seconds", "angle_of_repose_deg", "contacts", "state_hash", "threads", "seed"),
    *("residual_worst_last_second", "penetration_worst_last_second_m"),
}


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
    assert KEYS <= set(summary)
    assert (summary["particles"], summary["seed"], summary["threads"]) == (60, 5, 2)
    assert summary["seconds_simulated"] == pytest.approx(0.8) and summary["steps"] == 160
    assert len(summary["state_hash"]) == 16 and int(summary["state_hash"], 16) > 0
    assert summary["server_peak_memory_bytes"] > 1 << 20 and summary["wall_seconds"] > 0


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
