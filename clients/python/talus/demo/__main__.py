"""Runs the demo."""

from __future__ import annotations

import json
import os
import sys
from typing import Optional, Sequence

import numpy as np

from talus.demo import options as demo_options
from talus.demo.drawing import draw
from talus.demo.measures import fit_cone, fit_moments
from talus.demo.options import Options
from talus.demo.pile import find_pile
from talus.demo.pour import pour
from talus.demo.results import summarize, table, write_contacts, write_summary, write_table
from talus.errors import TalusError
from talus.server import launch


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status 0; 1 when a call failed; 130 when interrupted."""
    options = demo_options.parse(arguments)
    try:
        run(options)
    except (TalusError, OSError) as error:
        print(f"talus.demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ntalus.demo: interrupted", file=sys.stderr)
        return 130
    return 0


def run(options: Options) -> None:
    """Pours, measures, draws and writes everything."""
    os.makedirs(options.out, exist_ok=True)
    with launch(workers=options.threads, workers_per_scene=options.threads, log_level="warning") as server:
        threads = server.client.info().worker_threads_per_scene
        _say(f"server at {server.address}, {threads} threads; {options.particles} particles, {options.seconds:g} s")
        poured = pour(server.client, options)
        peak_memory_bytes = server.peak_memory_bytes()
    _say("measuring and drawing")
    pile = find_pile(poured.frame)
    tray = poured.spec.bodies[0].shapes[0].container
    half_lengths = np.array([tray.inner_length_x_m / 2, tray.inner_length_y_m / 2])
    cone = fit_cone(pile.heap_positions, pile.heap_radii)
    moments = fit_moments(pile.heap_positions, *half_lengths.tolist())
    summary = summarize(options, poured, pile, cone, moments, threads, peak_memory_bytes)
    text = table(summary, 2 * poured.spec.emitters[0].radius_max_m)
    write_contacts(options.out, poured.frame)
    write_summary(options.out, summary)
    write_table(options.out, text)
    angle = f"angle of repose {cone.angle_deg:.1f}°" if cone else "no pile"
    draw(
        os.path.join(options.out, "pile.png"),
        poured.frame,
        pile,
        cone,
        moments,
        half_lengths,
        title=f"Gravel pile, {options.particles} spheres: {angle}",
        subtitle=f"ρ = σ = {options.rolling_m:g} m, {options.law.upper()}, after {options.seconds:g} s; "
        f"{summary['contacts']} contacts, residual ≤ {poured.worst_residual:.0e}, hash {summary['state_hash']}",
    )
    print(json.dumps(summary, indent=2) if options.json else text, end="" if not options.json else "\n")
    _say(f"left in {options.out}/: pile.png, table.md, summary.json, contacts.csv, frames.binpb")


def _say(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
