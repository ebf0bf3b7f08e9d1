"""Shell scripts parse, stop at the first error, can be executed, and pass shellcheck where it is installed."""

import os
import re
import shutil
import subprocess
from typing import List

from tree import Problem, Tree, is_script


def problems(tree: Tree) -> List[Problem]:
    found = []
    scripts = [path for path in tree.paths if is_script(tree, path)]
    for path in scripts:
        parsed = subprocess.run(["bash", "-n", path], cwd=tree.root, capture_output=True, text=True)
        if parsed.returncode:
            found.append(Problem(path, 0, parsed.stderr.strip()))
        text = tree.read(path)
        if not text.startswith("#!"):
            continue  # made to be sourced
        if not re.search(r"^set -e?[a-z]*u?o? ?", text, re.MULTILINE):
            found.append(Problem(path, 0, "sets no error handling (set -euo pipefail)"))
        if not os.access(tree.root / path, os.X_OK):
            found.append(Problem(path, 0, "cannot be executed: chmod +x"))
    if scripts and shutil.which("shellcheck"):
        checked = subprocess.run(["shellcheck", "--severity=warning", "--format=gcc", *scripts], cwd=tree.root,
                                 capture_output=True, text=True)
        for match in re.finditer(r"^(.+?):(\d+):\d+: (.*)$", checked.stdout, re.MULTILINE):
            found.append(Problem(match.group(1), int(match.group(2)), match.group(3)))
    return found
