"""[TA] §6.3: the angle of repose over rolling friction, many small piles."""

import numpy as np
from book.drawing import COLORS, canvas, save
from book.figure import Row, Run, numbers
from book.heap import find_heap, mean_and_error

TITLE = "Gravel piles: angle of repose over ρ, ten seeds"
SOURCE = "TA §6.3, Figs. 10 to 13, reduced to 1000 spheres"
TEXT = """
Spheres of 45 mm, 2028 kg/m³, μ 0.6, ρ = σ, 800 a second from a disc of radius 0.15 m at 1 m onto a tray of 2 m × 2 m,
h 5 ms, g 9.81 m/s², NCP; 1000 spheres, 5 s, seeds 1 to 10. Open: what rolls over the edge is gone. The angle is that of
the demo's conical fit to the surface between 20 and 80 % of the height; where no sphere rests on others it is 0. The
paper prints ψ(ρ) as a curve without numbers: almost flat at ρ = 0, a steep cone at 0.01 m, rising between; so ψ(0.01) has
a lower bound alone, and no row compares with the curve. 1000 spheres do not fill a layer of the tray: that they lie flat
at ρ = 0 says little, and the figure before, of more than a layer, says more. Solved to 10⁻³; what a smaller residual changes is the next figure.
Means over the seeds, SE their standard error.
"""

ROLLING = (0.0, 0.001, 0.0025, 0.005, 0.0075, 0.01)
SEEDS = range(1, 11)
PARTICLES, SECONDS = 1000, 5
TOLERANCE = 1e-3
STEEP_DEG = 25.0
LAYER = int((2.0 / 0.045) ** 2)  # spheres, each on a square of its own
STAYS = 0.0075  # m: from this ρ on walled is the same pile as open
# At ρ = 0.01 m, open: what the angle depends on beside ρ. Name: (spheres, seconds, nozzle, seeds, seconds it takes, about).
SIZES = {"2000": (2000, 7, 1.0, range(1, 6), 2.5), "4000": (4000, 9, 1.0, range(1, 6), 8.0),
         "low": (PARTICLES, SECONDS, 0.5, SEEDS, 1.1)}
FLAT_DEG = float(np.degrees(np.arctan(0.045)))
# About, on one idle core, by ρ.
_SECONDS = dict(zip(ROLLING, (0.4, 0.8, 0.9, 1.0, 1.0, 1.1)))


def _name(rho, seed, kind):
    return f"{kind}-rho{rho:g}-seed{seed}"


def runs():
    for walled, kind in enumerate(("open", "walled")):
        for rho in ROLLING:
            for seed in SEEDS:
                yield Run(_name(rho, seed, kind),
                          numbers("talus_figures", "gravel_pile", particles=PARTICLES, seconds=SECONDS, rolling_m=rho,
                                  seed=seed, walled=walled, tolerance=TOLERANCE, max_sweeps=10000), _SECONDS[rho])
    for name, (particles, seconds, nozzle, seeds, taken) in SIZES.items():
        for seed in seeds:
            yield Run(f"{name}-seed{seed}",
                      numbers("talus_figures", "gravel_pile", particles=particles, seconds=seconds, rolling_m=ROLLING[-1],
                              seed=seed, walled=0, tolerance=TOLERANCE, max_sweeps=10000, nozzle_m=nozzle), taken)


def _angles(data, kind):
    """One list a ρ, one angle a seed."""
    return [[find_heap(data[_name(rho, seed, kind)]).angle_deg() for seed in SEEDS] for rho in ROLLING]


def _of_sizes(data, name):
    """(mean angle, its standard error) at ρ = 0.01 m."""
    return mean_and_error([find_heap(data[f"{name}-seed{seed}"]).angle_deg() for seed in SIZES[name][3]])


def draw(data, path):
    figure, (left, right, sizes) = canvas(1, 3, width=14.0)
    for color, kind, label, shift in ((COLORS[0], "open", "open edge", -0.00012),
                                      (COLORS[2], "walled", "walled", 0.00012)):
        angles = _angles(data, kind)
        for rho, of_seeds in zip(ROLLING, angles):
            left.plot([rho + shift] * len(of_seeds), of_seeds, ".", color=color, alpha=0.3, ms=4, zorder=1)
        means, errors = zip(*(mean_and_error(of_seeds) for of_seeds in angles))
        left.errorbar(np.array(ROLLING) + shift, means, errors, color=color, capsize=3, label=label)
    left.set(title="Angle of repose, mean and standard error", xlabel="ρ = σ  (m)", ylabel="ψ  (degrees)", ylim=(0, None))
    left.legend(loc="lower right")
    for color, rho in zip(COLORS, (0.001, 0.0025, 0.01)):
        heap = find_heap(data[_name(rho, 1, "open")])
        cone = heap.cone()
        if cone is None or heap.is_layer():
            continue
        distance = cone.distance(heap.positions)
        right.plot(distance, heap.positions[:, 2], ".", color=color, ms=2.5, alpha=0.5)
        line = np.linspace(0.0, cone.radius_m, 2)
        right.plot(line, cone.height(line), color=color, label=f"ρ = {rho:g} m: {cone.angle_deg:.1f}°")
    right.set(title="Profiles of seed 1 and their fits", xlabel="r  (m)", ylabel="z  (m)", xlim=(0, 1.0), ylim=(0, None))
    right.legend()
    points = [(PARTICLES, *mean_and_error(_angles(data, "open")[-1]))]
    points += [(SIZES[name][0], *_of_sizes(data, name)) for name in ("2000", "4000")]
    counts, means, errors = zip(*points)
    sizes.errorbar(counts, means, errors, color=COLORS[0], marker="o", ms=4, capsize=3, label="nozzle at 1 m")
    mean, error = _of_sizes(data, "low")
    sizes.errorbar([PARTICLES], [mean], [error], color=COLORS[1], marker="s", ms=4, capsize=3, label="nozzle at 0.5 m")
    sizes.set(title=f"ψ({ROLLING[-1]:g}) over the number of spheres", xlabel="spheres", ylabel="ψ  (degrees)", ylim=(0, None),
              xlim=(0, 4500))
    sizes.legend(loc="lower right")
    save(figure, path)


def compare(data):
    angles = {kind: _angles(data, kind) for kind in ("open", "walled")}
    for kind in ("open", "walled"):
        mean, error = mean_and_error(angles[kind][0])
        yield Row(f"{kind}: ψ(0)", 0.0, mean, FLAT_DEG, "deg",
                  f"almost flat: a diameter over half the tray; less than a layer has no other way (SE {error:.2f}°)")
    yield Row(f"spheres over the edge of the open tray, all seeds, ρ ≥ {STAYS:g} m", 0.0,
              sum(data[_name(rho, seed, "open")]["values"]["removed"] for rho in ROLLING if rho >= STAYS for seed in SEEDS), 0.0,
              "-", "walled is the same pile as open then")
    for kind in ("open", "walled"):
        for index, (low, high) in enumerate(zip(ROLLING, ROLLING[1:])):
            change, error = mean_and_error([b - a for a, b in zip(angles[kind][index], angles[kind][index + 1])])
            yield Row(f"{kind}: ψ({high:g}) − ψ({low:g})", 0.0, change, 0.0, "deg",
                      f"rising, whatever the noise (SE {error:.2f}°)", ">=")
        mean, error = mean_and_error(angles[kind][-1])
        yield Row(f"{kind}: ψ(0.01)", STEEP_DEG, mean, 0.0, "deg", f"a steep cone (SE {error:.2f}°); the paper's curve has no number for an upper bound", ">=")


def notes(data):
    left = [data[_name(0.0, seed, "open")]["values"]["body_count"] for seed in SEEDS]
    mean, error = mean_and_error(_angles(data, "open")[-1])
    sizes = ", ".join(f"{SIZES[name][0]} give {{:.1f}}° (SE {{:.1f}}°)".format(*_of_sizes(data, name)) for name in ("2000", "4000"))
    low = [find_heap(data[f"low-seed{seed}"]).angle_deg() for seed in SEEDS]
    more, spread = mean_and_error([ours - theirs for ours, theirs in zip(low, _angles(data, "open")[-1])])
    return (f"At ρ = 0 the tray has room for {LAYER} spheres in a layer: of 1000 the walled one holds all, the open one "
            f"{min(left):.0f} to {max(left):.0f}.\n\n"
            f"ψ(0.01) is no property of ρ alone. 1000 spheres give {mean:.1f}° (SE {error:.1f}°), {sizes}, and the figure before "
            "has 10 000: the larger the pile beside its spheres and the disc of the nozzle, the steeper. From 0.5 m in the place of "
            f"1 m 1000 spheres lie steeper by {more:.1f}°, seed by seed (SE {spread:.1f}°). Which of the three, sphere, disc or "
            "fall, makes how much of the rest is not known.")
