"""The files of this repository that we wrote, as every tidy rule sees them.

A tree is a root folder and the relative paths below it; build results, generated code and installed packages are not
part of it. It knows how to read a file and nothing about any rule.
"""

import pathlib
import subprocess
from typing import Iterable, List, NamedTuple

CPP_SUFFIXES = (".h", ".cc")
CODE_SUFFIXES = CPP_SUFFIXES + (".py", ".pyi", ".ts", ".js", ".mjs", ".cjs", ".sh", ".cmake", ".proto")
SKIPPED_FOLDERS = {".git", "build", "out", "node_modules", "__pycache__", ".cache", "dist"}


class Problem(NamedTuple):
    path: str
    line: int  # from 1; 0 when the whole file is meant
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


class Missing(Exception):
    """A tool that a rule needs cannot be had here."""


class Tree:
    def __init__(self, root: pathlib.Path, paths: Iterable[str] = ()):
        self.root = pathlib.Path(root)
        self.paths: List[str] = sorted(paths) or _list(self.root)

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def lines(self, path: str) -> List[str]:
        return self.read(path).splitlines()

    def with_suffix(self, *suffixes: str) -> List[str]:
        return [path for path in self.paths if path.endswith(suffixes)]

    def code(self) -> List[str]:
        return [path for path in self.paths if path.endswith(CODE_SUFFIXES) or is_script(self, path)]


def is_script(tree: Tree, path: str) -> bool:
    """A shell script by its name, or by its first line where it has no suffix (.ci/run)."""
    if path.endswith(".sh"):
        return True
    if "." in path.rsplit("/", 1)[-1]:
        return False
    with open(tree.root / path, "rb") as file:
        first = file.readline(80)
    return first.startswith(b"#!") and b"sh" in first


def is_test(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return path.startswith("tests/") or "/tests/" in path or "/test/" in path or name.startswith("test_")


def _list(root: pathlib.Path) -> List[str]:
    """What git tracks or would track; every file below the root where this is no git checkout (in an image)."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
        paths = [path for path in listed if path and (root / path).is_file()]
    except (OSError, subprocess.CalledProcessError):
        paths = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    return sorted(path for path in paths if not SKIPPED_FOLDERS.intersection(path.split("/")[:-1]))
