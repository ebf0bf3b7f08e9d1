"""Every header opens with a paragraph that says what noun it is and what it promises, then #pragma once."""

from typing import List, Optional

from tree import Problem, Tree

SHORTEST_ESSAY = 60  # characters: less says no more than the name of the file


def problems(tree: Tree) -> List[Problem]:
    found = []
    for path in tree.with_suffix(".h"):
        message = _judge(tree.lines(path))
        if message:
            found.append(Problem(path, 1, message))
    return found


def _judge(lines: List[str]) -> Optional[str]:
    essay = []
    for line in lines:
        if not line.startswith("//"):
            break
        essay.append(line.lstrip("/ "))
    if len(" ".join(essay)) < SHORTEST_ESSAY:
        return "does not open with a paragraph about itself"
    after = [line for line in lines[len(essay):] if line.strip()]
    if not after or after[0] != "#pragma once":
        return "#pragma once must follow the opening paragraph"
    return None
