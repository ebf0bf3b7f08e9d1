"""Every solver on every law and class of problems, and which of them is the quickest."""

import re

from book.figure import Run

TITLE = "Solvers, laws and classes of problems"
ABOUT = ("every solver, law and class of problems, with the iterations and the time that each takes to a residual, or the "
         "residual it is left with")
TEXT = """
Written by the validation book from what `talus_solver_table` prints, with no other run beside it: iterations / milliseconds to a residual from a cold start. –: not reached; in brackets the residual that was, and how and after how many iterations it ended: at the *limit* of
5000 iterations; *stalled*, without progress; *ray* or *singular*, where pivoting found no solution; *too large* for Lemke's method. Smaller residuals are then not asked for. Each residual is a solve of its own, and `default` may choose another way
to a smaller one, which then may take fewer iterations. Pairs of solver and law that do not exist stand below each table; APGD is of scenes alone, `default` of bare problems.

Bare problems have up to 100 contacts, heaps of 100 and 1000 stones (as those of the scenes below) up to 3053; `guideway` is a mechanism, 72 contacts with rows of guide, drive, load and seal that have bounds, `guideway_preloaded` the same with rows
that give way. Processor time of the solve, with what the solver makes of the matrices first. Under box, polygonal (8 sides) and bristle (10¹⁰ N/m, unbent, 1 ms) the residual
is that of the law's own rows and a pivot is an iteration. Pivoting gives one answer whatever residual is asked, so that all columns that it meets repeat it. A residual near 1 is that of no impulses: Lemke's method found no solution, was cut off, or was too large to try.
*refused*: more than 1000 contacts, or a matrix of more than 2·10⁷ entries; Lemke's method alone takes 2048 rows and 768 equations at most. Under these laws no class of more than 100 contacts has an answer.

Scenes make one step without what the last one carried: heaps of 20 and 1000 stones at rest, collapsing and kicked (at rest, then each stone up to 0.5 m/s along each axis), ten
cubes one upon the other, and the guideway. Wall clock of assembly and solve on one thread. *refused*: the scene takes no such solver. Joints are solved by `newton` and by the five solvers of bare
problems, which stand behind it, and laws with flat sides take up to 128 contacts and joints.
"""
_SUMMARY = """
For each class of problems and each law the solver that takes the least time to a residual, with its iterations / milliseconds, and those that do not come to
1e-8 in 5000 iterations, with the residual that they are left with and, where they ended before, how and at which iteration; *no answer*: pivoting that ended with a residual above 0.5, no impulses having 1. `newton` and `default` begin with the sweeps of others: where these
are enough, noise decides who is named. Scenes *refuse* solvers that do not hold joints, and laws with flat sides on more than 128 contacts and joints.
"""
# A page that an older program printed does not say how it ended.
_NO_CELL = re.compile(r"– \(([^,)]+)(?:, ([a-z ]+?)(?: at)? (\d+))?\)")
_FLAT_LAWS = ("box", "polygonal", "bristle")
# Pivots lead nowhere nearer on their way: what is left of an unfinished one says nothing.
_NO_ANSWER = 0.5


def runs():
    return [Run("solver-table", ("talus_solver_table",), 600.0, option="", alone=True)]


def summary(printed):
    """The quickest solver to each residual, and those that do not come there; nothing before the run was made."""
    if "solver-table" not in printed:
        return ""
    return _SUMMARY + "".join(f"\n### {title}\n\n{_quickest(rows)}" for title, rows in _tables(printed["solver-table"]))


def _tables(text):
    """[(title, rows as lists of cells)]."""
    for part in text.split("\n### ")[1:]:
        title, _, body = part.partition("\n")
        lines = [line for line in body.splitlines() if line.startswith("| ")][1:]
        yield title, [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _quickest(rows):
    lines = ["| problem | contacts | law | 1e-2 | 1e-4 | 1e-6 | 1e-8 | not to 1e-8 |\n|---|---|---|---|---|---|---|---|\n"]
    groups = {}
    for problem, contacts, law, solver, *cells in rows:
        groups.setdefault((problem, contacts, law), []).append((solver, cells))
    for key, solvers in groups.items():
        best = [_best([(solver, cells[column]) for solver, cells in solvers]) for column in range(4)]
        lines.append("| " + " | ".join([*key, *best, _short(key[2], solvers)]) + " |\n")
    return "".join(lines)


def _best(cells):
    """The solver that takes the least time, with iterations / ms."""
    timed = [(float(cell.split("/")[1]), solver, cell) for solver, cell in cells if "/" in cell]
    if timed:
        _, solver, cell = min(timed)
        return f"{solver} {cell}"
    return "refused" if all(cell == "refused" for _, cell in cells) else "–"


def _left(law, residual, end, iterations):
    if law in _FLAT_LAWS and float(residual) >= _NO_ANSWER:
        return "too large" if end == "too large" else "no answer"
    return residual if end in (None, "limit") else f"{residual}, {end} at {iterations}"


def _short(law, solvers):
    """Those that do not come to the end, with the residual that they are left with."""
    if all("refused" in cells for _, cells in solvers):
        return "all refused"
    named = []
    for solver, cells in solvers:
        left = [found.groups() for cell in cells if (found := _NO_CELL.fullmatch(cell))]
        if "refused" in cells:
            named.append(f"{solver} (refused)")
        elif left:
            named.append(f"{solver} ({_left(law, *left[0])})")
    return ", ".join(named) if named else "all do"
