"""The named scenes of clients/scenes, with the parameters a caller may override."""

from __future__ import annotations

import os
from typing import Optional

from talus.choices import choose
from talus.scene import load
from talus.settings import CONE_LAWS
from talus.v1 import scene_pb2

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenes")


def names() -> list[str]:
    """The names load_named() knows."""
    return sorted(file[: -len(".json")] for file in os.listdir(_FOLDER) if file.endswith(".json"))


def load_named(name: str) -> scene_pb2.SceneSpec:
    """The scene as it is written down. ValueError: there is no such scene."""
    if name not in names():
        raise ValueError(f"no scene named {name!r}; there are {', '.join(names())}")
    return load(os.path.join(_FOLDER, f"{name}.json"))


def gravel_pile(
    particles: Optional[int] = None,
    *,
    seed: Optional[int] = None,
    rolling: Optional[float] = None,
    sliding: Optional[float] = None,
    rate: Optional[float] = None,
    walled: bool = False,
    law: Optional[str] = None,
    tolerance: Optional[float] = None,
    max_sweeps: Optional[int] = None,
    time_step: Optional[float] = None,
) -> scene_pb2.SceneSpec:
    """The gravel pile (clients/scenes/gravel_pile.json); None keeps the scene's own value.

    Args:
      particles: how many spheres the emitter releases.
      seed: of the emitter.
      rolling: rolling and spinning friction length rho = sigma, metres.
      sliding: mu.
      rate: particles a second.
      walled: 1 m walls round the tray and room beside it; else what rolls over its edge is removed.
      law: "ncp" or "ccp".
      tolerance, max_sweeps, time_step: of the settings.

    ValueError: there is no such law.
    """
    spec = load_named("gravel_pile")
    gravel = spec.materials[0].material
    emitter = spec.emitters[0]
    if particles is not None:
        emitter.particle_count = particles
    if seed is not None:
        emitter.seed = seed
    if rate is not None:
        emitter.rate_per_s = rate
    if rolling is not None:
        gravel.rolling_friction_m = rolling
        gravel.spinning_friction_m = rolling
    if sliding is not None:
        gravel.sliding_friction = sliding
    if walled:
        tray = spec.bodies[0].shapes[0].container
        tray.wall_height_m = 1.0
        for corner, sign in ((spec.domain.min_world_m, -1.0), (spec.domain.max_world_m, 1.0)):
            corner.x = sign * (0.5 * tray.inner_length_x_m + 1.0)
            corner.y = sign * (0.5 * tray.inner_length_y_m + 1.0)
    if law is not None:
        spec.settings.solver.law = choose("law", law, CONE_LAWS)
    if tolerance is not None:
        spec.settings.solver.tolerance = tolerance
    if max_sweeps is not None:
        spec.settings.solver.max_sweeps = max_sweeps
    if time_step is not None:
        spec.settings.time_step_s = time_step
    return spec
