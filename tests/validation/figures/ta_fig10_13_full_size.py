"""[TA] §6.3 at its own size: 10 000 spheres, 15 s, one seed."""

import numpy as np
from book.drawing import COLORS, canvas, save
from book.figure import Row, Run, numbers
from book.heap import find_heap
from talus.demo.drawing import picture_of
from talus.demo.pile import Pile

TITLE = "Gravel piles of 10 000 spheres"
SOURCE = "TA §6.3, Figs. 10 to 13"
TEXT = """
As above with 10 000 spheres and 15 s, solved to 10⁻³, seed 1. Open, what rolls over the edge of the tray of 2 m × 2 m is
gone, so that the foot of the pile ends at the edge; walled (walls of 1 m) everything stays and leans against the walls,
and the fit sees what of the cone rises above. One seed: no standard error.
"""

ROLLING = (0.0, 0.001, 0.0025, 0.005, 0.0075, 0.01)
WALLED = (0.0, 0.01)
PARTICLES = 10_000
_SECONDS = dict(zip(ROLLING, (8.0, 25.0, 40.0, 45.0, 45.0, 45.0)))


def _name(rho, kind="open"):
    return f"{kind}-rho{rho:g}"


def runs():
    for kind, values in (("open", ROLLING), ("walled", WALLED)):
        for rho in values:
            yield Run(_name(rho, kind), numbers("talus_figures", "gravel_pile", particles=PARTICLES, seconds=15,
                                                rolling_m=rho, seed=1, walled=int(kind == "walled"), tolerance=1e-3),
                      _SECONDS[rho] if kind == "open" else 60.0)


def draw(data, path):
    figure, all_axes = canvas(2, 3, width=12.0, height=6.0)
    shown = [("open", 0.001), ("open", 0.0025), ("open", 0.005), ("open", 0.01), ("walled", 0.0)]
    for axes, (kind, rho) in zip(all_axes.flat, shown):
        heap = find_heap(data[_name(rho, kind)])
        pile = Pile(np.arange(len(heap.positions)), heap.positions, heap.radii, heap.inside)
        axes.imshow(picture_of(pile, np.array([1.0, 1.0]), width=380, height=220), interpolation="lanczos")
        axes.axis("off")
        axes.set_title(f"ρ = {rho:g} m, {kind}: {heap.angle_deg():.1f}°, {len(heap.positions)} spheres")
    axes = all_axes.flat[5]
    for color, kind, values in ((COLORS[0], "open", ROLLING), (COLORS[2], "walled", WALLED)):
        axes.plot(values, [find_heap(data[_name(rho, kind)]).angle_deg() for rho in values], "o-", color=color, label=kind)
    axes.set(title="Angle of repose", xlabel="ρ = σ  (m)", ylabel="ψ  (degrees)", ylim=(0, None))
    axes.legend()
    save(figure, path)


def compare(data):
    yield Row("spheres left at ρ = 0 with an open edge", 0.0, data[_name(0.0)]["values"]["body_count"], 100.0, "-",
              "nothing holds them on a flat tray; the last may still be rolling: 1 %", "<=")
    angles = [find_heap(data[_name(rho)]).angle_deg() for rho in ROLLING]
    # One pile's angle scatters by about 1° (ten seeds, above).
    for low, high, before, after in zip(ROLLING, ROLLING[1:], angles, angles[1:]):
        yield Row(f"open: ψ({high:g}) − ψ({low:g})", 0.0, after - before, 2.0, "deg",
                  "rising, to the scatter of two single piles", ">=")
    yield Row("open: ψ(0.01)", 25.0, angles[-1], 0.0, "deg", "a steep cone", ">=")
    flat = find_heap(data[_name(0.0, "walled")])
    steep = find_heap(data[_name(0.01, "walled")])
    yield Row("walled: ψ(0)", 0.0, flat.angle_deg(), 5.0, "deg", "almost flat")
    yield Row("walled: ψ(0.01)", 25.0, steep.angle_deg(), 0.0, "deg", "a steep cone", ">=")
