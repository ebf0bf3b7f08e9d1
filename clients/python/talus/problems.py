"""Contact problems without a scene: files or matrices in, impulses with a certificate out."""

from __future__ import annotations

import math
import os
import pathlib
from typing import Iterable, Optional, Union

import numpy as np
import numpy.typing as npt

from talus.choices import choose
from talus.frames import Floats, Outcome
from talus.settings import LAWS
from talus.v1 import analysis_service_pb2 as analysis
from talus.v1 import contact_problem_pb2 as contact_problem
from talus.v1 import query_service_pb2 as query
from talus.v1 import step_settings_pb2 as step_settings

ContactProblem = contact_problem.ContactProblem
PsorSettings = step_settings.PsorSettings
FlatLawSettings = analysis.FlatLawSettings
ProblemSource = Union[ContactProblem, bytes, str, "os.PathLike[str]"]

SOLVERS = {
    "default": analysis.PROBLEM_SOLVER_UNSPECIFIED,
    "fixed_point": analysis.PROBLEM_SOLVER_FIXED_POINT,
    "extragradient": analysis.PROBLEM_SOLVER_EXTRAGRADIENT,
    "nsgs": analysis.PROBLEM_SOLVER_NSGS,
    "psor": analysis.PROBLEM_SOLVER_PSOR,
    "accelerated_psor": analysis.PROBLEM_SOLVER_ACCELERATED_PSOR,
    "alart_curnier": analysis.PROBLEM_SOLVER_ALART_CURNIER,
    "barzilai_borwein": analysis.PROBLEM_SOLVER_BARZILAI_BORWEIN,
    "admm": analysis.PROBLEM_SOLVER_ADMM,
    "newton": analysis.PROBLEM_SOLVER_NEWTON,
    "block_pivoting": analysis.PROBLEM_SOLVER_BLOCK_PIVOTING,
    "lemke": analysis.PROBLEM_SOLVER_LEMKE,
}


def _column(values: npt.ArrayLike) -> bytes:
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def _indices(values: npt.ArrayLike) -> bytes:
    return np.ascontiguousarray(values, dtype="<u4").tobytes()


def _rows(numbers: Iterable[float]) -> Floats:
    values: Floats = np.fromiter(numbers, dtype="<f8")
    return values.reshape(-1, 6)


def _coefficients(values: npt.ArrayLike, count: int) -> list[float]:
    one_each: list[float] = np.broadcast_to(np.asarray(values, dtype="<f8"), (count,)).tolist()
    return one_each


def problem(
    delassus: npt.ArrayLike,
    free_rows: npt.ArrayLike,
    sliding: npt.ArrayLike,
    *,
    rolling: npt.ArrayLike = 0.0,
    spinning: npt.ArrayLike = 0.0,
    name: str = "",
) -> ContactProblem:
    """A problem of contacts from W, (6n, 6n) and symmetric, and q, (n, 6) or (6n,); coefficients one a contact or one for
    all: mu without unit, rho and sigma in metres. Rows of a block: normal, two sliding, spinning, two rolling."""
    w: Floats = np.asarray(delassus, dtype="<f8")
    q: Floats = np.asarray(free_rows, dtype="<f8").reshape(-1)
    if w.ndim != 2 or w.shape[0] != w.shape[1] or w.shape[0] % 6 or w.shape[0] != q.size:
        raise ValueError(f"delassus {w.shape} must be square, of six rows a contact, as many as free_rows {q.shape}")
    count = q.size // 6
    blocks = w.reshape(count, 6, count, 6).transpose(0, 2, 1, 3)
    rows, columns = np.nonzero(np.abs(blocks).max(axis=(2, 3)))
    message = ContactProblem(
        name=name,
        free_rows=q.tolist(),
        sliding_frictions=_coefficients(sliding, count),
        spinning_frictions_m=_coefficients(spinning, count),
        rolling_frictions_m=_coefficients(rolling, count),
    )
    message.delassus.rows = _indices(rows)
    message.delassus.columns = _indices(columns)
    message.delassus.values = _column(blocks[rows, columns])
    return message


class ProblemSolution:
    """The best impulses a solver found, (n, 6) in N s and N m s, their velocities in m/s and rad/s, and how good they
    are."""

    __slots__ = ("message",)

    def __init__(self, message: analysis.SolveContactProblemResponse) -> None:
        self.message = message

    @property
    def impulses(self) -> Floats:
        """gamma by contact: normal, two sliding, spinning, two rolling."""
        return _rows(self.message.impulses)

    @property
    def velocities(self) -> Floats:
        """u by contact, in the same rows."""
        return _rows(self.message.velocities)

    @property
    def outcome(self) -> Outcome:
        """Why the solver stopped."""
        return Outcome(self.message.outcome)

    @property
    def residual(self) -> float:
        """The residual that all solvers share."""
        return float(self.message.residual)

    @property
    def worst_contact_residual(self) -> float:
        """eta of the worst block."""
        return float(self.message.worst_contact_residual)

    @property
    def siconos_error(self) -> float:
        """Siconos' own measure, which depends on the units; nan under laws with flat sides, which it does not know."""
        return float(self.message.siconos_error) if self.message.HasField("siconos_error") else math.nan

    @property
    def sweep_count(self) -> int:
        """Sweeps made; a factorisation or a pivot counts as one."""
        return int(self.message.sweep_count)


class StepProblem:
    """The contact problem that a step has kept, and the impulses the step ended with."""

    __slots__ = ("message",)

    def __init__(self, message: query.GetStepProblemResponse) -> None:
        self.message = message

    @property
    def problem(self) -> ContactProblem:
        """The problem, as Client.solve() takes it."""
        return self.message.problem

    @property
    def impulses(self) -> Floats:
        """gamma by contact, in the order of the step's contacts."""
        return _rows(self.message.impulses)

    @property
    def old_impulses(self) -> Floats:
        """What bristles remember: gamma of the step before, as impulses; no rows under other laws. With
        FlatLawSettings(old_impulses=...) Client.solve() begins from them."""
        return _rows(self.message.old_impulses)

    @property
    def step_index(self) -> int:
        """Index of the state that the step led to."""
        return int(self.message.step_index)

    @property
    def outcome(self) -> Outcome:
        """Why the step's solver stopped."""
        return Outcome(self.message.outcome)

    @property
    def residual(self) -> float:
        """The residual the step reached."""
        return float(self.message.residual)


def solve_request(
    source: ProblemSource,
    law: str,
    solver: str,
    tolerance: Optional[float],
    max_sweeps: Optional[int],
    psor: Optional[PsorSettings],
    flat_law: Optional[FlatLawSettings],
) -> analysis.SolveContactProblemRequest:
    """The request of Client.solve(). Text and paths name a file; bytes are one. ValueError: there is no such law or
    solver."""
    request = analysis.SolveContactProblemRequest(
        law=choose("law", law, LAWS), solver=choose("solver", solver, SOLVERS)
    )
    if isinstance(source, ContactProblem):
        request.problem.CopyFrom(source)
    else:
        request.file = source if isinstance(source, bytes) else pathlib.Path(source).read_bytes()
    if tolerance is not None:
        request.tolerance = tolerance
    if max_sweeps is not None:
        request.max_sweeps = max_sweeps
    if psor is not None:
        request.psor.CopyFrom(psor)
    if flat_law is not None:
        request.flat_law.CopyFrom(flat_law)
    return request
