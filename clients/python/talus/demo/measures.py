"""The angle of repose of a pile of equal spheres on a flat floor at z = 0, by two independent fits.

Conical fit: the surface particles, at the heights between 20 and 80 % of the pile's, against the cone z = a - k r with
free apex and axis. Moment fit: mean height and mean distance from the axis of all particles against those of a solid
cone, cut by the container's edges. Both in degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional

import numpy as np

from talus.frames import Flags, Floats

LOWEST_SHARE = 0.2
HIGHEST_SHARE = 0.8
_FEWEST = 12  # surface particles a fit of four unknowns is trusted with


@dataclass(frozen=True)
class Cone:
    """z = apex_m - slope * distance from the vertical axis through (x_m, y_m)."""

    x_m: float
    y_m: float
    apex_m: float
    slope: float
    points: int = 0  # particles that were fitted; 0 for the moment fit
    rms_m: float = 0.0  # deviation of the fitted surface from them

    @property
    def angle_deg(self) -> float:
        """Of its side against the floor."""
        return math.degrees(math.atan(self.slope))

    @property
    def radius_m(self) -> float:
        """Of its foot; 0 when it has none."""
        return self.apex_m / self.slope if self.slope > 0 else 0.0

    def height(self, r: Floats) -> Floats:
        """At distances `r` from the axis."""
        return np.asarray(self.apex_m - self.slope * r)

    def distance(self, positions: Floats) -> Floats:
        """From the axis."""
        return np.asarray(np.hypot(positions[:, 0] - self.x_m, positions[:, 1] - self.y_m))


def find_surface(positions: Floats, radii: Floats) -> Flags:
    """(n,) True for particles that no centre lies above within one radius sideways: those one sees from above."""
    count = len(positions)
    exposed = np.ones(count, dtype=np.bool_)
    if count == 0:
        return exposed
    cell = float(radii.max())
    cells = np.floor(positions[:, :2] / cell).astype(np.int64)
    table: dict[tuple[int, int], list[int]] = {}
    for row, (i, j) in enumerate(cells.tolist()):
        table.setdefault((i, j), []).append(row)
    around = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    for (i, j), members in table.items():
        near = np.array([row for di, dj in around for row in table.get((i + di, j + dj), ())])
        mine = np.array(members)
        offsets = positions[mine][:, None, :] - positions[near][None, :, :]
        above = offsets[:, :, 2] < 0
        covered = above & (np.hypot(offsets[:, :, 0], offsets[:, :, 1]) < radii[mine][:, None])
        exposed[mine] = ~covered.any(axis=1)
    return exposed


def fit_cone(positions: Floats, radii: Floats) -> Optional[Cone]:
    """The conical fit; None when there are too few particles for one."""
    surface = find_surface(positions, radii)
    points = positions[surface].copy()
    points[:, 2] += radii[surface]
    if len(points) < _FEWEST:
        return None
    height = float(points[:, 2].max())
    chosen = (points[:, 2] >= LOWEST_SHARE * height) & (points[:, 2] <= HIGHEST_SHARE * height)
    if chosen.sum() < _FEWEST:
        chosen = np.ones(len(points), dtype=np.bool_)
    cone = _least_squares(points[chosen], positions[:, :2].mean(axis=0))
    # Choosing by the measured height cuts the scatter one-sidedly and flattens the fit, so the band is chosen by the
    # height that the cone itself has at a particle's distance.
    for _ in range(20):
        predicted = cone.height(cone.distance(points))
        band = (predicted >= LOWEST_SHARE * height) & (predicted <= HIGHEST_SHARE * height)
        if band.sum() < _FEWEST or np.array_equal(band, chosen):
            break
        chosen = band
        cone = _least_squares(points[chosen], np.array([cone.x_m, cone.y_m]))
    return cone


def _least_squares(points: Floats, start: Floats) -> Cone:
    """Gauss-Newton for axis, apex and slope, damped where the points do not fix the axis."""
    x, y = float(start[0]), float(start[1])
    scale = float(np.hypot(points[:, 0] - x, points[:, 1] - y).mean()) + 1e-12
    apex = slope = 0.0
    for _ in range(50):
        dx, dy = points[:, 0] - x, points[:, 1] - y
        r = np.maximum(np.hypot(dx, dy), 1e-9)
        (apex, slope), *_ = np.linalg.lstsq(np.stack([np.ones_like(r), -r], axis=1), points[:, 2], rcond=None)
        rest = points[:, 2] - apex + slope * r
        jacobian = np.stack([slope * dx / r, slope * dy / r], axis=1)
        normal = jacobian.T @ jacobian + np.eye(2) * 1e-6 * len(points)
        move = np.linalg.solve(normal, jacobian.T @ rest)
        move *= min(1.0, 0.2 * scale / (float(np.hypot(*move)) + 1e-300))
        x, y = x + float(move[0]), y + float(move[1])
        if np.hypot(*move) < 1e-9 * scale:
            break
    rms = float(np.sqrt(np.mean(rest**2)))
    return Cone(x, y, float(apex), float(slope), len(points), rms)


def fit_moments(positions: Floats, half_length_x_m: float, half_length_y_m: float) -> Optional[Cone]:
    """The moment fit: the cone on the floor, cut at the container's edges, with the particles' mean z and mean r.

    The mean r alone fixes the foot radius, then the mean z fixes the height. A pile spread as evenly as the floor
    itself has no such cone; its slope is 0. None when there are too few particles.
    """
    if len(positions) < _FEWEST:
        return None
    x, y = (float(value) for value in positions[:, :2].mean(axis=0))
    mean_r = float(np.hypot(positions[:, 0] - x, positions[:, 1] - y).mean())
    mean_z = float(positions[:, 2].mean())
    grid_x, grid_y = np.meshgrid(
        np.linspace(-half_length_x_m, half_length_x_m, 401), np.linspace(-half_length_y_m, half_length_y_m, 401)
    )
    inside = np.hypot(grid_x - x, grid_y - y)
    longest = 20.0 * float(inside.max())
    low, high = 1e-3 * mean_r, longest
    if _moments(inside, high)[0] <= mean_r:
        return Cone(x, y, 2.0 * mean_z, 0.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _moments(inside, middle)[0] < mean_r else (low, middle)
    radius = 0.5 * (low + high)
    apex = mean_z / _moments(inside, radius)[1]
    return Cone(x, y, apex, apex / radius)


def _moments(r: Floats, radius: float) -> tuple[float, float]:
    """(mean r, mean z) of the matter under the cone of height 1 and that foot radius."""
    height = np.maximum(0.0, 1.0 - r / radius)
    volume = float(height.sum())
    if volume == 0.0:
        return 0.0, 0.25
    return float((r * height).sum()) / volume, float((0.5 * height**2).sum()) / volume
