"""A shelf of figures and tables that a test writes, and the book called on it.

TALUS_BUILD names the build folder; talus_figures must be there.
"""

import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["TALUS_BUILD"])
sys.path.insert(0, str(FOLDER))

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
