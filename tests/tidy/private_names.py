"""Names of anonymous namespaces are unique in a folder.

Neighbouring files are compiled together (talus_unite in cmake/compiler.cmake), where two of the same name do not compile,
or, worse, compile to overloads of which a call may find the other one. Programs of one file (with a main) stay alone, and
aliases that say the same may be repeated.
"""

import collections
import posixpath
import re
from typing import Dict, Iterator, List, Tuple

from tree import Problem, Tree

_SPACE = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.DOTALL | re.MULTILINE)
_MAIN = re.compile(r"^int main\(", re.MULTILINE)
_NAME = (re.compile(r"(?:struct|class|enum class|enum) (\w+)"), re.compile(r"(?:using|namespace) (\w+) ="),
         re.compile(r"[\w:<>,*&\[\]\s\"()]*?\b(\w+)\s*[(={;\[]"))
# Statements of macros, and what brings names in from elsewhere.
_NO_NAME = re.compile(r"[ /}#]|template\b.*[^;{]$|[A-Z_]+\(|INSTANTIATE|TYPED|static_assert|using (?!\w+ =)|namespace \w+ \{|$")


def problems(tree: Tree) -> List[Problem]:
    found = []
    for folder, paths in _folders(tree).items():
        first: Dict[str, Tuple[str, str]] = {}
        for path in paths:
            text = tree.read(path)
            if _MAIN.search(text):
                continue
            for line, name, declaration in _declarations(text):
                other, same = first.setdefault(name, (path, declaration))
                if other != path and (same != declaration or not declaration.startswith(("using ", "namespace "))):
                    found.append(Problem(path, line, f"{name} is a name of {posixpath.basename(other)} as well"))
    return found


def _folders(tree: Tree) -> Dict[str, List[str]]:
    folders = collections.defaultdict(list)
    for path in tree.with_suffix(".cc"):
        folders[posixpath.dirname(path)].append(path)
    return folders


def _declarations(text: str) -> Iterator[Tuple[int, str, str]]:
    """(line, name, first line) of what stands outermost in the anonymous namespaces of a formatted file."""
    for space in _SPACE.finditer(text):
        begin = text.count("\n", 0, space.start(1)) + 1
        for line, declaration in enumerate(space.group(1).splitlines(), begin):
            if _NO_NAME.match(declaration):
                continue
            for pattern in _NAME:
                match = pattern.match(declaration)
                if match:
                    yield line, match.group(1), declaration
                    break
