"""Who may include whom: the table of docs/ARCHITECTURE.md, read against every #include.

A rule names a place (the longest matching prefix wins) and the prefixes of ours it may include; a file may always
include its own folder. Packages from outside have a table of their own: each lists the places that may see it.
"""

import re
from typing import Dict, List, Optional, Tuple

from tree import CPP_SUFFIXES, Problem, Tree

SOLVER_BASE = ("solver/base/",)
RING = ("server/stream/", "server/runtime/", "server/session/", "server/storage/")
SECURITY = "server/security/"
MODEL = "server/model/"
# A contact solve reads what the user asked of it (tolerances, law) and the coefficients of a contact, nothing else.
PSOR = "solver/scene/psor_settings.h"
CONTACT_SETTINGS = ("solver/scene/material.h", "solver/scene/solver_settings.h", PSOR)
# The ring drives worlds and keeps their results; stores and solvers stay behind the façade.
RING_SOLVER = SOLVER_BASE + (
    "solver/world/", "solver/scene/", "solver/rays/ray.h", "solver/parallel/worker_arena.h")

# Problems without a scene: read, solved and written by the calls that bring them.
BARE_PROBLEMS = ("solver/analysis/", "solver/matrix/", "solver/matrix_solvers/problem_solver.h", "solver/lcp/flat_problem.h",
                 "solver/problem_io/")

OURS: Dict[str, Tuple[str, ...]] = {
    "solver/base/": (),
    "solver/parallel/": SOLVER_BASE,
    "solver/scene/": SOLVER_BASE,
    "solver/state/": SOLVER_BASE + ("solver/scene/",),
    "solver/collision/": SOLVER_BASE + ("solver/parallel/", "solver/scene/", "solver/state/"),
    "solver/rays/": SOLVER_BASE + ("solver/scene/", "solver/state/", "solver/collision/"),
    "solver/contact/": SOLVER_BASE + CONTACT_SETTINGS + (
        "solver/parallel/", "solver/state/", "solver/collision/contact_point.h"),
    "solver/constraints/": SOLVER_BASE + ("solver/scene/", "solver/state/", "solver/contact/wrench.h"),
    "solver/solvers/": SOLVER_BASE + CONTACT_SETTINGS + (
        "solver/parallel/", "solver/contact/", "solver/constraints/joint_rows.h", "solver/matrix/",
        "solver/matrix_solvers/", "solver/lcp/"),
    "solver/matrix/": SOLVER_BASE + ("solver/contact/", "solver/scene/solver_settings.h"),
    "solver/matrix_solvers/": SOLVER_BASE + (
        "solver/matrix/", "solver/scene/solver_settings.h", PSOR, "solver/solvers/check_schedule.h",
        "solver/solvers/momentum.h", "solver/solvers/solve_limits.h", "solver/solvers/solve_report.h"),
    "solver/lcp/": SOLVER_BASE + ("solver/matrix/", "solver/matrix_solvers/", "solver/scene/solver_settings.h"),
    "solver/problem_io/": SOLVER_BASE + ("solver/matrix/",),
    "solver/analysis/": SOLVER_BASE,
    "solver/integrator/": SOLVER_BASE + ("solver/parallel/", "solver/state/"),
    "solver/world/": ("solver/",),
    "server/stream/": RING + RING_SOLVER,
    "server/runtime/": RING + RING_SOLVER,
    "server/session/": RING + RING_SOLVER,
    "server/storage/": RING + RING_SOLVER,
    # Who may call is decided without a scene: of the ring it sees errors, time and rates.
    SECURITY: SOLVER_BASE + ("server/session/error.h", "server/runtime/clock.h", "server/runtime/token_bucket.h"),
    # Files of robots become descriptions of bodies and joints; which scene they go to is not asked.
    MODEL: SOLVER_BASE + ("solver/scene/",),
    "server/wire/": SOLVER_BASE + BARE_PROBLEMS + (
        MODEL,
        "solver/scene/", "solver/world/step_report.h", "solver/world/step_problem.h",
        "solver/world/contact_record.h", "solver/world/joint_record.h",
        "solver/rays/ray.h", "solver/rays/validate_rays.h", "server/stream/"),
    "server/rpc/": RING + SOLVER_BASE + BARE_PROBLEMS + ("server/wire/", "server/telemetry/", SECURITY, MODEL),
    "server/telemetry/": (),
    "server/app/": RING + ("server/rpc/", "server/telemetry/", "solver/base/", "server/wire/scene_text.h", SECURITY),
    "server/main.cc": ("server/app/", "server/telemetry/"),
    "clients/": ("clients/",),
    "tests/": ("solver/", "server/", "clients/", "tests/"),
}

# Package (a prefix of the included path) -> who may include it.
OUTSIDE: Dict[str, Tuple[str, ...]] = {
    "Eigen/": ("solver/", "server/", "tests/"),
    "absl/": ("solver/", "server/", "clients/", "tests/"),
    "tbb/": ("solver/parallel/worker_arena.",),
    "oneapi/": ("solver/parallel/worker_arena.",),
    "hwy/": ("solver/contact/kernels/", "solver/matrix_solvers/kernels/"),
    "xxh": ("solver/base/state_hash.", "solver/state/", "solver/world/", "server/storage/"),
    "grpcpp/": ("server/rpc/", "clients/", "tests/"),
    "grpc/": ("server/rpc/", "clients/", "tests/"),
    "google/": ("server/wire/", "server/rpc/", "clients/", "tests/"),
    "talus/": ("server/wire/", "server/rpc/", "clients/", "tests/"),
    "dm_env_rpc/": ("server/wire/", "server/rpc/", "clients/cli/", "tests/"),
    "spdlog/": ("server/telemetry/", "server/app/", "server/main.cc"),
    "openssl/": (SECURITY, "clients/cli/", "tests/"),
    "prometheus/": ("server/app/",),
    "pugixml.hpp": (MODEL, "clients/cli/urdf_file."),
    "civetweb.h": ("server/telemetry/",),
    "CLI/": ("server/app/", "server/main.cc", "clients/cli/", "tests/"),
    "hdf5.h": ("solver/problem_io/hdf5_", "clients/cli/export/hdf5_", "tests/"),
    "zstd.h": ("server/storage/mcap_", "clients/", "tests/"),
    "zlib.h": ("server/storage/mcap_", "clients/", "tests/"),
    "fclib.h": ("tests/",),
    "dmumps_c.h": ("solver/matrix_solvers/sparse_factor.cc",),
    "nlohmann/": ("solver/problem_io/", "clients/", "tests/"),
    "gtest/": ("tests/", "clients/"),
    "gmock/": ("tests/", "clients/"),
    "iostream": ("server/", "clients/", "tests/"),
    # Problems come from files and leave as files; what reads and writes their bytes sees no file.
    "fstream": ("solver/problem_io/stored_problem.cc", "server/storage/", "server/app/",
                "server/telemetry/process_usage.cc", "server/main.cc", "clients/", "tests/"),
}

# The solver never prints; only a failed check says a last word.
PRINTING = re.compile(r"\bstd::c(?:out|err|log)\b|\b(?:std::)?(?:f?printf|f?puts|perror)\(")
SILENT = "solver/"
LAST_WORDS = "solver/base/check.cc"

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def problems(tree: Tree) -> List[Problem]:
    found = []
    for path in tree.with_suffix(*CPP_SUFFIXES):
        for number, line in enumerate(tree.lines(path), start=1):
            match = INCLUDE.match(line)
            if match:
                message = _judge(path, match.group(2), quoted=match.group(1) == '"')
                if message:
                    found.append(Problem(path, number, message))
            elif path.startswith(SILENT) and path != LAST_WORDS and PRINTING.search(line.split("//")[0]):
                found.append(Problem(path, number, f"{SILENT} never prints: return the text as a value"))
    return found


def _judge(path: str, included: str, quoted: bool) -> Optional[str]:
    place = _longest(path, OURS)
    if place is None:
        return f"no rule says what {path} may include (tests/tidy/layering.py)"
    if included.startswith(("solver/", "server/", "clients/", "tests/")):
        if included.startswith(place if place.endswith("/") else place + "/") or included.startswith(OURS[place]):
            return None
        return f"{place} must not include {included}"
    package = _longest(included, OUTSIDE)
    if package is not None:
        if path.startswith(OUTSIDE[package]):
            return None
        return f"{path} must not include {included}: only {', '.join(OUTSIDE[package])} may"
    if quoted:
        return f'"{included}" is not rooted at the repository'
    return None


def _longest(name: str, prefixes) -> Optional[str]:
    matching = [prefix for prefix in prefixes if name.startswith(prefix)]
    return max(matching, key=len) if matching else None
