"""How a scene is stepped: builders of step_settings.proto."""

from __future__ import annotations

from typing import Optional

from talus.choices import choose
from talus.geometry import Triple, vector
from talus.v1 import step_settings_pb2

CONE_LAWS = {"ncp": step_settings_pb2.CONTACT_LAW_NCP, "ccp": step_settings_pb2.CONTACT_LAW_CCP}
# The others are solved by pivoting: for at most 128 contacts and joints a step, fewer with many facets.
LAWS = {
    **CONE_LAWS,
    "box": step_settings_pb2.CONTACT_LAW_BOX,
    "polygonal": step_settings_pb2.CONTACT_LAW_POLYGONAL,
    "bristle": step_settings_pb2.CONTACT_LAW_BRISTLE,
}
SOLVERS = {
    "alart_curnier": step_settings_pb2.CONTACT_SOLVER_ALART_CURNIER,
    "accelerated_psor": step_settings_pb2.CONTACT_SOLVER_ACCELERATED_PSOR,
    "psor": step_settings_pb2.CONTACT_SOLVER_PSOR,
    "apgd": step_settings_pb2.CONTACT_SOLVER_APGD,
    "newton": step_settings_pb2.CONTACT_SOLVER_NEWTON,
    "block_pivoting": step_settings_pb2.CONTACT_SOLVER_BLOCK_PIVOTING,
    "lemke": step_settings_pb2.CONTACT_SOLVER_LEMKE,
    # For at most 50 000 contacts a step; these, as "newton", take joints.
    "fixed_point": step_settings_pb2.CONTACT_SOLVER_FIXED_POINT,
    "extragradient": step_settings_pb2.CONTACT_SOLVER_EXTRAGRADIENT,
    "nsgs": step_settings_pb2.CONTACT_SOLVER_NSGS,
    "barzilai_borwein": step_settings_pb2.CONTACT_SOLVER_BARZILAI_BORWEIN,
    "admm": step_settings_pb2.CONTACT_SOLVER_ADMM,
}
# Taken by settings() as well.
_OLDER_NAMES = {
    "a-ac": "alart_curnier",
    "a-psor": "accelerated_psor",
    "block-pivoting": "block_pivoting",
    "fixed-point": "fixed_point",
    "barzilai-borwein": "barzilai_borwein",
}


def sleep(speed: Optional[float] = None, time: Optional[float] = None) -> step_settings_pb2.SleepSettings:
    """Lets islands sleep that were slower than `speed`, m/s, for `time`, s; None leaves the server's default."""
    return step_settings_pb2.SleepSettings(speed_m_s=speed, time_s=time)


def settings(
    *,
    time_step: Optional[float] = None,
    gravity: Optional[Triple] = None,
    recovery_speed: Optional[float] = None,
    restitution_threshold: Optional[float] = None,
    law: Optional[str] = None,
    solver: Optional[str] = None,
    tolerance: Optional[float] = None,
    max_sweeps: Optional[int] = None,
    warm_start: Optional[bool] = None,
    sleep: Optional[step_settings_pb2.SleepSettings] = None,
    facet_count: Optional[int] = None,
    bristle_stiffness: Optional[float] = None,
    slip_threshold: Optional[float] = None,
    theta: Optional[float] = None,
    psor: Optional[step_settings_pb2.PsorSettings] = None,
) -> step_settings_pb2.StepSettings:
    """How to step: `law` is one of LAWS, `solver` one of SOLVERS, `sleep` a sleep(), `theta` where in the step
    smooth forces act, 0.5 to 1; None leaves the server's default. Of law "polygonal": facet_count; of "bristle":
    bristle_stiffness, N/m, and slip_threshold, m/s; of solver "psor": psor, a talus.PsorSettings. ValueError: there is
    no such law or solver."""
    result = step_settings_pb2.StepSettings(
        time_step_s=time_step,
        theta=theta,
        gravity_world_m_s2=None if gravity is None else vector(gravity),
        recovery_speed_m_s=recovery_speed,
        restitution_threshold_m_s=restitution_threshold,
    )
    chosen = step_settings_pb2.SolverSettings(
        tolerance=tolerance,
        max_sweeps=max_sweeps,
        facet_count=facet_count,
        bristle_stiffness_n_m=bristle_stiffness,
        slip_threshold_m_s=slip_threshold,
        psor=psor,
    )
    if warm_start is not None:
        chosen.warm_start = warm_start
    if law is not None:
        chosen.law = choose("law", law, LAWS)
    if solver is not None:
        chosen.solver = choose("solver", _OLDER_NAMES.get(solver, solver), SOLVERS)
    result.solver.CopyFrom(chosen)
    if sleep is not None:
        result.sleep.CopyFrom(sleep)
    return result
