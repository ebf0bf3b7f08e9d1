"""Stepping the pile through a server, and recording it on the way."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from talus.calls import StepResult
from talus.client import Client, Scene
from talus.demo.options import Options
from talus.demo.progress import ProgressBar
from talus.frames import Frame
from talus.named_scenes import gravel_pile
from talus.recording import FrameWriter
from talus.v1 import scene_pb2

LAST_S = 1.0  # the span at the end over which residual and penetration are judged


@dataclass
class PourResult:
    """What came of a pour."""

    frame: Frame  # the last one: positions, contacts, report, layout
    spec: scene_pb2.SceneSpec
    steps: int
    wall_s: float
    frames: int
    worst_residual: float  # of the last second
    worst_penetration_m: float
    unconverged_steps: int
    sweeps: int


class _Certificate:
    """The worst of the steps that end within the last second, call by call."""

    def __init__(self, from_s: float) -> None:
        self._from_s = from_s
        self.residual = self.penetration_m = 0.0
        self.unconverged = self.sweeps = 0

    def add(self, result: StepResult) -> None:
        self.sweeps += result.sweep_count
        if result.time_s >= self._from_s:
            self.residual = max(self.residual, result.worst_residual)
            self.penetration_m = max(self.penetration_m, result.worst_penetration_m)
            self.unconverged += result.unconverged_steps


class _Estimate:
    """The wall time to come: a step costs in proportion to the particles in the scene."""

    def __init__(self, options: Options, rate_per_s: float) -> None:
        self._options = options
        self._rate = rate_per_s
        self._recent_s_per_particle_second = 0.0

    def left_s(self, time_s: float, simulated_s: float, wall_s: float) -> float:
        now = max(1.0, self._particles(time_s - 0.5 * simulated_s))
        latest = wall_s / (simulated_s * now)
        known = self._recent_s_per_particle_second
        self._recent_s_per_particle_second = latest if known == 0.0 else 0.8 * known + 0.2 * latest
        samples = 50
        span = self._options.seconds - time_s
        mean = sum(self._particles(time_s + span * (k + 0.5) / samples) for k in range(samples)) / samples
        return self._recent_s_per_particle_second * span * mean

    def _particles(self, time_s: float) -> float:
        return min(float(self._options.particles), self._rate * time_s)


def scene_spec(options: Options) -> scene_pb2.SceneSpec:
    """The pile as the options want it."""
    return gravel_pile(
        options.particles,
        seed=options.seed,
        rolling=options.rolling_m,
        walled=options.walled,
        law=options.law,
        tolerance=options.tolerance,
    )


def pour(client: Client, options: Options) -> PourResult:
    """Creates the scene, steps it to its end, writes frames.binpb and deletes it."""
    spec = scene_spec(options)
    step_s = spec.settings.time_step_s
    scene = client.create_scene(spec)
    steps = max(1, round(options.seconds / step_s))
    stride = max(1, round(options.frame_period_s / step_s))
    progress = ProgressBar(steps)
    estimate = _Estimate(options, spec.emitters[0].rate_per_s)
    certificate = _Certificate((steps - round(LAST_S / step_s)) * step_s + 0.5 * step_s)
    wall_s = 0.0
    done = 0
    with FrameWriter(os.path.join(options.out, "frames.binpb")) as writer:
        writer.write(scene.state(orientations=False, velocities=False, layout=True))
        while done < steps:
            count = min(stride, steps - done)
            begin = time.monotonic()
            result = _advance(scene, count, last=done + count == steps)
            elapsed_s = time.monotonic() - begin
            wall_s += elapsed_s
            done += count
            writer.write(result.frame)
            certificate.add(result)
            left_s = estimate.left_s(done * step_s, count * step_s, elapsed_s)
            report = result.report
            progress.update(
                done,
                left_s,
                f"{result.time_s:.2f} s, {report.body_count - 1} particles, {report.contact_count} contacts, "
                f"residual {result.worst_residual:.0e}",
            )
        progress.close()
        frames = writer.count
    scene.delete()
    return PourResult(
        frame=result.frame,
        spec=spec,
        steps=steps,
        wall_s=wall_s,
        frames=frames,
        worst_residual=certificate.residual,
        worst_penetration_m=certificate.penetration_m,
        unconverged_steps=certificate.unconverged,
        sweeps=certificate.sweeps,
    )


def _advance(scene: Scene, count: int, last: bool) -> StepResult:
    return scene.step(count, positions=True, contacts=last, layout=True)
