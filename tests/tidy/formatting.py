"""C++ is formatted as .clang-format says. Only version 14 judges: others break lines elsewhere."""

import re
import shutil
import subprocess
from typing import List, Optional

from tree import CPP_SUFFIXES, Missing, Problem, Tree

VERSION = "14"


def formatter() -> str:
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path:
            version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
            if re.search(rf"version {VERSION}\.", version):
                return path
    raise Missing(f"clang-format {VERSION} is not installed (deploy/install.sh lint)")


def problems(tree: Tree, binary: Optional[str] = None) -> List[Problem]:
    binary = binary or formatter()
    paths = tree.with_suffix(*CPP_SUFFIXES)
    if not paths:
        return []
    done = subprocess.run([binary, "--dry-run", "--ferror-limit=1", "--style=file", *paths], cwd=tree.root,
                          capture_output=True, text=True)
    found = {}
    for match in re.finditer(r"^(\S+?):(\d+):\d+: \w+: ", done.stderr, re.MULTILINE):
        found.setdefault(match.group(1), Problem(match.group(1), int(match.group(2)),
                                                 f"not formatted: clang-format -i {match.group(1)}"))
    return sorted(found.values())
