"""Runs every engine on its states, each run within a time limit, merges the rows and says how long each engine takes to
a residual of ours.

Usage: compare.py PROGRAMS STATES [--large] [--json FILE]
PROGRAMS is the folder of the built programs, STATES that of the state files. --large takes the heaps of 50 000 and
100 000 stones in place of the others.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from typing import Dict, List, NamedTuple

GOALS = (1e-2, 1e-3, 1e-4, 1e-6)
SMALL_HEAPS = ("rest-500", "collapse-500")
# Those of the benchmarks; steps of the large ones are dear, so they get fewer iterations.
STATES = ("rest-1000", "flow-1000", "collapse-1000", "wall-500", "drum-2000", "rest-4000", "flow-4000",
          "collapse-4000")
LARGE_STATES = ("box-8000", "rest-10000", "flow-10000", "collapse-10000")
HUGE_STATES = ("rest-50000", "flow-50000", "collapse-50000", "rest-100000", "flow-100000", "collapse-100000")
# Those that can hold more than a few hundred bodies.
LARGE_ENGINES = ("ode", "bullet_float", "bullet_double")


class Run(NamedTuple):
    engine: str
    state: str
    arguments: str
    limit_s: int = 90


def plan() -> List[Run]:
    runs = []
    for state in SMALL_HEAPS + STATES + LARGE_STATES:
        large = state in LARGE_STATES
        steps = "--warmup 2 --steps 5"
        runs.append(Run("talus", state, f"--iterations 3000 --tolerance 1e-2,1e-3,1e-4,1e-6 {steps}"))
        for engine in LARGE_ENGINES:
            if not large:
                runs.append(Run(engine, state, f"--gap-rows own {steps}", 20))
            runs.append(Run(engine, state, f"--iterations {'10,50,200' if large else '10,20,50,200,1000'} {steps}"))
    for state in SMALL_HEAPS:
        runs.append(Run("mujoco", state, "--gap-rows own --solver pgs --steps 5", 20))
        runs.append(Run("mujoco", state, "--iterations 50,100,200 --steps 5", 40))
        runs.append(Run("mujoco", state, "--solver pgs --iterations 20,100 --steps 5", 40))
        runs.append(Run("mujoco", state, "--solver cg --iterations 50,200,1000 --steps 5", 40))
    # With its default softness Newton does not come back from the first steps of a heap.
    runs.append(Run("mujoco", "rest-500", "--gap-rows own --steps 5", 20))
    runs.append(Run("mujoco", "rest-1000", "--iterations 50 --steps 1 --warmup 1", 20))
    # What they say of a drum.
    runs += [Run(engine, "drum-2000", "--steps 1", 20) for engine in ("mujoco", "siconos")]
    # A step from a cold start, one number of sweeps after the other.
    for state, iterations in (("tiny-20", "10,20,50,100,200,500,1000"), ("small-60", "20,50,100,200,500,1000,2000"),
                              ("small-150", "20,50,100,200")):
        runs.append(Run("talus", state, "--solver cold --iterations 3000 --tolerance 1e-2,1e-4,1e-6 --warmup 0 --steps 1"))
        runs.append(Run("siconos", state, f"--iterations {iterations} --warmup 0 --steps 1"))
    return runs


def plan_large() -> List[Run]:
    """Few iterations and steps: each iteration of the others takes a tenth to a third of a second there."""
    runs = []
    steps = "--warmup 1 --steps 3"
    for state in HUGE_STATES:
        runs.append(Run("talus", state, f"--iterations 10000 --tolerance 1e-2,1e-3,1e-4 {steps}", 300))
        runs += [Run(engine, state, f"--iterations 10,20 {steps}", 120) for engine in LARGE_ENGINES]
    return runs


def fate(returncode: int, errors: str) -> str:
    if returncode == 0:
        return "ran"
    if returncode < 0:
        return f"killed by {signal.Signals(-returncode).name}"
    return f"exit code {returncode}: {errors.strip().splitlines()[-1] if errors.strip() else 'nothing said'}"


def measure(run: Run, programs: str, states: str) -> List[Dict]:
    """The rows that came, and one that says what became of the run where it did not end well."""
    program = os.path.join(programs, f"talus_peer_{run.engine}")
    if not os.path.exists(program):
        return [missing(run, "not built")]
    command = [program, os.path.join(states, run.state + ".json"), *run.arguments.split()]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=run.limit_s)
        output, outcome = done.stdout, fate(done.returncode, done.stderr)
    except subprocess.TimeoutExpired as late:
        output, outcome = (late.stdout or b"").decode(), f"stopped at the limit of {run.limit_s} s"
    # The last line may be cut off.
    rows = [dict(json.loads(line), outcome="ran") for line in output.splitlines(keepends=True) if line.endswith("}\n")]
    return rows if outcome == "ran" else rows + [missing(run, outcome)]


def missing(run: Run, outcome: str) -> Dict:
    return {"id": run.state, "engine": run.engine.replace("_", "-"), "engine_settings": run.arguments,
            "residual": None, "residual_note": outcome, "outcome": outcome}


def row_line(row: Dict) -> str:
    head = f"{row['id']:16} {row['engine']:14}"
    if row["outcome"] != "ran":
        return f"{head} {row['outcome']} ({row['engine_settings']})"
    return (f"{head} {row['contacts']:8} {row['sweeps']:8.1f} {row['ms_per_step']:10.2f} {row['cpu_ms_per_step']:10.2f} "
            f"{row['ns_per_contact_sweep']:10.1f} {row['residual']:9.2e} {row['median_residual']:9.2e} "
            f"{1e3 * row['worst_penetration_m']:9.4f} {row['velocity_mismatch']:9.1e}  {row['engine_settings']}")


def table(rows: List[Dict]) -> str:
    head = (f"{'state':16} {'engine':14} {'contacts':>8} {'sweeps':>8} {'ms/step':>10} {'cpu ms':>10} {'ns/c/sweep':>10} "
            f"{'residual':>9} {'median':>9} {'pen mm':>9} {'mismatch':>9}  settings")
    return "\n".join([head, *map(row_line, rows)])


def time_to(rows: List[Dict], goal: float) -> str:
    """The cheapest row whose worst residual is within the goal, or the best residual there was."""
    reached = [row for row in rows if row["residual"] <= goal]
    if reached:
        return f"{min(row['cpu_ms_per_step'] for row in reached):.2f} ms"
    best = min(rows, key=lambda row: row["residual"])
    return f"never ({best['residual']:.1e} in {best['cpu_ms_per_step']:.1f} ms)"


def goals(rows: List[Dict]) -> str:
    lines = [f"{'state':16} {'engine':14} " + " ".join(f"{f'CPU a step at {goal:.0e}':>28}" for goal in GOALS)]
    for key in dict.fromkeys((row["id"], row["engine"]) for row in rows):
        mine = [row for row in rows if (row["id"], row["engine"]) == key and row["outcome"] == "ran"
                and row["residual"] is not None]
        if mine:
            lines.append(f"{key[0]:16} {key[1]:14} " + " ".join(f"{time_to(mine, goal):>28}" for goal in GOALS))
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs")
    parser.add_argument("states")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    for run in plan_large() if options.large else plan():
        print(f"peers: {run.engine} on {run.state} {run.arguments}", file=sys.stderr)
        rows += measure(run, options.programs, options.states)
    print(table(rows) + "\n\n" + goals(rows))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
