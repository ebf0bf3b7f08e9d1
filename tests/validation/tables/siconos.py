"""Our default solver beside Siconos'. Only where its package is installed; times count, so on an idle machine."""

from book.figure import Run

TITLE = "Against Siconos"
ABOUT = "our default and theirs, the same bare problems given to both"
TEXT = """
Written by the validation book from what `talus_siconos_comparison` prints (`tests/siconos/run.sh` runs it alone), on two shared cores of a virtual machine: ratios within a row only.
Ours was given 4000 sweeps or factorisations, more where there are few contacts. Siconos stops at its limit of work where it is not listed as solving.
The quickest of three of its ways that comes to the tolerance counts, with one thread of the BLAS. × is the median over rounds of Siconos' time beside ours, in turn; where it is below 1 ours took longer.
"""
KEEPS_RUNS = True


def runs():
    return [Run("siconos", ("talus_siconos_comparison", "--work", "4e8", "--repeats", "9"), 600.0, option="", alone=True)]
