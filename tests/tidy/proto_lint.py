"""The wire schema keeps buf's STANDARD and COMMENTS rules (proto/buf.yaml).

buf comes from npm at the version this folder's lock names, and is kept in a cache outside of the checkout.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import List

from tree import Missing, Problem, Tree

HERE = pathlib.Path(__file__).resolve().parent
INSTALL_TIMEOUT_S = 240


def cache_folder() -> pathlib.Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "talus"


def buf() -> pathlib.Path:
    lock = (HERE / "package-lock.json").read_bytes()
    home = cache_folder() / f"buf-{hashlib.sha256(lock).hexdigest()[:12]}"
    found = sorted(home.glob("node_modules/@bufbuild/buf-*/bin/buf"))
    if found:
        return found[0]
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("npm is not installed (deploy/install.sh node)")
    home.parent.mkdir(parents=True, exist_ok=True)
    # Installed beside and moved into place, so that a broken download leaves nothing that looks complete.
    with tempfile.TemporaryDirectory(dir=home.parent) as fresh:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, fresh)
        try:
            done = subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=fresh,
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=INSTALL_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise Missing(f"npm did not fetch @bufbuild/buf within {INSTALL_TIMEOUT_S} s") from None
        if done.returncode:
            raise Missing("npm could not fetch @bufbuild/buf: " + done.stderr.strip()[-400:])
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(fresh, home, symlinks=True)
    found = sorted(home.glob("node_modules/@bufbuild/buf-*/bin/buf"))
    if not found:
        raise Missing("@bufbuild/buf ships no binary for this machine")
    return found[0]


def problems(tree: Tree) -> List[Problem]:
    done = subprocess.run([str(buf()), "lint"], cwd=tree.root / "proto", capture_output=True, text=True)
    found = [Problem("proto/" + match.group(1), int(match.group(2)), match.group(3))
             for match in re.finditer(r"^(.+?):(\d+):\d+:(.*)$", done.stdout, re.MULTILINE)]
    if done.returncode and not found:
        found.append(Problem("proto", 0, (done.stderr or done.stdout).strip()))
    return found
