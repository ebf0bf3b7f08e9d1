"""[AB] §6.2, Figs. 4 and 5: height and width of a pile of spheres over rolling and sliding friction."""

import numpy as np
from book.drawing import COLORS, canvas, save
from book.figure import Row, Run, numbers
from book.heap import mean_and_error

TITLE = "Sphere piles: height and mean radius over μ_r"
SOURCE = "AB §6.2, Figs. 4 and 5"
TEXT = """
250 spheres of 20 mm, 1300 kg/m³, dropped one by one onto a plane from 10 diameters, x and y uniform within ± half a
diameter; h 1 ms, 20 s, g 9.81 m/s², NCP solved to 10⁻³ by NEWTON, μ ∈ {0.1, 0.3, 0.5, 0.7, 1}, μ_r from 10⁻⁵ to
1 m, five seeds. Chosen where the paper is silent: one sphere in 64 ms, in which the one before has fallen by a diameter,
so that the last falls after 16 s; one that finds its place taken waits. σ = 0. Height is that of the highest point, the
mean radius that of all centres from the axis. Means over the seeds, SE their standard error, D the diameter.
"""

SLIDING = (0.1, 0.3, 0.5, 0.7, 1.0)
ROLLING = (1e-5, 1e-4, 3e-4, 1e-3, 2e-3, 5e-3, 1e-2, 1e-1, 1.0)
SEEDS = range(1, 6)
DIAMETER = 0.02


def _name(mu, rho, seed):
    return f"mu{mu:g}-rho{rho:g}-seed{seed}"


def _seconds(mu, rho):
    """About, on one idle core: steep piles of spheres that cannot roll take most sweeps."""
    if rho < 5e-4:
        return 1.2
    if rho < 5e-2:
        return 4.0
    return 5.0 + 20.0 * mu


def runs():
    # Whole sweeps of one seed first: an interrupted book then has all of the plane for some seeds.
    for seed in SEEDS:
        for mu in SLIDING:
            for rho in ROLLING:
                yield Run(_name(mu, rho, seed), numbers("talus_figures", "sphere_pile", sliding=mu, rolling_m=rho,
                                                        seed=seed, newton=1), _seconds(mu, rho))


def _whole_seeds(names):
    """Those whose runs are all there."""
    return [seed for seed in SEEDS if all(_name(mu, rho, seed) in names for mu in SLIDING for rho in ROLLING)]


def enough(done):
    return len(_whole_seeds(done)) >= 2


def _of_seeds(data, value, mu, rho):
    return [data[_name(mu, rho, seed)]["values"][value] for seed in _whole_seeds(data)]


def _heights(data, mu, rho):
    """In diameters, one a seed."""
    return [height / DIAMETER for height in _of_seeds(data, "height_m", mu, rho)]


def draw(data, path):
    figure, (left, right) = canvas(1, 2, width=11.0)
    for axes, value, title in ((left, "height_m", "Height"), (right, "mean_radius_m", "Mean radius")):
        for color, mu in zip(COLORS, SLIDING):
            means, errors = zip(*(mean_and_error(_of_seeds(data, value, mu, rho)) for rho in ROLLING))
            axes.errorbar(ROLLING, np.array(means) / DIAMETER, np.array(errors) / DIAMETER, color=color, marker="o",
                          ms=3.5, capsize=2.5, label=f"μ = {mu:g}")
        axes.set(title=f"{title}, mean and standard error", xlabel="μ_r  (m)", xscale="log", ylabel="diameters",
                 ylim=(0, None))
        axes.legend()
    left.axhline(1.0, color="#bbbbbb", lw=0.8)
    right.set(yscale="log", ylim=(None, None))
    save(figure, path)


def compare(data):
    for rho in (1e-5, 1e-4):
        for mu in SLIDING:
            mean, _ = mean_and_error(_heights(data, mu, rho))
            yield Row(f"one layer: height, μ = {mu:g}, μ_r = {rho:g} m", 1.0, mean, 0.01, "D",
                      "one diameter; spheres overlap by less than 1 %")
    for mu in SLIDING:
        rise, error = mean_and_error([b - a for a, b in zip(_heights(data, mu, 1e-4), _heights(data, mu, 1e-2))])
        yield Row(f"rise: height at μ_r = R less that at 1e-4 m, μ = {mu:g}", 1.0, rise, 0.0, "D",
                  f"another layer at least (SE {error:.2f})", ">=")
    plateaus = []
    for mu in SLIDING:
        before, after = _heights(data, mu, 1e-1), _heights(data, mu, 1.0)
        change, error = mean_and_error([b - a for a, b in zip(before, after)])
        plateaus.append([0.5 * (a + b) for a, b in zip(before, after)])
        plateau = float(np.mean(plateaus[-1]))
        yield Row(f"plateau: height at 1 m less that at 0.1 m, μ = {mu:g}", 0.0, change, 0.05 * plateau + 2.0 * error,
                  "D", f"5 % of the height and two SE (SE {error:.2f})")
    for index, (low, high) in enumerate(zip(SLIDING, SLIDING[1:])):
        growth, error = mean_and_error([b - a for a, b in zip(plateaus[index], plateaus[index + 1])])
        yield Row(f"the plateau grows: μ = {high:g} less μ = {low:g}", 0.0, growth, 2.0 * error, "D",
                  f"growing, to two SE (SE {error:.2f})", ">=")
    for mu in SLIDING:
        wide, narrow = _of_seeds(data, "mean_radius_m", mu, 1e-5), _of_seeds(data, "mean_radius_m", mu, 1.0)
        yield Row(f"mean radius at 1e-5 m over that at 1 m, μ = {mu:g}", 2.0, float(np.mean(wide) / np.mean(narrow)), 0.0,
                  "-", "wide where nothing stops them: a factor 2", ">=")
