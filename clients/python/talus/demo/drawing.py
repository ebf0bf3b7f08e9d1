"""The picture of the demo: the pile in perspective of a low sun, its profile with both fits, a section with forces."""

from __future__ import annotations

from typing import Any, Optional

import matplotlib
import numpy as np

matplotlib.use("Agg")

from matplotlib import colors as mcolors  # noqa: E402
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.collections import EllipseCollection, LineCollection  # noqa: E402

from talus.demo.measures import HIGHEST_SHARE, LOWEST_SHARE, Cone, find_surface  # noqa: E402
from talus.demo.pile import Pile  # noqa: E402
from talus.demo.sphere_image import Image, fade, look, reduce, render  # noqa: E402
from talus.frames import Floats, Frame  # noqa: E402

_SUPERSAMPLING = 2
_ELEVATION_DEG = 20.0
_AZIMUTH_DEG = -68.0
_INK = "#2b2b2b"
_CONE_COLOR = "#c2410c"
_MOMENT_COLOR = "#0f766e"
# Dark umber at the foot, ochre, pale sand at the apex.
_EARTH = mcolors.LinearSegmentedColormap.from_list("earth", ["#4a3428", "#8a5a34", "#c98f4e", "#e9c88f", "#f7ecd2"])


def draw(
    path: str,
    frame: Frame,
    pile: Pile,
    cone: Optional[Cone],
    moments: Optional[Cone],
    half_lengths: Floats,
    title: str,
    subtitle: str,
) -> None:
    """Writes the picture."""
    figure = plt.figure(figsize=(13.0, 10.4), dpi=110, facecolor="white")
    grid = figure.add_gridspec(2, 2, height_ratios=[1.45, 1.0], left=0.06, right=0.975, top=0.915, bottom=0.065)
    figure.text(0.06, 0.962, title, fontsize=19, fontweight="bold", color=_INK)
    figure.text(0.06, 0.934, subtitle, fontsize=11.5, color="#555555")
    _draw_view(figure.add_subplot(grid[0, :]), pile, half_lengths)
    _draw_profile(figure.add_subplot(grid[1, 0]), pile, cone, moments)
    _draw_section(figure.add_subplot(grid[1, 1]), frame, pile, cone or moments)
    figure.savefig(path)
    plt.close(figure)


def _draw_view(axes: Any, pile: Pile, half_lengths: Floats) -> None:
    picture = picture_of(pile, half_lengths, width=1400, height=600)
    axes.imshow(picture, interpolation="lanczos")
    axes.axis("off")


def picture_of(pile: Pile, half_lengths: Floats, width: int, height: int) -> Image:
    """The shaded view of the pile."""
    positions, radii = pile.positions, pile.radii
    top = max(0.1, float((positions[:, 2] + radii).max())) if len(positions) else 0.1
    tones = np.random.default_rng(7).uniform(0.86, 1.0, (len(positions), 1))  # gravel is not of one colour
    colors = _EARTH(np.clip(positions[:, 2] / top, 0.0, 1.0))[:, :3] ** 2.2 * tones
    azimuth, elevation = np.radians(_AZIMUTH_DEG), np.radians(_ELEVATION_DEG)
    toward = np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    )
    # Wide enough for the pile with some floor around it, at most for the whole slab.
    heap = pile.heap_positions
    spread = float(np.quantile(np.hypot(heap[:, 0], heap[:, 1]), 0.98)) if len(heap) else 0.0
    half_width = min(1.5 * float(half_lengths.max()), max(0.5, 1.75 * spread))
    camera = look(
        toward,
        np.array([0.0, 0.0, 0.3 * top]),
        _SUPERSAMPLING * width / (2 * half_width),
        width * _SUPERSAMPLING,
        height * _SUPERSAMPLING,
    )
    return fade(reduce(render(positions, radii, colors, half_lengths, 0.05, camera), _SUPERSAMPLING), 0.07)


def _draw_profile(axes: Any, pile: Pile, cone: Optional[Cone], moments: Optional[Cone]) -> None:
    positions, radii = pile.heap_positions, pile.heap_radii
    axes.set_title("Profile: distance from the axis and height", fontsize=11.5, loc="left", color=_INK)
    axes.set_xlabel("r  (m)")
    axes.set_ylabel("z  (m)")
    fitted = cone or moments
    if fitted is None:
        axes.text(0.5, 0.5, "too few particles for a fit", ha="center", transform=axes.transAxes)
        return
    surface = find_surface(positions, radii)
    r, top = fitted.distance(positions), positions[:, 2] + radii
    height = float(top.max())
    axes.scatter(r[~surface], top[~surface], s=5, color="#d6cfc4", linewidths=0, label="inside")
    axes.scatter(r[surface], top[surface], s=12, color="#8a5a34", linewidths=0, label="surface")
    longest = max(float(r.max()), *(c.radius_m for c in (cone, moments) if c is not None and c.slope > 0.02), 0.1)
    line = np.linspace(0.0, longest, 200)
    for fit, color, name in ((cone, _CONE_COLOR, "conical fit"), (moments, _MOMENT_COLOR, "moment fit")):
        if fit is not None:
            z = fit.height(line)
            axes.plot(line[z >= 0], z[z >= 0], color=color, lw=2.2, label=f"{name}: {fit.angle_deg:.1f}°")
    axes.axhspan(LOWEST_SHARE * height, HIGHEST_SHARE * height, color=_CONE_COLOR, alpha=0.05, lw=0)
    axes.set_xlim(0.0, 1.03 * longest)
    axes.set_ylim(0.0, 1.25 * height)
    axes.legend(frameon=False, fontsize=9.5, loc="upper right", markerscale=1.6)
    _clean(axes)


def _draw_section(axes: Any, frame: Frame, pile: Pile, axis: Optional[Cone]) -> None:
    positions, radii = pile.positions, pile.radii
    axes.set_title("Section through the axis: contact forces", fontsize=11.5, loc="left", color=_INK)
    axes.set_xlabel("x  (m)")
    axes.set_aspect("equal")
    y = axis.y_m if axis else 0.0
    near = np.abs(positions[:, 1] - y) < radii * 1.3
    discs = EllipseCollection(
        2 * radii[near],
        2 * radii[near],
        np.zeros(int(near.sum())),
        units="xy",
        offsets=positions[near][:, [0, 2]],
        offset_transform=axes.transData,
        facecolor="#ece5d8",
        edgecolor="#cbbfa9",
        linewidth=0.5,
    )
    axes.add_collection(discs)
    axes.axhline(0.0, color=_INK, lw=1.0)
    chains = _force_lines(frame, pile, near)
    if chains is not None:
        lines, forces = chains
        strongest = float(np.quantile(forces, 0.99)) + 1e-12
        share = np.clip(forces / strongest, 0.0, 1.0)
        collection = LineCollection(lines, cmap="inferno_r", linewidths=0.4 + 4.2 * share, capstyle="round")
        collection.set_array(share * strongest)
        axes.add_collection(collection)
        bar = axes.figure.colorbar(collection, ax=axes, orientation="horizontal", fraction=0.06, pad=0.2, aspect=40)
        bar.set_label("normal force (N)", fontsize=9.5)
        bar.outline.set_visible(False)
    reach = float(np.abs(pile.heap_positions[:, 0]).max()) + 0.1 if pile.inside.any() else 1.0
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-0.02, 1.15 * max(0.1, float((positions[:, 2] + radii).max())) if len(positions) else 0.1)
    _clean(axes)


def _force_lines(frame: Frame, pile: Pile, near: Any) -> Optional[tuple[Any, Floats]]:
    """Line segments between the centres of touching particles near the section, and their normal forces."""
    contacts = frame.contacts
    body_count = int(max(pile.rows.max(initial=0), contacts.body_b_rows.max(initial=0))) + 1
    index = np.full(body_count, -1, dtype=np.intp)
    index[pile.rows] = np.arange(len(pile.rows))
    a, b = index[contacts.body_a_rows], index[contacts.body_b_rows]
    force = contacts.wrenches[:, 0]
    drawn = (force > 0) & (b >= 0) & near[b] & ((a < 0) | near[a])
    if not drawn.any():
        return None
    a, b, force = a[drawn], b[drawn], force[drawn]
    # A contact with the floor is drawn from the particle's centre to the contact point.
    start = np.where((a >= 0)[:, None], pile.positions[a], contacts.points[drawn])
    order = np.argsort(force)
    lines = np.stack([start[:, [0, 2]], pile.positions[b][:, [0, 2]]], axis=1)
    return lines[order], np.asarray(force[order])


def _clean(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors="#555555", labelsize=9.5)
