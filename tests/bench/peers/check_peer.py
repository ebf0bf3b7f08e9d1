"""Runs one engine on a few spheres that rest on a plane and checks that its row is complete and its impulses are read
rightly: they lead to the velocities the engine ended with, together they carry the weight, and where nothing rubs, so
that all engines have one law, they satisfy it. Then on spheres on a table that moves and turns, which has to take them
along, and on a state that no engine may take.

Usage: check_peer.py PEER REFERENCE RESIDUAL STATE CARRIED RECORD REST_STEPS
PEER is the engine's program, REFERENCE ours; RESIDUAL reads the RECORD that the engine writes. After REST_STEPS
the spheres of STATE rest. Row 0 of CARRIED is the table. Exits 77 (skipped) where PEER is not built.
"""

import json
import math
import os
import subprocess
import sys
from typing import Callable, List

TEXTS = ("id", "engine", "engine_settings", "residual_note")
NUMBERS = ("threads", "steps", "bodies", "contacts", "sweeps", "residual", "median_residual", "ms_per_step",
           "cpu_ms_per_step", "ns_per_contact_sweep", "worst_contact_residual", "worst_penetration_m", "weight_carried",
           "velocity_mismatch", "peak_mib")
MOST_CONTACTS = 1.3  # of ours; at least those of bodies that overlap must be there, which all engines look for
WEIGHT_TOLERANCE = 0.02
MISMATCH_TOLERANCE = 0.02  # of h g: single precision, and arms to either surface, stay well below

SMOOTH_RESIDUAL = 1e-3  # MuJoCo's softness leaves 3e-4, the others less
CARRIED_STEPS = 200  # by then nothing slides or rolls on the table
CARRIED_RESIDUAL = 2e-3  # Bullet's arms end on either surface and leave 9e-4, the others at most 1e-8
SLIP_TOLERANCE = 1e-3  # m/s, against a table that passes at up to 1
NO_KINEMATIC = {"talus_peer_mujoco": "bodies[0].kind = kinematic must be dynamic or static"}  # what is said by those that cannot


def run(program: str, *arguments: str) -> dict:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True, timeout=100)
    return json.loads(done.stdout)


def complaints(row: dict, own: dict) -> list:
    found = [f"{field} = {row.get(field)!r} is no text" for field in TEXTS if not row.get(field)]
    found += [f"{field} = {row.get(field)!r} is no number" for field in NUMBERS
              if not isinstance(row.get(field), (int, float)) or not math.isfinite(row[field])]
    if found:
        return found
    if row["bodies"] != own["bodies"]:
        found.append(f"{row['bodies']} bodies, not {own['bodies']}")
    if abs(row["weight_carried"] - 1.0) > WEIGHT_TOLERANCE:
        found.append(f"the plane carries {row['weight_carried']} of the weight")
    if row["velocity_mismatch"] > MISMATCH_TOLERANCE:
        found.append(f"impulses and velocities differ by {row['velocity_mismatch']} h g")
    return found


def count_complaints(row: dict, own: dict, own_record: str) -> list:
    """About the contacts of one step from the same state."""
    with open(own_record, encoding="utf-8") as file:
        overlapping = sum(contact["gap_m"] < 0.0 for contact in json.load(file)["contacts"])
    if overlapping <= row["contacts"] <= MOST_CONTACTS * own["contacts"]:
        return []
    return [f"{row['contacts']} contacts where we find {own['contacts']}, {overlapping} of bodies that overlap"]


def changed_state(state: str, name: str, change: Callable[[dict], object]) -> str:
    """`name`, under which a copy of the state has been written, changed."""
    with open(state, encoding="utf-8") as file:
        copy = json.load(file)
    change(copy)
    with open(name, "w", encoding="utf-8") as file:
        json.dump(copy, file)
    return name


def cross(a: List[float], b: List[float]) -> List[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def carried_complaints(peer: str, carried: str, record: str) -> list:
    """About spheres that a table should have taken along: at its velocity where they are."""
    done = subprocess.run([peer, carried, "--warmup", str(CARRIED_STEPS), "--steps", "5", "--record", record],
                          capture_output=True, text=True, timeout=100)
    refusal = NO_KINEMATIC.get(os.path.basename(peer))
    if refusal is not None:
        return [] if done.returncode == 2 and refusal in done.stderr else [f"no refusal of a moving table: {done.stderr}"]
    if done.returncode != 0:
        return [f"on a moving table: {done.stderr}"]
    row = json.loads(done.stdout)
    found = [f"on a moving table {field} is {row[field]}, not below {most}"
             for field, most in (("residual", CARRIED_RESIDUAL), ("velocity_mismatch", MISMATCH_TOLERANCE))
             if not row[field] <= most]
    with open(record, encoding="utf-8") as file:
        step = json.load(file)
    table, *spheres = step["before"]["bodies"]
    for sphere, velocity in zip(spheres, step["linear_after_m_s"][1:]):
        arm = [x - y for x, y in zip(sphere["position_m"], table["position_m"])]
        carried_at = [x + y for x, y in zip(table["linear_velocity_m_s"], cross(table["angular_velocity_rad_s"], arm))]
        slip = math.dist(velocity, carried_at)
        if not slip <= SLIP_TOLERANCE:
            found.append(f"a sphere slips over the moving table at {slip} m/s")
    return found


def refusal_complaints(peer: str, carried: str, name: str) -> list:
    """About a state whose moving table has mass."""
    heavy = changed_state(carried, name, lambda state: state["bodies"][0].update(mass_kg=5.0))
    done = subprocess.run([peer, heavy], capture_output=True, text=True, timeout=100)
    wanted = "bodies[0].mass_kg = 5 must be 0 on a kinematic body"
    return [] if done.returncode == 2 and wanted in done.stderr else [f"a table with mass: {done.stderr}"]


def main() -> int:
    peer, reference, residual, state, carried, record, rest_steps = sys.argv[1:]
    if not os.path.exists(peer):
        print("not built: its packages are missing (deploy/install.sh peers)")
        return 77
    rest = ("--warmup", rest_steps, "--steps", "10")
    row = run(peer, state, *rest)
    found = complaints(row, run(reference, state, *rest, "--tolerance", "1e-6"))
    single = run(peer, state, "--steps", "1", "--record", record)
    own_record = record + ".own"
    found += count_complaints(single, run(reference, state, "--steps", "1", "--record", own_record), own_record)
    read = run(residual, record)
    # What the file says is what was judged in memory.
    found += [f"{field} is {read[field]} read from the record, {single[field]} in the row"
              for field in ("contacts", "residual", "worst_contact_residual", "worst_penetration_m")
              if read[field] != single[field]]
    slippery = changed_state(state, record + ".smooth", lambda copy: copy.update(mu=0.0, rho_m=0.0, sigma_m=0.0))
    smooth = run(peer, slippery, "--iterations", "100")
    if smooth["residual"] > SMOOTH_RESIDUAL:
        found.append(f"without friction the residual is {smooth['residual']}")
    found += carried_complaints(peer, carried, record + ".carried")
    found += refusal_complaints(peer, carried, record + ".heavy")
    print(json.dumps(row, indent=1))
    print("\n".join(found) or "complete, and read rightly")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
