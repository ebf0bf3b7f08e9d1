"""Every solver on every law and class of problems, and which of them is the quickest."""

import re

from book.figure import Run

TITLE = "Solvers, laws and classes of problems"
ABOUT = ("every solver, law and class of problems, with the iterations and the time that each takes to a residual, or the "
         "residual it is left with")
TEXT = """
Written by the validation book from what `talus_solver_table` prints, on two shared, busy cores: iterations / milliseconds to a residual from a cold start. –: not reached; in brackets the residual that was, and how it ended: at the limit of
5000 iterations, or before it, stalled: no progress any more. Smaller residuals are then not asked for. Pairs of solver and law that do not exist stand below each table.

Bare problems have up to 100 contacts, heaps of 100 and 1000 stones (as those of the scenes below) up to 3053; `guideway` is a mechanism, 72 contacts with rows of guide, drive, load and seal that have bounds, `guideway_preloaded` the same with rows
that give way. Processor time of the solve, with what the solver makes of the matrices first. Under box, polygonal (8 sides) and bristle (10¹⁰ N/m, unbent, 1 ms) the residual
is that of the law's own rows, a pivot is an iteration, and pivoting heeds no residual on its way: where an answer meets the next one too, its cell is the same answer again;
they *refuse* more than 1000 contacts, and matrices of more than 2·10⁷ entries.
A residual near 1 is of pivoting that came by no answer: Lemke's method left nothing that solves the problem, or was not done.

Scenes make one step without what the last one carried: heaps of 20 and 1000 stones at rest, collapsing and kicked (at rest, then each stone up to 0.5 m/s along each axis), ten
cubes one upon the other, and the guideway. Wall clock of assembly and solve on one thread. *refused*: the scene takes no such solver. Joints are solved by `newton` alone of the
solvers of NCP and CCP, and laws with flat sides take up to 128 contacts and joints.
"""
_SUMMARY = """
For each class of problems and each law the solver that takes the least time to a residual, with its iterations / milliseconds, and those that do not come to
1e-8 in 5000 iterations, with the residual that they are left with and, where they ended before, the iteration that they stalled at; *no answer*: pivoting that left half of what no impulses have, or more. `newton` and `default` begin with the sweeps of others: where these
are enough, noise decides who is named. Scenes *refuse* solvers that do not hold joints, and laws with flat sides on more than 128 contacts and joints.
"""
# A page that an older program printed does not say how it ended.
_NO_CELL = re.compile(r"– \(([^,)]+)(?:, (limit|stalled at) (\d+))?\)")
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
        return "no answer"
    return f"{residual}, {end} {iterations}" if end == "stalled at" else residual


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
