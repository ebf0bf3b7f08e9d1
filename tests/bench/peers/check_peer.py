"""Runs one engine on a few spheres that rest on a plane and checks that its row is complete and its impulses are read
rightly: they lead to the velocities the engine ended with, together they carry the weight, and where nothing rubs, so
that all engines have one law, they satisfy it.

Usage: check_peer.py PEER REFERENCE RESIDUAL STATE RECORD REST_STEPS
PEER is the engine's program, REFERENCE ours; RESIDUAL reads the RECORD that the engine writes. After REST_STEPS
the spheres rest. Exits 77 (skipped) where PEER is not built.
"""

import json
import math
import os
import subprocess
import sys

TEXTS = ("id", "engine", "engine_settings", "residual_note")
NUMBERS = ("threads", "steps", "bodies", "contacts", "sweeps", "residual", "median_residual", "ms_per_step",
           "cpu_ms_per_step", "ns_per_contact_sweep", "worst_contact_residual", "worst_penetration_m", "weight_carried",
           "velocity_mismatch", "peak_mib")
MOST_CONTACTS = 1.3  # of ours; at least those of bodies that overlap must be there, which all engines look for
WEIGHT_TOLERANCE = 0.02
MISMATCH_TOLERANCE = 0.02  # of h g: single precision, and arms to either surface, stay well below

SMOOTH_RESIDUAL = 1e-3  # MuJoCo's softness leaves 3e-4, the others less


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


def without_friction(state: str, record: str) -> str:
    """The name of a copy of the state without friction, beside the record."""
    with open(state, encoding="utf-8") as file:
        smooth = json.load(file)
    smooth.update(mu=0.0, rho_m=0.0, sigma_m=0.0)
    name = record + ".smooth"
    with open(name, "w", encoding="utf-8") as file:
        json.dump(smooth, file)
    return name


def main() -> int:
    peer, reference, residual, state, record, rest_steps = sys.argv[1:]
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
    smooth = run(peer, without_friction(state, record), "--iterations", "100")
    if smooth["residual"] > SMOOTH_RESIDUAL:
        found.append(f"without friction the residual is {smooth['residual']}")
    print(json.dumps(row, indent=1))
    print("\n".join(found) or "complete, and read rightly")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
