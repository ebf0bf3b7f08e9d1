"""What was published of the wire schema stays: proto/published.binpb holds it, and grows with the schema.

`python3 tests/tidy/proto_breaking.py` writes the schema there after an addition; it refuses where something that was
published is gone or means something else (buf's category FILE, proto/buf.yaml).
"""

import pathlib
import re
import subprocess
import sys
from typing import List

from proto_lint import buf
from tree import Problem, Tree

PUBLISHED = "published.binpb"


def compare(schema: pathlib.Path, newer: str, older: str) -> List[str]:
    """What `older` has and `newer` lacks or has otherwise; both are folders or images as `schema` sees them."""
    done = subprocess.run([str(buf()), "breaking", newer, "--against", older], cwd=schema, capture_output=True, text=True)
    lines = re.sub(r"^<input>:", "", done.stdout or done.stderr, flags=re.MULTILINE).strip().splitlines()
    return lines or (["buf failed"] if done.returncode else [])


def broken(schema: pathlib.Path) -> List[str]:
    return compare(schema, ".", PUBLISHED)


def problems(tree: Tree) -> List[Problem]:
    schema = tree.root / "proto"
    if not (schema / PUBLISHED).exists():
        return [Problem(f"proto/{PUBLISHED}", 0, "is gone")]
    found = [Problem("proto", 0, f"breaks what was published: {line}") for line in broken(schema)]
    if not found and compare(schema, PUBLISHED, "."):
        found.append(Problem(f"proto/{PUBLISHED}", 0, "lacks what was added: python3 tests/tidy/proto_breaking.py"))
    return found


def publish(schema: pathlib.Path) -> int:
    found = broken(schema) if (schema / PUBLISHED).exists() else []
    for line in found:
        print(line, file=sys.stderr)
    if found:
        return 1
    return subprocess.run([str(buf()), "build", "--exclude-source-info", "-o", PUBLISHED], cwd=schema).returncode


if __name__ == "__main__":
    sys.exit(publish(pathlib.Path(__file__).resolve().parents[2] / "proto"))
