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
    sun_scale = camera.scale * 0.4
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
    """The slab alone: a ray a pixel against its three pairs of faces."""
    columns = ((np.arange(camera.width) + 0.5 - 0.5 * camera.width) / camera.scale)[None, :]
    rows = ((0.5 * camera.height - np.arange(camera.height) - 0.5) / camera.scale)[:, None]
    shape = (camera.height, camera.width)
    enter, leave = np.full(shape, -_FAR), np.full(shape, _FAR)
    face = np.zeros(shape, dtype=np.int8)
    starts: list[Image] = []
    low = np.array([-half_lengths[0], -half_lengths[1], -thickness_m])
    high = np.array([half_lengths[0], half_lengths[1], 0.0])
    for axis in range(3):
        start = (camera.center[axis] + columns * camera.right[axis] + rows * camera.up[axis]).astype(np.float32)
        direction = float(camera.toward[axis]) or 1e-12
        near, far = (low[axis], high[axis]) if direction > 0 else (high[axis], low[axis])
        inverse = np.float32(1.0 / direction)
        exit_at = (np.float32(far) - start) * inverse
        face[exit_at < leave] = axis
        np.minimum(leave, exit_at, out=leave)
        np.maximum(enter, (np.float32(near) - start) * inverse, out=enter)
        starts.append(start)
    toward = np.where(leave > enter, leave, -_FAR)
    normals = np.diag(np.sign(camera.toward)).astype(np.float32)
    color = np.broadcast_to(_SLAB_COLOR, (*shape, 3)).copy()
    lines = np.zeros(shape, dtype=np.bool_)
    for axis in range(2):
        place = starts[axis] + leave * np.float32(camera.toward[axis])
        off = np.abs((place + np.float32(0.125)) % np.float32(0.25) - np.float32(0.125))
        lines |= (off < 0.0025) & (np.abs(place) < 0.99 * half_lengths[axis])
    color[lines & (face == 2)] *= np.float32(0.86)
    return Surface(toward, normals[face], color)


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
    """The share of the sun each point sees: 13 samples of the shadow map around it."""
    seen = sun.project(points + 0.004 * normal)
    share = np.zeros(len(points), dtype=np.float32)
    offsets = [(i, j) for i in range(-2, 3) for j in range(-2, 3) if (i + j) % 2 == 0]
    columns = np.clip(seen[:, 0], 2, sun.width - 3).astype(np.int64)
    rows = np.clip(seen[:, 1], 2, sun.height - 3).astype(np.int64)
    flat = shadow.ravel()
    place = rows * sun.width + columns
    height = (seen[:, 2] + 0.006).astype(np.float32)
    for du, dv in offsets:
        share += flat[place + (dv * sun.width + du)] < height
    return share / np.float32(len(offsets))


def _openness(toward: Image, scale: float) -> Image:
    """1 where nothing rises around a pixel, less in crevices: how much opposite neighbours stand above it together.

    Opposite neighbours are taken in pairs so that a slanted plane counts as open; a pair across a silhouette, where
    one stands far nearer to the viewer, says nothing.
    """
    blocked = np.zeros_like(toward)
    samples = 0
    for ring_m in (0.009, 0.018, 0.034):
        for k in range(4):
            angle = math.pi * (k + 0.5 * (ring_m > 0.01)) / 4
            du, dv = round(ring_m * scale * math.cos(angle)), round(ring_m * scale * math.sin(angle))
            one = np.roll(toward, (dv, du), axis=(0, 1)) - toward
            other = np.roll(toward, (-dv, -du), axis=(0, 1)) - toward
            near = np.maximum(np.abs(one), np.abs(other)) < np.float32(4 * ring_m)
            blocked += np.clip((one + other) / np.float32(2 * ring_m), 0.0, 1.0) * near
            samples += 1
    return np.asarray(np.clip(1.0 - 1.6 * blocked / samples, 0.08, 1.0), dtype=np.float32)


def fade(picture: Image, share: float) -> Image:
    """The picture with its alpha falling to 0 over that share of its size at every edge."""
    ramps = []
    for size in picture.shape[:2]:
        distance = np.minimum(np.arange(size), np.arange(size)[::-1]) / (share * size)
        inside = np.clip(distance, 0.0, 1.0)
        ramps.append((inside * inside * (3.0 - 2.0 * inside)).astype(np.float32))
    faded = picture.copy()
    faded[..., 3] *= ramps[0][:, None] * ramps[1][None, :]
    return faded


def reduce(picture: Image, factor: int) -> Image:
    """The mean of each factor x factor block: the supersampled picture at its own size."""
    height, width = picture.shape[0] // factor, picture.shape[1] // factor
    blocks = picture[: height * factor, : width * factor].reshape(height, factor, width, factor, 4)
    alpha = blocks[..., 3:].sum(axis=(1, 3))
    color = (blocks[..., :3] * blocks[..., 3:]).sum(axis=(1, 3)) / np.maximum(alpha, 1e-6)
    return np.concatenate([color, alpha / factor**2], axis=-1)
