"""Every header opens with a paragraph that says what noun it is and what it promises, then #pragma once.

A header *-inl.h is compiled once for each instruction set and has Highway's guard instead, which lets it in again for
each of them.
"""

from typing import List, Optional

from tree import Problem, Tree

GUARDS = {"-inl.h": " == defined(HWY_TARGET_TOGGLE)", ".h": "#pragma once"}
SHORTEST_ESSAY = 60  # characters: less says no more than the name of the file


def problems(tree: Tree) -> List[Problem]:
    found = []
    for path in tree.with_suffix(".h"):
        message = _judge(tree.lines(path), GUARDS["-inl.h" if path.endswith("-inl.h") else ".h"])
        if message:
            found.append(Problem(path, 1, message))
    return found


def _judge(lines: List[str], guard: str) -> Optional[str]:
    essay = []
    for line in lines:
        if not line.startswith("//"):
            break
        essay.append(line.lstrip("/ "))
    if len(" ".join(essay)) < SHORTEST_ESSAY:
        return "does not open with a paragraph about itself"
    after = [line for line in lines[len(essay):] if line.strip()]
    if not after or not after[0].endswith(guard):
        return f"{guard.strip(' =')} must follow the opening paragraph"
    return None
