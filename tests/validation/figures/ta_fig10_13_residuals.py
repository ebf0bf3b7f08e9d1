"""[TA] §6.3: whether the angle of repose depends on how exactly the contacts are solved."""

from book.drawing import COLORS, canvas, save
from book.figure import Row, Run, numbers
from book.heap import find_heap, mean_and_error

TITLE = "Gravel piles: the angle of repose at residual 10⁻³ and 10⁻⁵"
SOURCE = "TA §6.3, Figs. 10 to 13, reduced to 1000 spheres"
TEXT = """
The piles of the figure before, with an open edge: the same seed and ρ solved to 10⁻³ by sweeps and to 10⁻⁵ by `newton`,
which factorises where sweeps stop short of it. Piles are chaotic, so that single pairs differ by degrees; shown is the mean
of the differences with its standard error (SE). ρ = 0 is left out: no heap stays there. So many seeds are taken of each ρ, set before the runs were made, that the
SE comes to about 0.2°.
"""

KEEPS_RUNS = True
# ρ: (seeds, how many seconds a run took on one core in the mean, to 10⁻³ and to 10⁻⁵).
PAIRS = {0.001: (20, 0.9, 3.0), 0.0025: (80, 0.9, 19.0), 0.005: (120, 1.0, 32.0), 0.0075: (200, 1.0, 41.0),
         0.01: (200, 1.0, 51.0)}
COARSE, FINE = 1e-3, 1e-5


def _name(rho, seed, tolerance):
    return f"rho{rho:g}-seed{seed}-{tolerance:g}"


def _seeds(rho):
    return range(1, PAIRS[rho][0] + 1)


def runs():
    for rho, (_, *seconds) in PAIRS.items():
        for seed in _seeds(rho):
            for tolerance, taken in zip((COARSE, FINE), seconds):
                solver = {"newton": 1, "max_sweeps": 100000} if tolerance == FINE else {"max_sweeps": 10000}
                yield Run(_name(rho, seed, tolerance),
                          numbers("talus_figures", "gravel_pile", particles=1000, seconds=5, rolling_m=rho, seed=seed,
                                  walled=0, tolerance=tolerance, **solver), taken)


def condense(data):
    return {"angle_deg": find_heap(data).angle_deg()}


def _angle(data, rho, seed, tolerance):
    return data[_name(rho, seed, tolerance)]["values"]["angle_deg"]


def _moves(data, rho):
    """ψ at the small residual less that at the large one, seed by seed."""
    return [_angle(data, rho, seed, FINE) - _angle(data, rho, seed, COARSE) for seed in _seeds(rho)]


def draw(data, path):
    figure, (left, right) = canvas(1, 2, width=11.0)
    for color, rho in zip(COLORS, PAIRS):
        coarse, fine = ([_angle(data, rho, seed, tolerance) for seed in _seeds(rho)] for tolerance in (COARSE, FINE))
        left.plot(coarse, fine, ".", color=color, ms=3.0, alpha=0.5, label=f"ρ = {rho:g} m")
        moves = _moves(data, rho)
        mean, error = mean_and_error(moves)
        right.plot([rho] * len(moves), moves, ".", color=color, ms=3.0, alpha=0.2, zorder=1)
        right.errorbar([rho], [mean], [error], color=color, marker="o", ms=4.0, capsize=4)
    low, high = left.get_xlim()
    left.plot([low, high], [low, high], color="#bbbbbb", lw=0.8, zorder=0)
    left.set(title="ψ of a pile at both residuals", xlabel="ψ at 1e-3  (degrees)", ylabel="ψ at 1e-5  (degrees)")
    left.legend()
    right.axhspan(-0.5, 0.5, color="#bbbbbb", alpha=0.3, zorder=0)
    right.set(title="Difference, mean and standard error", xlabel="ρ = σ  (m)", ylabel="ψ at 1e-5 less that at 1e-3  (degrees)")
    save(figure, path)


def compare(data):
    every = []
    for rho in PAIRS:
        moves = _moves(data, rho)
        every += moves
        mean, error = mean_and_error(moves)
        yield Row(f"ψ({rho:g}) at residual 1e-5 less that at 1e-3, {len(moves)} pairs", 0.0, mean, 0.5, "deg",
                  f"0.5° (SE {error:.2f}°)")
    mean, error = mean_and_error(every)
    yield Row(f"the same over all {len(every)} pairs", 0.0, mean, 0.5, "deg", f"0.5° (SE {error:.2f}°)")


def notes(data):
    lines = []
    for rho in PAIRS:
        moves = _moves(data, rho)
        mean, error = mean_and_error(moves)
        near = sum(abs(move) <= 0.5 for move in moves)
        lines.append(f"| {rho:g} | {len(moves)} | {mean - 2 * error:+.2f}° to {mean + 2 * error:+.2f}° | {near} | "
                     f"{max(moves, key=abs):+.1f}° |")
    unsolved = {tolerance: [run for name, run in data.items() if name.endswith(f"-{tolerance:g}") and run["unconverged_steps"]]
                for tolerance in (COARSE, FINE)}
    steps = "; ".join(f"of runs to {tolerance:g}, {sum(run['unconverged_steps'] for run in found)} steps, worst "
                      f"{max((run['worst_residual'] for run in found), default=0.0):.1e}" for tolerance, found in unsolved.items())
    return ("What the mean may be off by, and single pairs: piles are chaotic, and only many of them say something.\n\n"
            "| ρ, m | pairs | mean ± 2 SE | pairs within 0.5° | largest of a pair |\n|---|---|---|---|---|\n" + "\n".join(lines)
            + f"\n\nSteps that stopped above their tolerance: {steps}.")
