"""A link from one page to another, or to a picture, leads somewhere."""

import posixpath
import re
from typing import List

from tree import Problem, Tree

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def problems(tree: Tree) -> List[Problem]:
    found = []
    for path in tree.with_suffix(".md"):
        for number, line in enumerate(tree.lines(path), start=1):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if "://" in target or target.startswith(("#", "mailto:")):
                    continue
                there = posixpath.normpath(posixpath.join(posixpath.dirname(path), target.split("#")[0]))
                if not (tree.root / there).exists():
                    found.append(Problem(path, number, f"leads nowhere: {target}"))
    return found
