"""[TA] §6.3 at its own size: 10 000 spheres, one seed."""

import numpy as np
from book.drawing import COLORS, INK, canvas, save
from book.figure import Row, Run, numbers
from book.heap import find_heap
from talus.demo.drawing import picture_of
from talus.demo.pile import Pile

TITLE = "Gravel piles of 10 000 spheres"
SOURCE = "TA §6.3, Figs. 10 to 13"
TEXT = """
As below with 10 000 spheres, solved to 10⁻³, seed 1. Open, what rolls over the edge of the tray of 2 m × 2 m is gone; walled
(walls of 1 m) everything stays. From a nozzle at 1 m for 30 s, but: a pile at ρ ≥ 0.0075 m grows up to that height, and the
nozzle waits for it to give way, so that these are poured from 1.6 m, for 15 s, after which they rest; and at ρ = 0 the
spheres go on rolling, so that the open one takes 240 s and that with 10 sweeps 60 s. The paper has them almost flat then and does
not say what the rim of its tray is like: open they are; walled a cone is left, held by sliding friction between spheres that
cannot spread. Under CCP and with 10 or 30 sweeps a step it is as steep. The paper's curve has no numbers, so that steep
cones have a lower bound alone; the next figure says what they depend on beside ρ. One seed: no standard error.
"""

ROLLING = (0.0, 0.001, 0.0025, 0.005, 0.0075, 0.01)
PARTICLES = 10_000
# Name: (ρ, walled, height of the nozzle, seconds, seconds that takes on one idle core, about, what else is set).
PILES = {
    "open-rho0": (0.0, 0, 1.0, 240, 160.0, {}), "open-rho0.001": (0.001, 0, 1.0, 30, 50.0, {}),
    "open-rho0.0025": (0.0025, 0, 1.0, 30, 70.0, {}), "open-rho0.005": (0.005, 0, 1.0, 30, 80.0, {}),
    "open-rho0.0075": (0.0075, 0, 1.6, 15, 45.0, {}), "open-rho0.01": (0.01, 0, 1.6, 15, 45.0, {}),
    "walled-rho0.01": (0.01, 1, 1.6, 15, 45.0, {}), "walled-rho0": (0.0, 1, 1.0, 30, 600.0, {}),
    "walled-rho0-ccp": (0.0, 1, 1.0, 30, 120.0, {"ccp": 1}),
    "walled-rho0-sweeps10": (0.0, 1, 1.0, 60, 160.0, {"max_sweeps": 10}),
    "walled-rho0-sweeps30": (0.0, 1, 1.0, 30, 100.0, {"max_sweeps": 30}),
}
AT_REST_M_S = 0.01  # a diameter in five seconds
FLAT = 5.0  # degrees: four diameters over the tray
LAYER = int((2.0 / 0.045) ** 2)  # spheres, each on a square of its own


def _open(rho):
    return f"open-rho{rho:g}"


def runs():
    for name, (rho, walled, nozzle, seconds, taken, settings) in PILES.items():
        yield Run(name, numbers("talus_figures", "gravel_pile", particles=PARTICLES, seconds=seconds, rolling_m=rho, seed=1,
                                walled=walled, tolerance=1e-3, nozzle_m=nozzle, **settings), taken)


def enough(done):
    """The open ones; of the others, what is there."""
    return all(_open(rho) in done for rho in ROLLING)


def _draw_pile(axes, run, title):
    heap = find_heap(run)
    pile = Pile(np.arange(len(heap.positions)), heap.positions, heap.radii, heap.inside)
    axes.imshow(picture_of(pile, np.array([1.0, 1.0]), width=300, height=174), interpolation="lanczos")
    axes.axis("off")
    axes.set_title(f"{title}\n{heap.angle_deg():.1f}°, {len(heap.positions)} spheres", fontsize=9.0)


def draw(data, path):
    figure, all_axes = canvas(2, 4, width=12.0, height=5.0)
    for axes, rho in zip(all_axes.flat, ROLLING):
        _draw_pile(axes, data[_open(rho)], f"ρ = {rho:g} m, nozzle at {PILES[_open(rho)][2]:g} m")
    if "walled-rho0" in data:
        _draw_pile(all_axes.flat[6], data["walled-rho0"], "ρ = 0, walled, nozzle at 1 m")
    else:
        all_axes.flat[6].axis("off")
    axes = all_axes.flat[7]
    # Those at ρ = 0 set apart, as they have nearly the same angle.
    for color, kind, mark, shift, names in (
            (COLORS[0], "open", "o-", 0.0, [_open(rho) for rho in ROLLING]),
            (COLORS[2], "walled", "s", 0.0, ["walled-rho0", "walled-rho0.01"]),
            (COLORS[1], "walled, CCP", "^", -4e-4, ["walled-rho0-ccp"]),
            (COLORS[3], "walled, 10 sweeps", "x", -8e-4, ["walled-rho0-sweeps10"]),
            (COLORS[3], "walled, 30 sweeps", "D", -12e-4, ["walled-rho0-sweeps30"])):
        points = [(PILES[name][0] + shift, find_heap(data[name]).angle_deg()) for name in names if name in data]
        if points:
            axes.plot(*zip(*points), mark, color=color, label=kind, ms=5)
    high = [name for name in data if PILES[name][2] > 1.0]
    axes.plot([PILES[name][0] for name in high], [find_heap(data[name]).angle_deg() for name in high], "o", mfc="white", mec=INK,
              ms=9, zorder=1, label="ring: from 1.6 m, others from 1 m")
    axes.set_title("Angle of repose; walled at ρ = 0 set apart", fontsize=9.0)
    axes.set(xlabel="ρ = σ  (m)", ylabel="ψ  (degrees)", ylim=(0, None))
    axes.legend(fontsize=7.5, loc="lower right")
    save(figure, path)


def _poured(run):
    return PARTICLES - run["values"]["pending"]


def compare(data):
    for name in data:
        yield Row(f"{name}: spheres poured", PARTICLES, _poured(data[name]), 0.0, "-", "all of them")
    left = data[_open(0.0)]["values"]["body_count"]
    yield Row("spheres left at ρ = 0 with an open edge", 0.0, left, 0.01 * PARTICLES, "-",
              "nothing holds them on a flat tray, but those that met others roll ever slower: 1 %", "<=")
    yield Row("the same beside a layer of the tray", LAYER, left, 0.0, "-", "what lies still on a flat tray stays: less than a layer", "<=")
    angles = [find_heap(data[_open(rho)]).angle_deg() for rho in ROLLING]
    # The angle of one small pile scatters by 1° to 2.5° (ten seeds, the other figure), of a large one by less.
    for low, high, before, after in zip(ROLLING, ROLLING[1:], angles, angles[1:]):
        yield Row(f"open: ψ({high:g}) − ψ({low:g})", 0.0, after - before, 2.0, "deg",
                  "rising, to the scatter of two single piles", ">=")
    for name in sorted({"open-rho0.01", "walled-rho0.01"} & set(data)):
        yield Row(f"{name}: ψ", 25.0, find_heap(data[name]).angle_deg(), 0.0, "deg",
                  "a steep cone; the paper's curve has no number for an upper bound", ">=")
    yield Row("open-rho0: ψ", 0.0, angles[0], FLAT, "deg", "almost flat: four diameters over the tray")
    for name in data:
        yield Row(f"{name}: fastest sphere", 0.0, data[name]["values"]["fastest_m_s"], AT_REST_M_S, "m/s",
                  "at rest: a diameter in five seconds", "<=")
    if "walled-rho0" in data:
        walled = find_heap(data["walled-rho0"]).angle_deg()
        yield Row("walled-rho0: ψ", 0.0, walled, FLAT, "deg", "almost flat: four diameters over the tray")
        # What the paper may have done otherwise, beside what was done.
        for name in sorted(set(data) & {name for name in PILES if name.startswith("walled-rho0-")}):
            yield Row(f"{name}: ψ less that of walled-rho0", 0.0, find_heap(data[name]).angle_deg() - walled, 2.0, "deg",
                      "as steep, to the scatter of two single piles")


def notes(data):
    lines = ["What each run ends with. A pile whose fastest sphere moves has spheres that still roll, off it or over the edge; "
             "its angle is that of the heap at that moment. Steps above their tolerance are given with the worst residual of "
             "all steps of the run, asked for being 10⁻³: runs with 10 or 30 sweeps were told to stop there.\n",
             "| run | spheres left | fastest sphere, m/s | steps | above their tolerance | worst residual | ψ, degrees |",
             "|---|---|---|---|---|---|---|"]
    for name, run in data.items():
        lines.append(f"| {name} | {run['values']['body_count']:.0f} | {run['values']['fastest_m_s']:.2g} | {run['steps']} | "
                     f"{run['unconverged_steps']} | {run['worst_residual']:.1e} | {find_heap(run).angle_deg():.1f} |")
    return "\n".join(lines)
