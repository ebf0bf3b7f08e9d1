"""Runs every transcript through the C++, Python and Node runners, each against a fresh server, and compares outputs.

Fails (exit code 1) unless every runner and every server ends with 0 and the standard outputs are the same bytes. A
runner whose language is not installed here (exit code 77, or no interpreter) is left out; when the others agree, the
whole ends with 77 and counts as skipped, since fewer clients than promised were compared.
"""

import argparse
import difflib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Dict, List, Optional, Tuple

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
SERVER_OPTIONS = [
    "--workers", "2", "--max-scenes", "6", "--max-bodies", "500", "--max-steps-per-call", "1000",
    "--max-snapshots", "3", "--log-level", "warning", "--scenes", str(HERE.parents[1] / "clients" / "scenes"),
]


def runner_commands(build: pathlib.Path) -> Dict[str, Optional[List[str]]]:
    """Name -> command without `--server`; None where the runner cannot run here."""
    encoded = [str(path) for path in sorted((build / "conformance").glob("*.binpb"))]
    texts = [str(path) for path in sorted(HERE.glob("*.textproto"))]
    if [pathlib.Path(path).stem for path in encoded] != [pathlib.Path(path).stem for path in texts]:
        raise SystemExit("the encoded transcripts are not those of the source tree: build conformance_transcripts")
    node = shutil.which("node")
    node_script = HERE / "run_node.mjs"
    return {
        "cpp": [str(build / "bin" / "conformance_cpp"), "FILES", *texts],
        "python": ["/usr/bin/python3", str(HERE / "run_python.py"), "FILES", *encoded],
        "node": [node, str(node_script), "FILES", *encoded] if node and node_script.exists() else None,
    }


def run(name: str, command: List[str], build: pathlib.Path) -> Tuple["subprocess.CompletedProcess[bytes]", int]:
    """The runner's end, and the exit code of the server it ran against."""
    environment = dict(os.environ, TALUS_BUILD_DIR=str(build), PYTHONPATH=f"{build / 'python'}:{build / 'conformance'}")
    with tempfile.TemporaryDirectory(prefix="talus-") as folder:
        server = subprocess.Popen(
            [str(build / "bin" / "talus_server"), "--listen", f"unix:{folder}/server.sock",
             "--data-dir", f"{folder}/data", *SERVER_OPTIONS],
            stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            if not line.startswith("listening on "):
                raise SystemExit(f"{name}: the server did not start: {line!r}")
            at = command.index("FILES")
            full = command[:at] + ["--server", line.split(" on ", 1)[1].strip()] + command[at + 1:]
            done = subprocess.run(full, env=environment, stdout=subprocess.PIPE, timeout=300, check=False)
        finally:
            server.terminate()
            server.wait(timeout=60)
        return done, server.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--only", help="run one runner and print its output")
    arguments = parser.parse_args()
    build = arguments.build_dir.resolve()
    outputs: Dict[str, str] = {}
    skipped: List[str] = []
    bad = False
    for name, command in runner_commands(build).items():
        if arguments.only and name != arguments.only:
            continue
        if command is None:
            print(f"{name}: SKIPPED, its runner or interpreter is not here")
            skipped.append(name)
            continue
        done, server_code = run(name, command, build)
        if server_code != 0:
            bad = True
            print(f"{name}: FAIL, its server ended with {server_code}")
        text = done.stdout.decode("ascii", "backslashreplace")
        if done.returncode == SKIPPED:
            print(f"{name}: SKIPPED by its runner: {text.strip()}")
            skipped.append(name)
            continue
        outputs[name] = text
        print(f"{name}: exit code {done.returncode}, {text.splitlines()[-1] if text else 'no output'}")
        if done.returncode != 0:
            bad = True
            lines = text.splitlines()
            for number, line in enumerate(lines):
                if "FAIL" in line:
                    print("\n".join(lines[max(0, number - 1):number + 1]))
        if arguments.only:
            print(text)
    reference = outputs.get("cpp")
    for name, text in outputs.items():
        if reference is not None and text != reference:
            bad = True
            print("\n".join(list(difflib.unified_diff(
                reference.splitlines(), text.splitlines(), "cpp", name, lineterm="", n=2))[:60]))
    if bad:
        return 1
    print(f"same bytes from: {', '.join(outputs)}")
    return SKIPPED if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
