"""Heaps of the benchmarks by the solvers for small tolerances."""

from book.figure import Run

TITLE = "Heaps to small tolerances"
ABOUT = "heaps of 1000 to 8000 by the solvers for small tolerances, and the residual left where one was missed"
TEXT = """
Written by the validation book from what `talus_pile_table` prints: heaps of the benchmarks from a cold start, sweeps and
factorisations as one count. Rows of `newton` begin with up to 250 sweeps; those on heaps of 1000 are a test, `validation.heaps`. On heaps of 8000,
where a factorisation takes about a second, all are given 600. Under NCP `newton` uses them up on a series of smoothed problems before it reaches the
original one, so that sweeps end nearer; what came nearer still stands with all else that was tried in [TRIED](../TRIED.md).
"""
KEEPS_RUNS = True


def runs():
    return [Run(f"heaps-{stones}", ("talus_pile_table", str(stones), tolerance, *limits), seconds, option="")
            for stones, tolerance, limits, seconds in
            ((1000, "1e-8", ("6000",), 240.0), (2000, "1e-10", ("2000",), 480.0), (8000, "1e-6", ("600",), 1800.0))]
