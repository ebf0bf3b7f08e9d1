"""Our default solver beside Siconos'. Only where its package is installed; times count, so on an idle machine."""

from book.figure import Run

TITLE = "Against Siconos"
ABOUT = "our default and theirs, the same bare problems given to both"
TEXT = """
Written by the validation book from what `talus_siconos_comparison` prints (`tests/siconos/run.sh` runs it alone), on two shared cores of a virtual machine: ratios within a row only.
Ours was given 4000 sweeps or factorisations, more where there are few contacts; *sweeps* counts both, and 0 where no contact touches another, each then being solved at once. The quickest of three of Siconos' ways that comes to the
tolerance counts, with one thread of the BLAS. × is the median over rounds of Siconos' time beside ours, in turn; where it is below 1 ours took longer. Siconos was given 4·10⁸ multiplications, or ten times as long as ours took if that is more: where it does
not solve a problem × says how long it was given at least, and of the problem no more.

The tolerance is 10⁻⁸. *residual* and *η*, of all contacts together and of the worst one, are the measures of our certificate ([NOTATION](../NOTATION.md)); *Siconos' error* and *own error* are what Siconos' own function says of our answer and of
its. Ours counts as solved where all three are within the tolerance, Siconos where its own is, so that some of its answers are poor by the other two. *velocities*: where the law has one velocity, because no normal row acts on another (*decoupled*) or
because a bound says so (*contraction*), both solve the problem anew to 10⁻¹², Siconos by NSGS with its full error, and this is how far they are apart, beside ‖u‖ + ‖q‖.

The other solvers and laws are not on this page but in the tests `siconos.*`: each of them is given the smaller problems, and what it calls solved is held before Siconos' measures, by the same 10⁻⁸. Under CCP that is of the exact problem which has
the same solution, under a law with flat sides of the linear complementarity problem, for which Siconos' Lemke also comes to the same velocities but on three problems with several solutions.
"""
KEEPS_RUNS = True


def runs():
    return [Run("siconos", ("talus_siconos_comparison", "--work", "4e8", "--longer", "10", "--repeats", "9"), 600.0, option="", alone=True)]
