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
paper prints ψ(ρ) as a curve without numbers: almost flat at ρ = 0, a steep cone at 0.01 m, rising between. Solved to
10⁻³; what a smaller residual changes is the next figure. Means over the seeds, SE their standard error. From ρ = 0.0075 m
on no sphere reaches the edge: walled is the same pile as open.
"""

ROLLING = (0.0, 0.001, 0.0025, 0.005, 0.0075, 0.01)
SEEDS = range(1, 11)
PARTICLES, SECONDS = 1000, 5
TOLERANCE = 1e-3
STEEP_DEG = 25.0
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


def _angles(data, kind):
    """One list a ρ, one angle a seed."""
    return [[find_heap(data[_name(rho, seed, kind)]).angle_deg() for seed in SEEDS] for rho in ROLLING]


def draw(data, path):
    figure, (left, right) = canvas(1, 2, width=11.0)
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
    save(figure, path)


def compare(data):
    angles = {kind: _angles(data, kind) for kind in ("open", "walled")}
    mean, error = mean_and_error(angles["walled"][0])
    yield Row("walled: ψ(0)", 0.0, mean, FLAT_DEG, "deg", f"almost flat: a diameter over half the tray (SE {error:.2f}°)")
    for kind in ("open", "walled"):
        for index, (low, high) in enumerate(zip(ROLLING, ROLLING[1:])):
            change, error = mean_and_error([b - a for a, b in zip(angles[kind][index], angles[kind][index + 1])])
            yield Row(f"{kind}: ψ({high:g}) − ψ({low:g})", 0.0, change, 2.0 * error, "deg",
                      f"rising, to two SE (SE {error:.2f}°)", ">=")
        mean, error = mean_and_error(angles[kind][-1])
        yield Row(f"{kind}: ψ(0.01)", STEEP_DEG, mean, 2.0 * error, "deg", f"a steep cone (SE {error:.2f}°)", ">=")
