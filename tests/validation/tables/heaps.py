"""Heaps of the benchmarks by every way to small tolerances."""

from book.figure import Run

TITLE = "Heaps, laws and ways to small tolerances"
ABOUT = "heaps of 1000 to 8000 by every way to small tolerances, with what does not come there"
TEXT = """
Written by the validation book from what `talus_pile_table` prints: heaps of the benchmarks from a cold start, sweeps and
factorisations as one count. Rows of `newton` begin with up to 250 sweeps; those on
heaps of 1000 are a test, `validation.heaps`. What else was tried stands in [TRIED](../TRIED.md). On heaps of 8000 under NCP sweeps alone end nearer
than `newton`, whose 600 go to smoothed problems that it does not come to the end of.
"""
KEEPS_RUNS = True


def runs():
    return [Run(f"heaps-{stones}", ("talus_pile_table", str(stones), tolerance, sweeps), seconds, option="")
            for stones, tolerance, sweeps, seconds in
            ((1000, "1e-8", "6000", 240.0), (2000, "1e-10", "2000", 480.0), (8000, "1e-6", "600", 1800.0))]
