"""[AB] §6.2, Figs. 4 and 5: height and width of a pile of spheres over rolling and sliding friction."""

import numpy as np
from book.drawing import COLORS, canvas, save
from book.figure import Row, Run, numbers
from book.heap import mean_and_error

TITLE = "Sphere piles: height and mean radius over μ_r"
SOURCE = "AB §6.2, Figs. 4 and 5"
TEXT = """
250 spheres of 20 mm, 1300 kg/m³, dropped one by one onto a plane from 10 diameters, x and y uniform within ± half a
diameter; h 1 ms, g 9.81 m/s², NCP solved to 10⁻³ by NEWTON, μ ∈ {0.1, 0.3, 0.5, 0.7, 1}, μ_r from 10⁻⁵ to
1 m, five seeds, and for μ = 1 from 0.1 m on ten. Chosen where the paper is silent: one sphere in 64 ms, in which the one
before has fallen by a diameter, so that the last falls after 16 s where none waits; one that finds its place taken, as by
a heap that has grown up to it, waits. A run ends after 20 s; from μ_r = 1 mm on, where heaps come to rest, it goes on until
all are dropped and none is faster than 0.01 m/s, at most 100 s. σ = 0. **Deviations:** where a heap grew up to the height of
drop and stood there, so that not all spheres came out, that seed is dropped from 15 diameters in the place of 10. One build
made all runs; that today's still leaves the same bits is looked at with two of them (`tests/validation/test_runs.py`).
Height is that of the highest sphere that something touches, the mean radius that of all centres from the axis. Means over
the seeds, SE their standard error, D the diameter.
"""

KEEPS_RUNS = True
SLIDING = (0.1, 0.3, 0.5, 0.7, 1.0)
ROLLING = (1e-5, 1e-4, 3e-4, 1e-3, 2e-3, 5e-3, 1e-2, 1e-1, 1.0)
SEEDS = range(1, 6)
MORE_SEEDS = range(6, 11)  # of the highest plateau, which scatters most
PLATEAU = 7  # from this index on, where spheres cannot roll
DIAMETER, RADIUS = 0.02, 0.01
LAYER = (2.0 / 3.0) ** 0.5
# Whose heap grew up to the paper's height of drop, so that not all came out: from 15 diameters.
JAMMED = {(0.5, 0.1): (1,), (0.5, 1.0): (2,), (0.7, 0.1): (4,), (0.7, 1.0): (3,), (1.0, 0.1): (7, 8),
          (1.0, 1.0): (3, 10)}
HIGH_DROP_M = 0.3
PILES_M = 1e-3  # from this μ_r on heaps come to rest
LONGEST_S = 100
AT_REST_M_S = 0.01


def _name(mu, rho, seed):
    return f"mu{mu:g}-rho{rho:g}-seed{seed}"


def _seconds(mu, rho):
    """About, on one idle core: steep piles of spheres that cannot roll take most sweeps."""
    if rho < 5e-4:
        return 1.5
    if rho < 5e-2:
        return 2.0 + 8.0 * mu
    return 10.0 + 650.0 * mu


def _run(mu, rho, seed):
    given = {"drop_m": HIGH_DROP_M} if seed in JAMMED.get((mu, rho), ()) else {}
    if rho >= PILES_M:
        given["longest_s"] = LONGEST_S
    return Run(_name(mu, rho, seed), numbers("talus_figures", "sphere_pile", sliding=mu, rolling_m=rho, seed=seed,
                                             newton=1, **given), _seconds(mu, rho))


def runs():
    # Layers and the rise, then the plateaus, which take most of the time.
    for values in (ROLLING[:PLATEAU], ROLLING[PLATEAU:]):
        for seed in SEEDS:
            for mu in SLIDING:
                for rho in values:
                    yield _run(mu, rho, seed)
    for seed in MORE_SEEDS:
        for rho in ROLLING[PLATEAU:]:
            yield _run(SLIDING[-1], rho, seed)


def _seeds(names, *points):
    """Those whose runs at all these (μ, μ_r) are there."""
    return [seed for seed in (*SEEDS, *MORE_SEEDS) if all(_name(mu, rho, seed) in names for mu, rho in points)]


def enough(done):
    """Layers and most of the rise by one seed; of all others, what is there."""
    return bool(_seeds(done, *((mu, rho) for mu in SLIDING for rho in ROLLING if rho < RADIUS)))


def _values(data, value, mu, rho, seeds):
    """In diameters, one a seed."""
    return [data[_name(mu, rho, seed)]["values"][value] / DIAMETER for seed in seeds]


def _mean(values):
    """(mean, its standard error, how the page says that error); one seed has none."""
    mean, error = mean_and_error(values)
    return (mean, error, f"SE {error:.2f}") if len(values) > 1 else (mean, 0.0, "one seed")


def _change(data, value, start, end):
    """_mean of the change from one (μ, μ_r) to another, seed by seed; None where no seed has both."""
    seeds = _seeds(data, start, end)
    if not seeds:
        return None
    pairs = zip(_values(data, value, *start, seeds), _values(data, value, *end, seeds))
    return _mean([after - before for before, after in pairs])


def draw(data, path):
    figure, (left, right) = canvas(1, 2, width=11.0)
    for axes, value, title in ((left, "height_m", "Height"), (right, "mean_radius_m", "Mean radius")):
        for color, mu in zip(COLORS, SLIDING):
            shown = [rho for rho in ROLLING if _seeds(data, (mu, rho))]
            means, errors, _ = zip(*(_mean(_values(data, value, mu, rho, _seeds(data, (mu, rho)))) for rho in shown))
            axes.errorbar(shown, means, errors, color=color, marker="o", ms=3.5, capsize=2.5, label=f"μ = {mu:g}")
        axes.set(title=f"{title}, mean and standard error", xlabel="μ_r  (m)", xscale="log", ylabel="diameters")
        axes.legend()
    left.axhline(1.0, color="#bbbbbb", lw=0.8)
    left.set(ylim=(0, None))
    right.set(yscale="log")
    save(figure, path)


def _told_apart(change, error):
    """What a change by `change`, known to `error`, is: for a row whose bound does not follow the noise."""
    if abs(change) <= 2.0 * error:
        return "not told apart from none by two SE"
    return "growth beyond two SE" if change > 0.0 else "a fall beyond two SE"


def compare(data):
    yield Row(f"spheres dropped, the fewest of {len(data)} runs", 250.0, min(run["values"]["dropped"] for run in data.values()),
              0.0, "-", "all of them")
    moving = [name for name, run in data.items() if _piles(name) and run["values"]["fastest_m_s"] > AT_REST_M_S]
    yield Row(f"runs at μ_r ≥ 1e-3 m with a sphere faster than {AT_REST_M_S:g} m/s at the end", 0.0, len(moving), 0.0, "-",
              "at rest: half a diameter in a second")
    for mu in SLIDING:
        flat, _, _ = _mean(_values(data, "height_m", mu, 1e-5, _seeds(data, (mu, 1e-5))))
        yield Row(f"one layer: height, μ = {mu:g}, μ_r = 1e-5 m", 1.0, flat, 0.01, "D",
                  "one diameter; spheres overlap by less than 1 %")
        heights = _values(data, "height_m", mu, 1e-4, _seeds(data, (mu, 1e-4)))
        yield Row(f"nearly one layer: highest pile, μ = {mu:g}, μ_r = 1e-4 m", 1.0, max(heights), 1.0, "D",
                  "a last sphere may rest on others", "<=")
    for mu in SLIDING:
        if not _seeds(data, (mu, 1e-5), (mu, 1e-4), (mu, RADIUS)):
            continue
        rise, _, spread = _change(data, "height_m", (mu, 1e-4), (mu, RADIUS))
        yield Row(f"rise: height at μ_r = R less that at 1e-4 m, μ = {mu:g}", LAYER, rise, 0.0, "D",
                  f"another layer at least, in the hollows of the first: √(2/3) D ({spread})", ">=")
        narrowing, _, spread = _change(data, "mean_radius_m", (mu, RADIUS), (mu, 1e-5))
        yield Row(f"mean radius at 1e-5 m less that at μ_r = R, μ = {mu:g}", 0.0, narrowing, 0.0, "D",
                  f"wide where little stops them ({spread})", ">=")
    for mu in SLIDING:
        change = _change(data, "height_m", (mu, 1e-1), (mu, 1.0))
        if change:
            plateau = float(np.mean(_values(data, "height_m", mu, 1.0, _seeds(data, (mu, 1.0)))))
            yield Row(f"plateau: height at 1 m less that at 0.1 m, μ = {mu:g}", 0.0, change[0], 0.1 * plateau, "D",
                      f"10 % of the height, whatever the noise; {_told_apart(*change[:2])} ({change[2]})")
    for rho in (RADIUS, 1.0):
        for low, high in zip(SLIDING, SLIDING[1:]):
            change = _change(data, "height_m", (low, rho), (high, rho))
            if change:
                yield Row(f"height grows with μ at μ_r = {rho:g} m: μ = {high:g} less μ = {low:g}", 0.0, change[0], 0.0, "D",
                          f"growing, whatever the noise; {_told_apart(*change[:2])} ({change[2]})", ">=")


def _piles(name):
    """Whether a run is one in which spheres do not roll away: there something comes to rest."""
    return float(name.split("-rho")[1].split("-seed")[0]) >= PILES_M


def notes(data):
    waited = [run["values"]["waited_steps"] for run in data.values() if run["values"]["waited_steps"] > 0]
    rolling = max(run["values"]["fastest_m_s"] for name, run in data.items() if not _piles(name))
    fastest = max((name for name in data if _piles(name)), key=lambda name: data[name]["values"]["fastest_m_s"])
    jammed = "; ".join(f"μ = {mu:g}, μ_r = {rho:g} m: {', '.join(map(str, some))}" for (mu, rho), some in JAMMED.items())
    unsolved = {name: run["unconverged_steps"] for name, run in data.items() if run["unconverged_steps"]}
    most = max(unsolved, key=unsolved.get)
    return (f"In {len(waited)} of {len(data)} runs spheres waited because their place was taken, for {max(waited) * 1e-3:.1f} s in "
            f"all at most. Below μ_r = 1e-3 m spheres still roll at the end, at up to {rolling:.2g} m/s, so that their mean "
            f"radius is one after 20 s. Among the runs at μ_r ≥ {PILES_M:g} m the fastest sphere at the end is in {fastest}, with "
            f"{data[fastest]['values']['fastest_m_s']:.2g} m/s. Of {sum(run['steps'] for run in data.values())} steps "
            f"{sum(unsolved.values())} stopped above 10⁻³, in {len(unsolved)} runs, {unsolved[most]} of them in {most}; the worst "
            f"at {max(run['worst_residual'] for run in data.values()):.1g}. From 15 diameters, by seed: {jammed}.")
