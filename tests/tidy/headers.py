"""Every header compiles alone.

A header whose own .cc includes it first is proved by a build that compiles that file by itself, or as the first of those
that it compiles together: this one, or for what the preset `fuzz` builds, that one. Only the others are compiled here, behind headers of packages that nearly all of them
include, read once; those that are installed behind nothing. Through ccache, where it is: what a header includes seldom
changes.
"""

import hashlib
import pathlib
import re
import subprocess
from typing import List, Optional, Set

from compile_commands import Command, CompileCommands, compile_kept, run_all
from tree import Problem, Tree

# All of talus_wire and what it stands on (tests/fuzz/CMakeLists.txt).
BUILT_BY_FUZZ = ("solver/", "server/session/", "server/runtime/", "server/stream/", "server/storage/", "server/security/",
                 "server/wire/")
INSTALLED = ("clients/cpp/",)
PACKAGES = "#include <Eigen/Core>\n#include <Eigen/Geometry>\n#include <absl/status/statusor.h>\n"


def problems(tree: Tree, commands: CompileCommands) -> List[Problem]:
    folder = commands.folder / "tidy"
    folder.mkdir(exist_ok=True)
    before = _precompile(folder, commands)
    jobs = {}
    for path in unproved(tree, _compiled_alone(tree, commands)):
        command = commands.near(path)
        if command is not None:
            behind = before if _sees_packages(command) and not path.startswith(INSTALLED) else []
            source = folder / (path.replace("/", "-") + ".cc")
            # Twice: a header must also bear being included again.
            source.write_text(f'#include "{path}"\n#include "{path}"\n')
            jobs[path] = [*_compile(command), *command.flags, f"-I{tree.root}", *behind, str(source), "-o", f"{source}.o"]
    return [Problem(path, 1, "does not compile alone:\n" + "\n".join(message.splitlines()[:12]))
            for path, message in run_all(jobs).items()]


def unproved(tree: Tree, compiled_alone: Set[str]) -> List[str]:
    return [path for path in tree.with_suffix(".h")
            if not (path[:-2] + ".cc" in compiled_alone and _first_include(tree.read(path[:-2] + ".cc")) == path)]


def _compiled_alone(tree: Tree, commands: CompileCommands) -> Set[str]:
    alone = {path for path, command in commands.by_path.items() if not command.united}
    return alone.union(path for path in tree.with_suffix(".cc") if path.startswith(BUILT_BY_FUZZ))


def _compile(command: Command) -> List[str]:
    return [*compile_kept(command.compiler), "-fpch-preprocess"]


def _precompile(folder: pathlib.Path, commands: CompileCommands) -> List[str]:
    """Options that bring the packages' headers: precompiled, or read by who is compiled with flags that forbid it."""
    header = folder / "packages.h"
    header.write_text(PACKAGES)
    command = commands.near("solver/base/")
    if command is not None and _sees_packages(command):
        # Whoever defines more may use it, whoever defines less may not.
        flags = [flag for flag in command.flags if not flag.startswith("-D") or flag == "-DNDEBUG"]
        compiled = folder / "packages.h.gch"
        subprocess.run([*_compile(command), *flags, "-x", "c++-header", str(header), "-o", str(compiled)], check=True)
        # Else ccache reads all of it for each header.
        (folder / "packages.h.gch.sum").write_text(hashlib.sha256(compiled.read_bytes()).hexdigest())
    return ["-include", str(header)]


def _sees_packages(command: Command) -> bool:
    return any("eigen" in flag for flag in command.flags)


def _first_include(text: str) -> Optional[str]:
    match = re.search(r'^\s*#\s*include\s*["<]([^">]+)', text, re.MULTILINE)
    return match.group(1) if match else None
