"""What the demo is told on its command line."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from typing import Callable, Optional, Sequence

from talus.named_scenes import load_named
from talus.settings import CONE_LAWS

FULL_PARTICLES = 10_000
FULL_TOLERANCE = 1e-3  # what a flowing heap of this size reaches in some hundred sweeps a step
SETTLING_S = 2.5  # after the last particle is due: it makes the paper's 15 s of its 10 000 particles at 800/s
DEFAULT_PARTICLES = 1000


@dataclass(frozen=True)
class Options:
    """One run of the demo."""

    particles: int
    rolling_m: float
    threads: Optional[int]
    seed: int
    seconds: float
    law: str
    tolerance: Optional[float]
    walled: bool
    frame_period_s: float
    out: str
    json: bool


def parse(arguments: Optional[Sequence[str]] = None) -> Options:
    """Reads the command line; ends the program with status 2 and a message when it makes no sense."""
    parser = argparse.ArgumentParser(
        prog="python3 -m talus.demo",
        description="Pours the gravel pile of Tasora & Anitescu 2013, section 6.3, and measures its angle of repose.",
    )
    parser.add_argument("--particles", type=_number(int, 1), metavar="N", help=f"spheres [{DEFAULT_PARTICLES}]")
    parser.add_argument(
        "--rolling", type=_number(float, 0.0), default=0.01, metavar="R", help="rho = sigma in metres [0.01]"
    )
    parser.add_argument("--threads", type=_number(int, 1), metavar="T", help="worker threads [all cores]")
    parser.add_argument("--seed", type=_number(int, 0), default=1, metavar="S", help="of the particles' places [1]")
    parser.add_argument("--full", action="store_true", help="the paper's size: 10 000 particles, 15 s")
    parser.add_argument(
        "--seconds",
        type=_number(float, 0.01),
        metavar="T",
        help=f"simulated time [particles / rate + {SETTLING_S} s]",
    )
    parser.add_argument("--law", choices=sorted(CONE_LAWS), default="ncp", help="contact law [ncp]")
    parser.add_argument("--tolerance", type=_number(float, 1e-14), metavar="X", help="residual to stop at [1e-4; 1e-3 with --full]")
    parser.add_argument("--walled", action="store_true", help="1 m walls round the tray instead of open edges")
    parser.add_argument(
        "--frame-period", type=_number(float, 0.001), default=0.05, metavar="T", help="between recorded frames, s [0.05]"
    )
    parser.add_argument("--out", default="out", metavar="DIR", help="where the results go [out]")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON instead of the table")
    read = parser.parse_args(arguments)
    particles = read.particles or (FULL_PARTICLES if read.full else DEFAULT_PARTICLES)
    rate = load_named("gravel_pile").emitters[0].rate_per_s
    return Options(
        particles=particles,
        rolling_m=read.rolling,
        threads=read.threads,
        seed=read.seed,
        seconds=read.seconds or particles / rate + SETTLING_S,
        law=read.law,
        tolerance=read.tolerance or (FULL_TOLERANCE if read.full else None),
        walled=read.walled,
        frame_period_s=read.frame_period,
        out=read.out,
        json=read.json,
    )


def _number(kind: Callable[[str], float], least: float) -> Callable[[str], float]:
    """An argparse type: a finite number not below `least`."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
        if not math.isfinite(value) or value < least:
            raise argparse.ArgumentTypeError(f"{text} must be >= {least}")
        return value

    return read
