"""The validation book: the fastest figure end to end, and what happens when runs fail, are missing or are interrupted."""

import json
import re
import shutil
import signal
import time

import numpy as np
import pytest
from conftest import FAST, SLOW, WRONG, book, start

from matplotlib.colors import to_rgb
from PIL import Image

from book.drawing import COLORS, canvas, save
from book.figure import Row, Run, numbers
from book.run_queue import duration


def test_the_fastest_figure_end_to_end(tmp_path):
    arguments = ("--only", "ab-fig3", "--out", tmp_path, "--jobs", "2")
    code, said = book(*arguments)
    assert code == 0, said
    assert "ab-fig3-velocities: 3 runs, 3 to make" in said
    page = (tmp_path / "VALIDATION.md").read_text(encoding="utf-8")
    section = page.split('<a id="ab-fig3-velocities"></a>')[1].split("<a id=")[0]
    assert "![Sphere on a plane: velocities over time](figures/ab-fig3-velocities.png)" in section
    assert len(re.findall(r"^\| \([abc]\) ", section, re.MULTILINE)) == 12
    assert "outside" not in section.lower()
    assert "every step reached its tolerance" in section
    assert "| not run |" in page  # the figures that were not asked for
    picture = (tmp_path / "figures/ab-fig3-velocities.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) < 150_000
    run = json.loads(next(tmp_path.glob("runs/ab-fig3-velocities/a-*[0-9a-f].json")).read_text(encoding="utf-8"))
    assert re.fullmatch("[0-9a-f]{16}", run["state_hash"])

    code, said = book(*arguments)
    assert code == 0
    assert "ab-fig3-velocities: 3 runs, 0 to make" in said
    assert (tmp_path / "VALIDATION.md").read_text(encoding="utf-8") == page
    assert (tmp_path / "figures/ab-fig3-velocities.png").read_bytes() == picture


def test_a_failed_run_is_listed_and_the_others_are_made(shelf):
    shelf.put("good", FAST)
    shelf.put("bad", WRONG, FAST)
    code, said = shelf.book()
    assert code == 1
    assert re.search(r"failed runs:\n +bad wrong .*particles = -1 must be in", said), said
    assert "not run:\n  bad: 1 of 2 runs" in said
    assert len(shelf.records()) == 2
    text = shelf.page.read_text(encoding="utf-8")
    assert "Not run: 1 of 2 runs are there." in text and "1 rows, 0 outside" in text
    code, said = shelf.book()
    assert code == 1 and "bad: 2 runs, 1 to make" in said and "good: 1 runs, 0 to make" in said


def test_a_part_of_the_runs_makes_a_figure_that_says_so(shelf, tmp_path):
    shelf.put("some", FAST, WRONG)
    path = tmp_path / "figures/some.py"
    path.write_text(path.read_text(encoding="utf-8") + "\ndef enough(done):\n    return 'fast' in done\n", encoding="utf-8")
    code, said = shelf.book()
    assert code == 1 and "not run:\n  some: 1 of 2 runs" in said
    text = shelf.page.read_text(encoding="utf-8")
    assert "**In part: 1 of 2 runs are not run yet**" in text and "0 outside their tolerance (1 of 2 runs)" in text
    assert "| steps | 100 | 100 | 0 | 0 |" in text
    path.write_text(path.read_text(encoding="utf-8").replace("'fast'", "'wrong'"), encoding="utf-8")
    shelf.page.unlink()
    shelf.book()
    assert "Not run: 1 of 2 runs are there." in shelf.page.read_text(encoding="utf-8")


def test_notes_are_made_with_the_page_below_the_rows(shelf, tmp_path):
    shelf.put("said", FAST)
    path = tmp_path / "figures/said.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "\ndef notes(data):\n    return f\"It took {data['fast']['steps']} steps.\"\n", encoding="utf-8")
    assert shelf.book()[0] == 0
    page = shelf.page.read_text(encoding="utf-8")
    assert re.search(r"\n\| steps \| 100 .*\n\nIt took 100 steps\.\n\n1 runs, 100 steps, ", page), page
    path.write_text(text, encoding="utf-8")
    assert shelf.book()[0] == 0
    assert re.search(r"\n\| steps \| 100 .*\n\n1 runs, 100 steps, ", shelf.page.read_text(encoding="utf-8"))


def test_a_figure_without_runs_stays_on_the_page(shelf, tmp_path):
    shelf.put("first", FAST)
    shelf.put("second", FAST)
    assert shelf.book()[0] == 0
    page = shelf.page.read_text(encoding="utf-8")
    assert "## Claims" in page and page.count("| steps | 100 | 100 | 0 | 0 |") == 2
    first, second = (tmp_path / f"out/figures/{name}.png" for name in ("first", "second"))
    second.write_bytes(b"drawn before")
    shutil.rmtree(tmp_path / "out/runs")
    code, said = shelf.book("--only", "first")
    assert code == 0 and "not run:\n  second: 1 of 1 runs" in said
    assert shelf.page.read_text(encoding="utf-8") == page
    assert first.read_bytes().startswith(b"\x89PNG") and second.read_bytes() == b"drawn before"

    shutil.rmtree(tmp_path / "out/runs")
    shelf.put("first", WRONG)
    assert shelf.book("--only", "first")[0] == 1
    assert shelf.page.read_text(encoding="utf-8") == page


def test_runs_that_take_hours_are_kept_beside_the_picture(shelf, tmp_path):
    shelf.put("long", FAST)
    path = tmp_path / "figures/long.py"
    path.write_text(path.read_text(encoding="utf-8") + "KEEPS_RUNS = True\n", encoding="utf-8")
    assert shelf.book()[0] == 0
    page = shelf.page.read_text(encoding="utf-8")
    kept = tmp_path / "out/figures/long.json"
    assert '"state_hash"' in kept.read_text(encoding="utf-8") and "columns" not in kept.read_text(encoding="utf-8")
    shutil.rmtree(tmp_path / "out/runs")
    code, said = shelf.book()
    assert code == 0 and "long: 1 runs, 0 to make" in said
    assert shelf.page.read_text(encoding="utf-8") == page
    assert "long: 1 runs, 0 to make" in shelf.book("--renew")[1]  # this build made it
    kept.write_text(kept.read_text(encoding="utf-8").replace('"program": "', '"program": "no '), encoding="utf-8")
    assert "long: 1 runs, 1 to make" in shelf.book("--renew")[1]
    assert '"program": "no ' not in kept.read_text(encoding="utf-8")  # made anew, and kept


def test_what_is_kept_of_a_run_may_be_what_its_columns_come_to(shelf, tmp_path):
    shelf.put("long", FAST)
    path = tmp_path / "figures/long.py"
    path.write_text(path.read_text(encoding="utf-8").replace('data["fast"]["steps"]', 'data["fast"]["values"]["rows"]') + """
KEEPS_RUNS = True

def condense(data):
    return {"rows": data["steps"] + len(data["columns"])}
""", encoding="utf-8")
    assert shelf.book()[0] == 0
    kept = json.loads((tmp_path / "out/figures/long.json").read_text(encoding="utf-8"))
    (run,) = kept.values()
    assert run["data"]["values"] == {"rows": 100} and "columns" not in run["data"]
    page = shelf.page.read_text(encoding="utf-8")
    shutil.rmtree(tmp_path / "out/runs")
    assert "long: 1 runs, 0 to make" in shelf.book()[1]
    assert shelf.page.read_text(encoding="utf-8") == page


def test_a_row_outside_its_tolerance_is_marked_and_ends_with_1(shelf):
    shelf.put("off", FAST, steps=99)
    code, said = shelf.book()
    assert code == 1 and "off: steps: 100, paper 99 (± 0)" in said
    assert "| steps **outside** | 99 | 100 | 1 | 0 |" in shelf.page.read_text(encoding="utf-8")


def test_another_command_is_another_run_and_another_build_only_when_asked(shelf):
    shelf.put("one", FAST)
    assert shelf.book()[0] == 0
    shelf.put("one", FAST.replace("0.1)", "0.2)", 1), steps=200)
    code, said = shelf.book()
    assert code == 0 and "one: 1 runs, 1 to make" in said
    for path in shelf.records():
        record = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**record, "program": "another"}), encoding="utf-8")
    assert "one: 1 runs, 0 to make" in shelf.book()[1]
    assert "Made by talus_figures `another`." in shelf.page.read_text(encoding="utf-8")
    code, said = shelf.book("--renew")
    assert code == 0 and "one: 1 runs, 1 to make" in said
    assert re.search("Made by talus_figures `[0-9a-f]{16}`[.]", shelf.page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_finished_runs(shelf, number):
    shelf.put("long", FAST, SLOW)
    process = start(*shelf.arguments(), start_new_session=True)
    try:
        for _ in range(600):
            if shelf.records() and list(shelf.out.glob("runs/long/*")):
                break
            time.sleep(0.1)
        assert len(shelf.records()) == 1
        process.send_signal(number)
        said, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130, said
    assert "finished runs are kept" in said
    assert not shelf.page.exists()
    said = shelf.book("--draw-only")[1]
    assert "long: 2 runs, 1 to make" in said and "not run:\n  long: 1 of 2 runs" in said


def test_an_interrupt_ends_a_program_that_does_not_heed_it(shelf, tmp_path):
    script = tmp_path / "deaf.py"
    script.write_text("import pathlib, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                      f"pathlib.Path({str(tmp_path / 'deaf')!r}).touch()\ntime.sleep(900)\n", encoding="utf-8")
    shelf.put("deaf", f'Run("deaf", ({str(script)!r},), 1.0)')
    process = start(*shelf.arguments())
    try:
        for _ in range(600):
            if (tmp_path / "deaf").exists():
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130 and "finished runs are kept" in said


def test_lines_keep_their_colours_beside_more_than_a_palette_has(tmp_path):
    figure, axes = canvas()
    down, across = np.mgrid[0:1:80j, 0:1:120j]
    axes.imshow(np.dstack([down, across, 1.0 - down * across]), extent=(0.0, 1.0, 0.0, 0.5), aspect="auto")
    for row, color in enumerate(COLORS):
        axes.plot([0.4, 0.5], [0.6 + 0.1 * row] * 2, color=color, lw=3)
    axes.set(ylim=(0.0, 1.2))
    save(figure, tmp_path / "colours.png")
    with Image.open(tmp_path / "colours.png") as picture:
        assert picture.mode == "P"
        found = np.asarray(picture.convert("RGB"), dtype=int).reshape(-1, 3)
    for color in COLORS:
        off = np.abs(found - np.round(255.0 * np.array(to_rgb(color)))).sum(axis=1).min()
        assert off <= 8, f"{color}: {off}"  # of the palette's nearest, no more than an eye would see


@pytest.mark.parametrize("arguments, message", [
    (["--jobs", "0"], "must be a whole number from 1 to 9999"),
    (["--only", "("], "is no regular expression"),
    (["--only", "no-such-figure"], "no figure is named so; there are claims, ab-fig2-stopping-distance"),
    (["--nonsense"], "unrecognized arguments"),
])
def test_wrong_options_end_with_2(tmp_path, arguments, message):
    code, said = book("--out", tmp_path, *arguments)
    assert code == 2 and message in said


def test_a_file_that_is_no_figure_is_refused(shelf, tmp_path):
    shelf.put("good", FAST)
    (tmp_path / "figures/half.py").write_text("TITLE = SOURCE = TEXT = ''\n", encoding="utf-8")
    code, said = shelf.book()
    assert code == 2 and "a figure needs runs, draw, compare too" in said
    (tmp_path / "tables").mkdir()
    (tmp_path / "figures/half.py").rename(tmp_path / "tables/half.py")
    code, said = shelf.book()
    assert code == 2 and "a table needs ABOUT, runs too" in said
    (tmp_path / "tables/half.py").rename(tmp_path / "figures/half.py")
    (tmp_path / "figures/half.py").unlink()
    shelf.put("twice", FAST, FAST)
    code, said = shelf.book()
    assert code == 2 and "runs named twice: ['fast']" in said


@pytest.mark.parametrize("relation, ours, passed", [
    ("=", 1.1, True), ("=", 0.9, True), ("=", 1.2, False), ("=", float("nan"), False), ("<=", -9.0, True),
    ("<=", 1.1, True), ("<=", 1.2, False), (">=", 9.0, True), (">=", 0.9, True), (">=", 0.8, False),
    (">=", float("inf"), False)])
def test_rows_pass_by_their_relation(relation, ours, passed):
    assert Row("q", 1.0, ours, 0.15, "-", "r", relation).passed is passed


def test_names_and_durations():
    with pytest.raises(ValueError, match="run name"):
        Run("../escape", numbers("p", "r"), 1.0)
    assert numbers("p", "r", h=0.1, n=3) == ("p", "r", "h=0.1", "n=3")
    assert [duration(seconds) for seconds in (0.2, 89, 120, 5400, 7260)] == \
        ["1 s", "89 s", "2 min", "1 h 30 min", "2 h 01 min"]
