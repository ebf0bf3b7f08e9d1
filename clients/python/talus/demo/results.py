"""The files the demo leaves: summary.json, table.md and contacts.csv."""

from __future__ import annotations

import csv
import json
import os
from typing import Any, Optional

from talus.demo.measures import Cone
from talus.demo.options import Options
from talus.demo.pile import Pile
from talus.demo.pour import PourResult
from talus.frames import Frame


def summarize(
    options: Options,
    poured: PourResult,
    pile: Pile,
    cone: Optional[Cone],
    moments: Optional[Cone],
    threads: int,
    peak_memory_bytes: int,
) -> dict[str, Any]:
    """What summary.json holds. None stands for what could not be measured."""
    report = poured.frame.message.report
    step_s = poured.spec.settings.time_step_s
    seconds = poured.steps * step_s
    emitter = poured.spec.emitters[0]
    return {
        "particles": options.particles,
        "seconds_simulated": seconds,
        "wall_seconds": poured.wall_s,
        "angle_of_repose_deg": cone.angle_deg if cone else None,
        "contacts": int(report.contact_count),
        "residual_worst_last_second": poured.worst_residual,
        "penetration_worst_last_second_m": poured.worst_penetration_m,
        "state_hash": f"{poured.frame.state_hash:016x}",
        "threads": threads,
        "seed": int(emitter.seed),
        "angle_of_repose_moments_deg": moments.angle_deg if moments else None,
        "surface_fit_rms_m": cone.rms_m if cone else None,
        "surface_fit_particles": cone.points if cone else 0,
        "pile_height_m": float((pile.heap_positions[:, 2] + pile.heap_radii).max()) if pile.inside.any() else 0.0,
        "particles_in_pile": int(pile.inside.sum()),
        "particles_left": len(pile.rows),
        "rolling_friction_m": options.rolling_m,
        "law": options.law,
        "tolerance": poured.spec.settings.solver.tolerance,
        "time_step_s": step_s,
        "steps": poured.steps,
        "steps_per_second": poured.steps / poured.wall_s,
        "real_time_factor": seconds / poured.wall_s,
        "sweeps_per_step": poured.sweeps / poured.steps,
        "unconverged_steps_last_second": poured.unconverged_steps,
        "server_peak_memory_bytes": peak_memory_bytes,
        "frames": poured.frames,
    }


def table(summary: dict[str, Any], diameter_m: float) -> str:
    """table.md."""

    def degrees(value: Optional[float]) -> str:
        return "too few particles" if value is None else f"{value + 0.0:.1f}°".replace("-0.0", "0.0")

    penetration = summary["penetration_worst_last_second_m"]
    residual = summary["residual_worst_last_second"]
    rows = [
        ("angle of repose, conical fit", degrees(summary["angle_of_repose_deg"])),
        ("angle of repose, moment fit", degrees(summary["angle_of_repose_moments_deg"])),
        ("pile height", f"{summary['pile_height_m']:.3f} m"),
        ("particles (in the pile / in the scene / released)", _particle_counts(summary)),
        ("rolling and spinning friction ρ = σ", f"{summary['rolling_friction_m']:g} m"),
        ("contacts at the end", f"{summary['contacts']}"),
        ("residual, worst of the last second", f"{residual:.2e} (tolerance {summary['tolerance']:g})"),
        ("penetration, worst of the last second", f"{penetration:.2e} m ({penetration / diameter_m:.2%} of a diameter)"),
        ("simulated", f"{summary['seconds_simulated']:g} s in {summary['steps']} steps of {summary['time_step_s']:g} s"),
        ("wall clock", f"{summary['wall_seconds']:.1f} s on {summary['threads']} threads"),
        ("steps per second", f"{summary['steps_per_second']:.1f}"),
        ("real-time factor", f"{summary['real_time_factor']:.3f}"),
        ("sweeps per step", f"{summary['sweeps_per_step']:.0f} ({summary['law'].upper()})"),
        ("peak memory of the server", f"{summary['server_peak_memory_bytes'] / 2**20:.0f} MiB"),
        ("state hash", f"`{summary['state_hash']}` (seed {summary['seed']})"),
    ]
    return "| | |\n|---|---|\n" + "".join(f"| {name} | {value} |\n" for name, value in rows)


def _particle_counts(summary: dict[str, Any]) -> str:
    return f"{summary['particles_in_pile']} / {summary['particles_left']} / {summary['particles']}"


def write_summary(folder: str, summary: dict[str, Any]) -> None:
    """summary.json."""
    with open(os.path.join(folder, "summary.json"), "w", encoding="utf-8") as file:
        json.dump(summary, file, indent=2)
        file.write("\n")


def write_table(folder: str, text: str) -> None:
    """table.md."""
    with open(os.path.join(folder, "table.md"), "w", encoding="utf-8") as file:
        file.write(text)


def write_contacts(folder: str, frame: Frame) -> None:
    """contacts.csv: a row a contact; bodies by id, world frame, force and torque as body b receives them."""
    layout, contacts = frame.layout, frame.contacts
    if layout is None:
        raise ValueError("the frame has no layout")
    ids = layout.ids
    header = [
        *("body_a", "body_b", "mode", "x_m", "y_m", "z_m", "nx", "ny", "nz", "gap_m"),
        *("fx_n", "fy_n", "fz_n", "tx_n_m", "ty_n_m", "tz_n_m"),
        *("normal_n", "sliding_u_n", "sliding_w_n", "spinning_n_m", "rolling_u_n_m", "rolling_w_n_m"),
    ]
    columns = (contacts.points, contacts.normals, contacts.gaps[:, None], contacts.forces, contacts.torques)
    with open(os.path.join(folder, "contacts.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        for row in range(len(contacts)):
            numbers = [value for column in (*columns, contacts.wrenches) for value in column[row].tolist()]
            bodies = [int(ids[contacts.body_a_rows[row]]), int(ids[contacts.body_b_rows[row]])]
            writer.writerow([*bodies, int(contacts.modes[row]), *numbers])
