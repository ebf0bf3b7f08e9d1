"""Words that mean a thing is unfinished or has no noun, paths of one machine, and flags that break determinism.

The words are put together from halves so that this folder obeys its own rule.
"""

import re
from typing import List, Tuple

from tree import Problem, Tree

UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK")) + r")\b|\bfor" + r" now\b")
MACHINE_PATH = re.compile(r"""(?:^|[\s"'(=:])(/wo""" + r"""rk/|/ro""" + r"""ot/|/ho""" + r"""me/[a-z]|/tmp/w""" + r"""t\b)""")
FLAGS = re.compile("-ffast-" + "math|-march=" + "native|-Ofast")
NOUNLESS = re.compile(r"(?:^|[_\-./])(utils?|helpers?|commons?|managers?)(?:[_\-./]|$)")

WORDED = (".h", ".cc", ".py", ".pyi", ".ts", ".js", ".mjs", ".cjs", ".sh", ".cmake", ".proto", ".md", ".txt", ".yaml",
          ".yml", ".json", ".textproto", "Dockerfile")
# A decision may name the flag it rejects.
FLAG_EXEMPT = (".md", ".cc", ".h", ".py", ".proto")


def problems(tree: Tree) -> List[Problem]:
    found = []
    for path in tree.paths:
        match = NOUNLESS.search(path)
        if match:
            found.append(Problem(path, 0, f"'{match.group(1)}' in a name: say which noun it is"))
        if path.endswith("package-lock.json") or not (path.endswith(WORDED) or path in tree.code()):
            continue
        for number, line in enumerate(tree.lines(path), start=1):
            found.extend(Problem(path, number, message) for message in _judge(path, line))
    return found


def _judge(path: str, line: str) -> Tuple[str, ...]:
    messages = []
    match = UNFINISHED.search(line)
    if match:
        messages.append(f"'{match.group()}': finish it or leave it out")
    match = MACHINE_PATH.search(line)
    if match:
        messages.append(f"'{match.group(1)}' is a path of one machine")
    match = FLAGS.search(line)
    if match and not path.endswith(FLAG_EXEMPT):
        messages.append(f"'{match.group()}' makes bits depend on the machine or the compiler's mood")
    return tuple(messages)
