"""The flags of a build, borrowed from its compile_commands.json, and the running of many compilers at once."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
from typing import Dict, List, NamedTuple, Optional, Tuple

from tree import Missing

# Of a command line we keep what decides how a file is understood; what it is compiled into does not matter here.
_KEPT = ("-I", "-D", "-U", "-std=", "-m", "-f", "-W")
_KEPT_WITH_VALUE = ("-isystem", "-iquote", "-include")
_UNITED = re.compile(r'^#include "(.*)"', re.MULTILINE)


class Command(NamedTuple):
    compiler: str
    flags: Tuple[str, ...]
    united: bool = False  # others before it in the same compilation bring headers that it may not include

    def sees(self, folder: str) -> bool:
        """Whether a folder of that name, or one that begins so, is searched for includes."""
        return any(os.path.basename(flag).startswith(folder) for flag in self.flags)


class CompileCommands:
    def __init__(self, build: pathlib.Path, root: pathlib.Path):
        self.folder = build
        self._by_folder: Dict[str, Command] = {}
        self.by_path: Dict[str, Command] = {}
        self.compiled: Dict[str, str] = {}  # by path, what the build compiles: the file itself or one that brings others
        database = build / "compile_commands.json"
        if not database.exists():
            raise FileNotFoundError(f"{database} is missing: configure the build first")
        for entry in json.loads(database.read_text()):
            path = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
            command = _reduce(entry.get("arguments") or shlex.split(entry["command"]))
            if os.path.basename(os.path.dirname(path)) == "Unity":
                files = _UNITED.findall(pathlib.Path(path).read_text())
            else:
                files = [path]
            for at, file in enumerate(files):
                command = command._replace(united=at > 0)
                relative = os.path.relpath(file, root)
                if not relative.startswith(("..", "build")):
                    self.by_path[relative] = command
                    self.compiled[relative] = path
                    # A file of several programs may see less in one of them.
                    folder = os.path.dirname(relative)
                    if folder not in self._by_folder or len(command.flags) > len(self._by_folder[folder].flags):
                        self._by_folder[folder] = command

    def near(self, path: str) -> Optional[Command]:
        """The command of a file in the same folder, or of the nearest folder above or below."""
        folder = os.path.dirname(path)
        while True:
            if folder in self._by_folder:
                return self._by_folder[folder]
            below = sorted(known for known in self._by_folder if not folder or known.startswith(folder + "/"))
            if below:
                return self._by_folder[below[0]]
            if not folder:
                return None
            folder = os.path.dirname(folder)


def _reduce(arguments: List[str]) -> Command:
    launchers = [at for at, argument in enumerate(arguments) if os.path.basename(argument) == "ccache"]
    compiler_at = launchers[0] + 1 if launchers else 0
    flags: List[str] = []
    rest = iter(arguments[compiler_at + 1:])
    for argument in rest:
        if argument in _KEPT_WITH_VALUE:
            flags += [argument, next(rest)]
        elif argument.startswith(_KEPT) and not argument.startswith("-fsanitize"):
            flags.append(argument)
    return Command(arguments[compiler_at], tuple(flags))


def clang() -> str:
    compiler = shutil.which("clang++") or shutil.which("clang++-14")
    if compiler is None:
        raise Missing("clang++ is not installed (deploy/install.sh lint)")
    return compiler


def compile_kept(compiler: str) -> List[str]:
    """The beginning of a command that compiles one file; through ccache, where it is, which keeps what succeeded."""
    ccache = shutil.which("ccache")
    # Also behind a precompiled header, known by its .sum; without a preprocessor's run of its own.
    keep = ("CCACHE_SLOPPINESS=pch_defines,time_macros,locale", "CCACHE_PCH_EXTSUM=true", "CCACHE_DEPEND=true")
    return [*(["env", *keep, ccache] if ccache else []), compiler, "-O0", "-MD", "-c"]


def run_all(commands: Dict[str, List[str]]) -> Dict[str, str]:
    """Runs the commands, by name, on all cores; what failed with its messages."""
    def run(name: str) -> Tuple[str, str]:
        done = subprocess.run(commands[name], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return name, (done.stderr or done.stdout or f"exit {done.returncode}") if done.returncode else ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {name: message for name, message in pool.map(run, sorted(commands)) if message}
