"""The validation book: the fastest figure and a page of tables end to end, and what happens when runs fail, are missing
or are interrupted.

TALUS_BUILD names the build folder; talus_figures must be there.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["TALUS_BUILD"])
sys.path.insert(0, str(FOLDER))

from book.figure import Row, Run, numbers  # noqa: E402
from book.run_queue import duration  # noqa: E402
from book.shelf import load_tables  # noqa: E402

FAST = 'Run("fast", numbers("talus_figures", "sphere_on_plane", seconds=0.1), 0.1)'
SLOW = 'Run("slow", numbers("talus_figures", "gravel_pile", particles=20000, seconds=1000, tolerance=1e-9), 900.0)'
WRONG = 'Run("wrong", numbers("talus_figures", "gravel_pile", particles=-1), 0.1)'
FIGURE = """
from book.drawing import canvas, save
from book.figure import Row, Run, numbers

TITLE, SOURCE, TEXT = "A figure", "nowhere", "Made by a test."

def runs():
    return [{runs}]

def draw(data, path):
    figure, axes = canvas()
    axes.plot([0, 1])
    save(figure, path)

def compare(data):
    return [Row("steps", {steps}, data["fast"]["steps"], 0.0, "-", "counted")]
"""

TABLE = """
from book.figure import Run

TITLE, ABOUT, TEXT = "A table", "of a test", "Printed by a test."
KEEPS_RUNS = {keeps}

def runs():
    return [{runs}]

def summary(printed):
    return "\\n" + "".join(f"{{name}} shows {{len(text.splitlines())}} lines.\\n" for name, text in printed.items())
"""
PRINTER = """
import pathlib, sys, time
log = pathlib.Path(__file__).with_name("log")
def note(what):
    with log.open("a") as file:
        file.write(what + "\\n")
note("begin " + sys.argv[1])
time.sleep(0.3)
note("end " + sys.argv[1])
if sys.argv[1] == "fail":
    sys.exit("as asked")
print("| a | b |\\n|---|---|\\n| " + sys.argv[1] + " | 2 |")
if "--out" in sys.argv:
    pathlib.Path(sys.argv[-1]).write_text('{"steps": 100}')
"""


def start(*arguments, **keywords):
    return subprocess.Popen([str(FOLDER / "book.sh"), "--no-build", "--build", str(BUILD), *map(str, arguments)],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **keywords)


def book(*arguments):
    """(exit code, what it said)."""
    process = start(*arguments)
    text, _ = process.communicate(timeout=300)
    return process.returncode, text


@pytest.fixture(name="shelf")
def make_shelf(tmp_path):
    """Writes figures, and calls the book on them alone (without the claims, which take minutes)."""

    class Shelf:
        out = tmp_path / "out"
        page = out / "VALIDATION.md"

        def put(self, name, *runs, steps=100):
            folder = tmp_path / "figures"
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.py").write_text(FIGURE.format(runs=", ".join(runs), steps=steps), encoding="utf-8")

        def printed(self, name, **keywords):
            """A run of a program that prints a table with this in it."""
            program = tmp_path / "printer.py"
            program.write_text(PRINTER, encoding="utf-8")
            more = "".join(f", {key}={value!r}" for key, value in {"option": "", "alone": True, **keywords}.items())
            return f'Run({name!r}, ({str(program)!r}, {name!r}), 1.0{more})'

        def put_table(self, name, *runs, keeps=False):
            folder = tmp_path / "tables"
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.py").write_text(TABLE.format(runs=", ".join(runs), keeps=keeps), encoding="utf-8")
            return self.out / f"validation/{name}.md"

        def arguments(self, *more):
            return ("--figures", tmp_path / "figures", "--tables", tmp_path / "tables", "--out", self.out, "--only", "^(?!claims)", "--jobs", "1", *more)

        def book(self, *more):
            return book(*self.arguments(*more))

        def records(self):
            return sorted(self.out.glob("runs/*/*.record.json"))

    return Shelf()


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


def test_a_page_of_tables_end_to_end(shelf, tmp_path):
    shelf.put("good", FAST)
    path = shelf.put_table("pages", shelf.printed("first"), shelf.printed("second"))
    assert "pages: 2 runs, 2 to make, 2 s on one core" in shelf.book("--list")[1]
    code, said = shelf.book()
    assert code == 0, said
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# A table\n\nPrinted by a test.\n")
    for name in ("first", "second"):
        section = text.split(f'<a id="{name}"></a>\n')[1].split("<a id=")[0]
        assert re.match(rf"## `\S+printer.py {name}`\n\nTook \d+ s. Made by \S+ `[0-9a-f]{{16}}`.\n\n\| a \| b \|\n\|---\|---\|\n"
                        rf"\| {name} \| 2 \|\n$", section.rstrip("\n") + "\n"), section
    page = shelf.page.read_text(encoding="utf-8")
    assert "- [A table](validation/pages.md): of a test\n" in page
    section = page.split('<a id="pages"></a>\n')[1].split("<a id=")[0]
    assert "first shows" in section and "second shows" in section and "[The complete table](validation/pages.md)" in section
    assert "## Claims" in page and "| steps | 100 | 100 | 0 | 0 |" in page

    said = shelf.book()[1]
    assert "pages: 2 runs, 0 to make" in said and "good: 1 runs, 0 to make" in said
    assert path.read_text(encoding="utf-8") == text and shelf.page.read_text(encoding="utf-8") == page


def test_a_table_without_runs_stays_on_its_page(shelf, tmp_path):
    shelf.put("good", FAST)
    path = shelf.put_table("pages", shelf.printed("first"), shelf.printed("second"))
    assert not path.exists() and shelf.book("--draw-only")[0] == 0 and not path.exists()
    assert shelf.book()[0] == 0
    text, page = path.read_text(encoding="utf-8"), shelf.page.read_text(encoding="utf-8")
    shutil.rmtree(tmp_path / "out/runs/pages")
    assert "pages: 2 runs, 2 to make" in shelf.book("--draw-only")[1]
    assert path.read_text(encoding="utf-8") == text and shelf.page.read_text(encoding="utf-8") == page

    # One that fails leaves the page too; one that is new shows that it is not run.
    shelf.put_table("pages", shelf.printed("first"), shelf.printed("second"), shelf.printed("fail"))
    (tmp_path / "printer.py").write_text("import sys\nsys.exit('as asked')\n", encoding="utf-8")
    code, said = shelf.book()
    assert code == 1 and "pages fail " in said and "exit code 1: as asked" in said
    assert path.read_text(encoding="utf-8").startswith(text.rstrip("\n"))
    assert path.read_text(encoding="utf-8").endswith("printer.py fail`\n\nNot run.\n")
    shelf.book("--draw-only")
    assert "fail shows" not in shelf.page.read_text(encoding="utf-8")


def test_a_table_that_takes_long_is_kept_on_its_page(shelf, tmp_path):
    shelf.put("good", FAST)
    path = shelf.put_table("pages", shelf.printed("first"), keeps=True)
    assert shelf.book()[0] == 0
    shutil.rmtree(tmp_path / "out/runs/pages")
    assert "pages: 1 runs, 0 to make" in shelf.book("--list")[1]
    assert "pages: 1 runs, 0 to make" in shelf.book("--renew", "--list")[1]
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub("Made by (.*) `.*`", r"Made by \1 `another`", text), encoding="utf-8")
    assert "pages: 1 runs, 0 to make" in shelf.book("--list")[1]
    assert "pages: 1 runs, 1 to make" in shelf.book("--renew", "--list")[1]
    # Another command is another run.
    shelf.put_table("pages", shelf.printed("first").replace("'first')", "'first', 'more')"), keeps=True)
    assert "pages: 1 runs, 1 to make" in shelf.book("--list")[1]


def test_a_table_whose_program_is_not_built_stays_and_is_named(shelf):
    shelf.put("good", FAST)
    path = shelf.put_table("pages", 'Run("first", ("no_such_program",), 1.0, option="", alone=True)')
    path.parent.mkdir(parents=True)
    path.write_text('# A table\n\nPrinted by a test.\n\n<a id="first"></a>\n## `no_such_program`\n\n| a |\n|---|\n', encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    code, said = shelf.book()
    assert code == 0 and "pages: 1 runs, 0 to make" in said
    assert "pages first: no_such_program is not built; the page stays as it is" in said
    assert path.read_text(encoding="utf-8") == text


def test_timed_runs_are_made_alone_and_after_the_others(shelf, tmp_path):
    beside = [shelf.printed(name, option="--out", alone=False) for name in ("fast", "beside", "third")]
    shelf.put("good", shelf.printed("timed", option="--out"), *beside)
    shelf.put_table("pages", shelf.printed("first"), shelf.printed("second"))
    code, said = shelf.book("--jobs", "3")
    assert code == 0, said
    log = (tmp_path / "log").read_text(encoding="utf-8").split("\n")[:-1]
    assert log[:2] == ["begin timed", "end timed"]
    assert [line.split()[0] for line in log[2:5]] == ["begin"] * 3  # the others at once
    assert log[8:] == ["begin first", "end first", "begin second", "end second"]


def test_runs_of_tables_that_are_not_timed_are_made_first_and_the_longest_before_the_others(shelf, tmp_path):
    shelf.put("good", shelf.printed("fast", option="--out", alone=False))
    shelf.put_table("pages", shelf.printed("short", alone=False), shelf.printed("long", alone=False).replace("1.0", "9.0"))
    code, said = shelf.book("--jobs", "1")
    assert code == 0, said
    log = (tmp_path / "log").read_text(encoding="utf-8").split("\n")[:-1]
    assert [line for line in log if line.startswith("begin")] == ["begin long", "begin short", "begin fast"]


def test_the_page_says_how_long_all_of_it_takes(shelf):
    shelf.put("good", FAST.replace(", 0.1)", ", 1000.0)"))
    shelf.put_table("pages", shelf.printed("first").replace("1.0", "600.0"))
    assert shelf.book("--only", "good")[0] == 0
    # The claims and the table are not run: 150 s and 600 s as estimated.
    assert re.search(r"The whole book takes 1[23] min on one core, \d+ s of it measured and the rest estimated[.]",
                     shelf.page.read_text(encoding="utf-8"))
    assert shelf.book()[0] == 0
    text = shelf.page.read_text(encoding="utf-8")
    assert re.search(r"The whole book takes 1\d\d s|The whole book takes [23] min", text) and "Took 0 s on one core" in text


def test_the_summary_of_solvers_names_the_quickest_and_who_fails():
    table = next(table for table in load_tables(FOLDER / "tables") if table.name == "solvers")
    assert table.summary({}) == ""
    text = table.summary({"solver-table": """## `talus_solver_table`

### Bare problems

| problem | contacts | law | solver | 1e-2 | 1e-4 | 1e-6 | 1e-8 |
|---|---|---|---|---|---|---|---|
| pile | 5 | NCP | quick | 9 / 0.5 | 20 / 2 | – (2.0e-05) | – |
| pile | 5 | NCP | steady | 3 / 1 | 4 / 1.5 | 5 / 1e+03 | – (3.0e-07) |
| pile | 5 | CCP | sure | 3 / 1 | 4 / 2 | 5 / 3 | 6 / 4 |
| pile | 5 | CCP | slow | – (5.0e-01) | – | – | – |
| pile | 5 | bristle | lemke | – (1.0e+00) | – | – | – |
| pile | 5 | bristle | block_pivoting | – (5.0e-01) | – | – | – |
| pile | 5 | bristle | blunt | 3 / 1 | – (4.9e-01) | – | – |

### Steps of scenes

| problem | contacts | law | solver | 1e-2 | 1e-4 | 1e-6 | 1e-8 |
|---|---|---|---|---|---|---|---|
| heap | 7 | NCP | sweeps | refused | – | – | – |
| heap | 7 | NCP | newton | 3 / 1 | 4 / 2 | 5 / 3 | 6 / 4 |
| heap | 7 | CCP | sure | 3 / 1 | 4 / 2 | 5 / 3 | 6 / 4 |
| heap | 7 | box | lemke | refused | – | – | – |
"""})
    assert "| pile | 5 | NCP | quick 9 / 0.5 | steady 4 / 1.5 | steady 5 / 1e+03 | – | quick (2.0e-05), steady (3.0e-07) |\n" in text
    assert "| pile | 5 | CCP | sure 3 / 1 | sure 4 / 2 | sure 5 / 3 | sure 6 / 4 | slow (5.0e-01) |\n" in text
    assert "| pile | 5 | bristle | blunt 3 / 1 | – | – | – | lemke (no answer), block_pivoting (no answer), blunt (4.9e-01) |\n" in text
    assert "| heap | 7 | CCP | sure 3 / 1 | sure 4 / 2 | sure 5 / 3 | sure 6 / 4 | all do |\n" in text
    assert "| heap | 7 | NCP | newton 3 / 1 | newton 4 / 2 | newton 5 / 3 | newton 6 / 4 | sweeps (refused) |\n" in text
    assert "| heap | 7 | box | refused | – | – | – | all refused |\n" in text
    assert text.index("### Bare problems") < text.index("| pile |") < text.index("### Steps of scenes") < text.index("| heap |")


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
