"""A picture of spheres on a slab, computed in numpy: orthographic camera, one sun, soft shadows, ambient occlusion.

Depth, normal and colour of the nearest surface are found for every pixel first (rasterize), then lit (shade). Lengths
in metres, colours linear in [0, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from talus.frames import Floats

Image = npt.NDArray[np.float32]

_FAR = np.float32(1e9)
_SLAB_COLOR = np.array([0.72, 0.71, 0.69], dtype=np.float32)
_SUN = np.array([-0.45, -0.55, 0.80])
_SKY = np.array([0.86, 0.92, 1.0], dtype=np.float32)


@dataclass(frozen=True)
class Camera:
    """An orthographic view: `right`, `up`, `toward` (to the viewer) are orthonormal; `scale` is pixels per metre."""

    right: Floats
    up: Floats
    toward: Floats
    center: Floats
    scale: float
    width: int
    height: int

    def project(self, points: Floats) -> Floats:
        """(n, 3): pixel column, pixel row, height toward the viewer in metres."""
        offset = points - self.center
        return np.stack(
            [
                offset @ self.right * self.scale + 0.5 * self.width,
                0.5 * self.height - offset @ self.up * self.scale,
                offset @ self.toward,
            ],
            axis=1,
        )


@dataclass
class Surface:
    """The nearest surface by pixel: its height toward the viewer (-far: nothing), its world normal and its colour."""

    toward: Image
    normal: Image
    color: Image


def look(toward: Floats, center: Floats, scale: float, width: int, height: int) -> Camera:
    """A camera that looks against `toward`, with the world's z upright."""
    toward = toward / np.linalg.norm(toward)
    right = np.cross(np.array([0.0, 0.0, 1.0]), toward)
    right /= np.linalg.norm(right)
    return Camera(right, np.cross(toward, right), toward, center, scale, width, height)


def render(
    positions: Floats, radii: Floats, colors: Floats, half_lengths: Floats, thickness_m: float, camera: Camera
) -> Image:
    """(height, width, 4) picture with alpha of spheres on the slab |x|, |y| <= half_lengths, -thickness <= z <= 0."""
    surface = rasterize(positions, radii, colors, half_lengths, thickness_m, camera)
    reach = float(np.abs(camera.project(positions)[:, :2] - 0.5 * camera.width).max()) if len(positions) else 1.0
    sun_scale = camera.scale * 0.5
    size = int(2.2 * max(reach / camera.scale, 1.5 * float(half_lengths.max())) * sun_scale)
    sun = look(_SUN, camera.center, sun_scale, size, size)
    shadow = rasterize(positions, radii, colors, half_lengths, thickness_m, sun).toward
    return shade(surface, camera, shadow, sun)


def rasterize(
    positions: Floats, radii: Floats, colors: Floats, half_lengths: Floats, thickness_m: float, camera: Camera
) -> Surface:
    """The nearest surface by pixel."""
    surface = _slab(half_lengths, thickness_m, camera)
    centers = camera.project(positions)
    basis = np.stack([camera.right, camera.up, camera.toward]).astype(np.float32)
    for (column, row, toward), radius, color in zip(centers.tolist(), radii.tolist(), colors.astype(np.float32)):
        reach = radius * camera.scale
        left, top = max(0, math.floor(column - reach)), max(0, math.floor(row - reach))
        right = min(camera.width, math.ceil(column + reach) + 1)
        bottom = min(camera.height, math.ceil(row + reach) + 1)
        if left >= right or top >= bottom:
            continue
        u = ((np.arange(left, right, dtype=np.float32) + 0.5 - column) / reach)[None, :]
        v = ((row - np.arange(top, bottom, dtype=np.float32) - 0.5) / reach)[:, None]
        squared = 1.0 - u * u - v * v
        bulge = np.sqrt(np.maximum(squared, 0.0))
        height = toward + radius * bulge
        window = (slice(top, bottom), slice(left, right))
        nearer = (squared > 0) & (height > surface.toward[window])
        if not nearer.any():
            continue
        local = np.stack([np.broadcast_to(u, bulge.shape), np.broadcast_to(v, bulge.shape), bulge], axis=-1)[nearer]
        surface.toward[window][nearer] = height[nearer]
        surface.normal[window][nearer] = local @ basis
        surface.color[window][nearer] = color
    return surface


def _slab(half_lengths: Floats, thickness_m: float, camera: Camera) -> Surface:
    """The slab alone: rays against its three pairs of faces."""
    columns = (np.arange(camera.width) + 0.5 - 0.5 * camera.width) / camera.scale
    rows = (0.5 * camera.height - np.arange(camera.height) - 0.5) / camera.scale
    start = camera.center + columns[None, :, None] * camera.right + rows[:, None, None] * camera.up
    low = np.array([-half_lengths[0], -half_lengths[1], -thickness_m])
    high = np.array([half_lengths[0], half_lengths[1], 0.0])
    direction = np.where(np.abs(camera.toward) < 1e-12, 1e-12, camera.toward)
    one, other = (low - start) / direction, (high - start) / direction
    leave = np.maximum(one, other)
    nearest = leave.min(axis=-1)
    hit = nearest > np.minimum(one, other).max(axis=-1)
    axis = leave.argmin(axis=-1)
    normal = np.zeros(start.shape, dtype=np.float32)
    np.put_along_axis(normal, axis[:, :, None], np.sign(direction)[axis][:, :, None].astype(np.float32), axis=-1)
    toward = np.where(hit, nearest, -_FAR).astype(np.float32)
    color = np.broadcast_to(_SLAB_COLOR, start.shape).copy()
    point = start + nearest[:, :, None] * camera.toward
    lines = (np.abs((point[:, :, :2] + 0.125) % 0.25 - 0.125) < 0.0025).any(axis=-1) & (axis == 2)
    color[lines] *= 0.86
    return Surface(toward, normal, color)


def shade(surface: Surface, camera: Camera, shadow: Image, sun: Camera) -> Image:
    """Sun with soft shadow, sky light dimmed by ambient occlusion, gamma 2.2."""
    seen = surface.toward > -_FAR / 2
    rows, columns = np.nonzero(seen)
    points = (
        camera.center
        + ((columns + 0.5 - 0.5 * camera.width) / camera.scale)[:, None] * camera.right
        + ((0.5 * camera.height - rows - 0.5) / camera.scale)[:, None] * camera.up
        + surface.toward[seen].astype(np.float64)[:, None] * camera.toward
    )
    normal = surface.normal[seen]
    facing = np.maximum(0.0, normal @ sun.toward.astype(np.float32))
    lit = facing * _sunlight(points, normal, shadow, sun)
    open_sky = _openness(surface.toward, camera.scale)[seen]
    sky = (0.55 + 0.45 * normal[:, 2]) * open_sky
    light = 0.95 * lit[:, None] * np.array([1.0, 0.96, 0.88], dtype=np.float32) + 0.50 * sky[:, None] * _SKY
    picture = np.zeros((*surface.toward.shape, 4), dtype=np.float32)
    picture[seen, :3] = np.clip(surface.color[seen] * light, 0.0, 1.0) ** (1 / 2.2)
    picture[seen, 3] = 1.0
    return picture


def _sunlight(points: Floats, normal: Image, shadow: Image, sun: Camera) -> Image:
    """The share of the sun each point sees: 25 samples of the shadow map around it."""
    seen = sun.project(points + 0.004 * normal)
    share = np.zeros(len(points), dtype=np.float32)
    offsets = [(0.9 * i, 0.9 * j) for i in range(-2, 3) for j in range(-2, 3)]
    for du, dv in offsets:
        column = np.clip((seen[:, 0] + du).astype(np.int64), 0, sun.width - 1)
        row = np.clip((seen[:, 1] + dv).astype(np.int64), 0, sun.height - 1)
        share += shadow[row, column] < seen[:, 2] + 0.006
    return share / np.float32(len(offsets))


def _openness(toward: Image, scale: float) -> Image:
    """1 where nothing rises around a pixel, less in crevices: depth differences at rings of samples."""
    blocked = np.zeros_like(toward)
    samples = 0
    for ring_m in (0.008, 0.018, 0.035):
        for k in range(8):
            angle = 2 * math.pi * (k + 0.5 * (ring_m > 0.01)) / 8
            du, dv = round(ring_m * scale * math.cos(angle)), round(ring_m * scale * math.sin(angle))
            rise = np.roll(toward, (dv, du), axis=(0, 1)) - toward
            blocked += np.clip(rise / ring_m, 0.0, 1.0) * (rise < 4 * ring_m)
            samples += 1
    return np.asarray(np.clip(1.0 - 1.25 * blocked / samples, 0.1, 1.0), dtype=np.float32)


def reduce(picture: Image, factor: int) -> Image:
    """The mean of each factor x factor block: the supersampled picture at its own size."""
    height, width = picture.shape[0] // factor, picture.shape[1] // factor
    blocks = picture[: height * factor, : width * factor].reshape(height, factor, width, factor, 4)
    alpha = blocks[..., 3:].sum(axis=(1, 3))
    color = (blocks[..., :3] * blocks[..., 3:]).sum(axis=(1, 3)) / np.maximum(alpha, 1e-6)
    return np.concatenate([color, alpha / factor**2], axis=-1)
