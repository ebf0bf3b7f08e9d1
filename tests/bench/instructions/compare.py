"""Counts the instructions of a fixed piece of work under callgrind and compares them with the stated number.

Usage: compare.py WORKLOAD REFERENCE FOLDER [--renew] [--skip REASON]

Unlike a time, the count is the same on a busy machine and an idle one, so that a change of a few per cent means
something. It moves with the compiler and with every wanted change of the solver: --renew then writes it anew. Exit code
77 (skipped) without a valgrind that can start the workload, or with --skip.
"""

import argparse
import pathlib
import re
import shutil
import signal
import subprocess
import sys
from typing import List, Tuple

TOLERANCE = 0.05
COUNTED = "CountedSteps"


def find_obstacle(workload: str) -> str:
    """Why nothing can be counted on this machine; empty where it can."""
    if shutil.which("valgrind") is None:
        return "there is no valgrind"
    # Without arguments the workload says how it is used and ends: if not even that works, a library asks for an
    # instruction that the processor has and valgrind does not know.
    started = subprocess.run(["valgrind", "--tool=none", workload], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return "valgrind cannot start programs here" if started.returncode == -signal.SIGILL else ""


def count(workload: str, folder: pathlib.Path) -> Tuple[int, str]:
    """The instructions of the counted steps, and what the workload says about them."""
    folder.mkdir(parents=True, exist_ok=True)
    heap, profile = folder / "heap.state", folder / "callgrind.out"
    subprocess.run([workload, "make", str(heap)], check=True)
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--toggle-collect={COUNTED}", f"--callgrind-out-file={profile}",
         workload, "step", str(heap)], check=True, stdout=subprocess.PIPE, text=True)
    total = re.search(r"^(?:summary|totals): (\d+)", profile.read_text(encoding="utf-8"), re.MULTILINE)
    if total is None or int(total.group(1)) == 0:
        raise SystemExit(f"{profile} counts nothing: is {COUNTED} still the function's name?")
    return int(total.group(1)), done.stdout.strip()


def read_reference(path: pathlib.Path) -> int:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return int(lines[0].split()[0])


def renewed(text: str, instructions: int, work: str) -> str:
    comments = [line for line in text.splitlines() if line.startswith("#")]
    return "\n".join(comments + [f"{instructions} instructions: {work}"]) + "\n"


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload")
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--skip", default="")
    options = parser.parse_args(arguments)
    reason = options.skip or find_obstacle(options.workload)
    if reason:
        print(f"skipped: {reason}")
        return 77
    instructions, work = count(options.workload, options.folder)
    if options.renew:
        text = options.reference.read_text(encoding="utf-8")
        options.reference.write_text(renewed(text, instructions, work), encoding="utf-8")
        print(f"{options.reference}: {instructions}")
        return 0
    reference = read_reference(options.reference)
    change = instructions / reference - 1.0
    print(f"{instructions} instructions, the reference is {reference}: {100 * change:+.2f} % ({work})")
    if abs(change) <= TOLERANCE:
        return 0
    print(f"More than {100 * TOLERANCE:.0f} % {'above' if change > 0 else 'below'} the reference. If the change is wanted:\n"
          f"  {' '.join([sys.executable, *sys.argv])} --renew")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
