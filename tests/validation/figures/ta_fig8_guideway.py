"""[TA] §6.2: the force that moves a block on four rows of balls, over their rolling friction."""

import math

from book.drawing import COLORS, PAPER_COLOR, canvas, save
from book.figure import Row, Run, numbers

TITLE = "Linear guideway: force over rolling friction"
SOURCE = "TA §6.2, Fig. 8"
TEXT = """
A block rolls on a rail on four rows of nine steel balls of 6.4 mm at 45°; a load F_y of 490 N closes the two upper rows, the
lower ones stand in a clearance of 10 µm at each face. 36 balls, 72 contacts, joints for guide, drive, load and seal
([decision 16](decisions/0016-joints.md)); 0.1 m/s, μ 0.15. Two readings of ρ: with ρ = ζ R_b the force is F_x = √2 ζ F_y + S,
because rows at 45° press with √2 F_y together; the maker's law F_x = ζ F_y + S counts the load itself and comes out with
ρ = ζ R_b/√2. Both are run over all ζ under NCP, at 1 ms, the load being a force. CCP lifts each contact by h A_r, which
needs something that resists to be felt. So laws are compared on a preloaded block, where the load comes from a spring, here
of Hertz' tangent stiffness of the loaded rows, at 0.01 s, both laws alike. With the lift h ρ |ω| of each contact the spring
presses by k times the block's lift more, and F_x grows in proportion; the lift shrinks with h (claims
`guideway-ccp-closed-h10` and `-h1`). Preloaded runs are solved to 10⁻⁶, in at most 2000 iterations a step, the others to 10⁻¹⁰, two to
10⁻¹².
"""

LOAD_N, SEAL_N, BALL_RADIUS_M = 490.0, 5.3, 3.2e-3
ROOT2 = math.sqrt(2.0)
MAKERS_ZETA = 0.005
ZETAS = tuple(round(0.001 * k, 3) for k in range(11))
SEALS = {"": 0.0, "-seal": SEAL_N}
CCP_STEP = 0.01
# Impulses are right to 10⁻¹⁰ of what drives the step; a hundredfold of the load's for forces.
FORCE_ERROR_N = 1e-8 * LOAD_N
EXACT = 1e-12
# A prototype's F_x under CCP, no seal; the stiffness of its spring is not known.
PROTOTYPES_CCP_N = 9.64
# tests/scenes/guideway.h: the residual leaves 6e-5 of the rolling force of a preloaded block.
PRELOADED_ERROR = 1e-4


def _name(law, zeta, seal):
    return f"{law}-zeta{zeta:g}{seal}"


def runs():
    for seal, force in SEALS.items():
        for zeta in ZETAS:
            yield Run(_name("ncp", zeta, seal), _command(zeta, force), 0.1)
            yield Run(_name("maker", zeta, seal), _command(zeta / ROOT2, force), 0.1)
            for ccp, law in enumerate(("ncp-preloaded", "ccp")):
                yield Run(_name(law, zeta, seal), _preloaded(zeta, force, ccp), 1.0)
    for ccp, law in enumerate(("ncp", "ccp")):
        yield Run(f"{law}-exact", _command(MAKERS_ZETA, SEAL_N, ccp=ccp, tolerance=EXACT, steps=5), 0.1)


def _command(rho_over_radius, seal_n, **more):
    return numbers("talus_figures", "guideway", rolling_m=rho_over_radius * BALL_RADIUS_M, seal_n=seal_n, **more)


def _preloaded(zeta, seal_n, ccp):
    return _command(zeta, seal_n, ccp=ccp, preloaded=1, time_step_s=CCP_STEP)


def _force(data, name):
    return data[name]["values"]["drive_force_n"]


def _lifted(data, zeta, seal_n):
    """What CCP comes to: the lift h ρ |ω| of each contact, and what the spring adds to the load for it."""
    values = data[_name("ccp", zeta, "")]["values"]
    rho = zeta * BALL_RADIUS_M
    turn = CCP_STEP * rho * values["speed_m_s"]
    # The ball turns about the middle of its gaps, half a gap from its surface.
    arm = BALL_RADIUS_M + 0.5 * turn / (2.0 * BALL_RADIUS_M)
    height = ROOT2 * turn / arm
    return ROOT2 * rho / arm * (LOAD_N + values["stiffness_n_m"] * height) + seal_n


def _preloaded_error(data, seal_n):
    """Relative to the rolling force. The residual is relative to what drives the step: the spring's deflection, F_y/(k h) in
    the block's row; a seal that slips counts with its h S/m too."""
    values = data[_name("ccp", MAKERS_ZETA, "")]["values"]
    deflection = LOAD_N / (values["stiffness_n_m"] * CCP_STEP)
    return PRELOADED_ERROR * math.hypot(1.0, CCP_STEP * seal_n / values["block_mass_kg"] / deflection)


def _error_of_ccp(data, zeta, seal):
    """What CCP takes more than NCP, all else equal, N."""
    return _force(data, _name("ccp", zeta, seal)) - _force(data, _name("ncp-preloaded", zeta, seal))


def draw(data, path):
    figure, (left, middle, right) = canvas(1, 3, width=14.0, height=4.8)
    rho_mm = [1e3 * BALL_RADIUS_M * zeta for zeta in ZETAS]
    for (seal, force), style, filled in zip(SEALS.items(), ("--", "-"), ("none", None)):
        sealed = "seal" if force else "no seal"
        for law, color, mark, factor, read in (("ncp", COLORS[0], "o", ROOT2, "ρ = ζ R_b: √2 ζ F_y + S"),
                                               ("maker", COLORS[2], "s", 1.0, "ρ = ζ R_b/√2: the maker's ζ F_y + S")):
            left.plot(rho_mm, [factor * zeta * LOAD_N + force for zeta in ZETAS], style, color=PAPER_COLOR, lw=1.0)
            left.plot(rho_mm, [_force(data, _name(law, zeta, seal)) for zeta in ZETAS], mark, color=color, ms=5,
                      markerfacecolor=filled, label=f"{read}, {sealed}")
        for law, color, mark, named in (("ncp-preloaded", COLORS[0], "o", "NCP"), ("ccp", COLORS[1], "^", "CCP")):
            middle.plot(rho_mm, [_force(data, _name(law, zeta, seal)) for zeta in ZETAS], mark, color=color, ms=5,
                        markerfacecolor=filled, label=f"{named}, {sealed}")
        middle.plot(rho_mm, [ROOT2 * zeta * LOAD_N + force for zeta in ZETAS], style, color=PAPER_COLOR, lw=1.0)
        middle.plot(rho_mm, [_lifted(data, zeta, force) for zeta in ZETAS], style, color="#999999", lw=1.0)
        right.plot(rho_mm, [_error_of_ccp(data, zeta, seal) for zeta in ZETAS], "v" if force else "^", color=COLORS[1], ms=6,
                   markerfacecolor=filled, label=sealed)
    right.plot(rho_mm, [_lifted(data, zeta, 0.0) - ROOT2 * zeta * LOAD_N for zeta in ZETAS], color="#999999", lw=1.0,
               label="closed form: the lift")
    for axes in (left, middle, right):
        axes.axvline(1e3 * BALL_RADIUS_M * MAKERS_ZETA, color="#bbbbbb", lw=0.8, zorder=0)
        axes.set(xlabel="ζ R_b  (mm); the other reading has ρ = ζ R_b/√2", ylim=(0.0, None))
        axes.legend(loc="upper left", fontsize=8)
    left.set(title="Both readings of ρ, NCP, h = 0.001 s", ylabel="force to move the block  (N)", ylim=(0.0, 18.0))
    middle.set(title=f"Preloaded, ρ = ζ R_b, h = {CCP_STEP:g} s", ylabel="force to move the block  (N)")
    right.set(title="The same: CCP less NCP", ylabel="N")
    figure.suptitle(f"F_y = {LOAD_N:g} N, S = {SEAL_N:g} N; grey upright: the maker's ζ = {MAKERS_ZETA:g}; lines: closed forms",
                    fontsize=10)
    save(figure, path)


def compare(data):
    impulses = "impulses to 10⁻¹⁰, a hundredfold for sums: 10⁻⁸ F_y"
    maker = data[_name("ncp", MAKERS_ZETA, "")]["values"]
    yield Row("load of the upper rows, √2 F_y", ROOT2 * LOAD_N, maker["upper_rows_n"], FORCE_ERROR_N, "N", impulses)
    yield Row("load of the lower rows", 0.0, maker["lower_rows_n"], FORCE_ERROR_N, "N", impulses)
    yield Row("steps above their tolerance, of all runs", 0.0, sum(run["unconverged_steps"] for run in data.values()), 0.0, "-",
              "the other rows count on it")
    for law in ("ncp", "ccp"):
        yield Row(f"worst residual of five steps, asked for 10⁻¹², seal, {law.upper()}", 0.0,
                  data[f"{law}-exact"]["worst_residual"], EXACT, "-", "what is asked for", "<=")
    for seal, force in SEALS.items():
        yield from _compare_readings(data, seal, force, impulses)
        yield from _compare_laws(data, seal, force)


def _sealed(force):
    return "seal" if force else "no seal"


def _compare_readings(data, seal, force, impulses):
    for law, factor, read in (("ncp", ROOT2, "ρ = ζ R_b: √2 ζ F_y + S"), ("maker", 1.0, "ρ = ζ R_b/√2: the maker's ζ F_y + S")):
        yield Row(f"F_x, {read}, {_sealed(force)}, NCP", factor * MAKERS_ZETA * LOAD_N + force,
                  _force(data, _name(law, MAKERS_ZETA, seal)), FORCE_ERROR_N, "N", impulses)
        yield Row(f"the same over ζ: largest error of F_x, {_sealed(force)}, NCP", 0.0,
                  max(abs(_force(data, _name(law, zeta, seal)) - factor * zeta * LOAD_N - force) for zeta in ZETAS),
                  FORCE_ERROR_N, "N", impulses)


def _compare_laws(data, seal, force):
    """On the preloaded block, ρ = ζ R_b."""
    sealed = f"preloaded, h = {CCP_STEP:g} s, {_sealed(force)}"
    off = _preloaded_error(data, force)
    residual = (f"what the residual of 10⁻⁶ leaves: {off:.1e} of the rolling force"
                + (", as the seal counts in what it is relative to" if force else ""))
    right = ROOT2 * MAKERS_ZETA * LOAD_N
    yield Row(f"F_x, {sealed}, NCP", right + force, _force(data, _name("ncp-preloaded", MAKERS_ZETA, seal)), off * right, "N",
              residual)
    yield Row(f"the same over ζ: largest error of F_x, {sealed}, NCP", 0.0,
              max(abs(_force(data, _name("ncp-preloaded", zeta, seal)) - ROOT2 * zeta * LOAD_N - force) for zeta in ZETAS),
              off * ROOT2 * max(ZETAS) * LOAD_N, "N", "the same")
    error = _error_of_ccp(data, MAKERS_ZETA, seal)
    known = "a prototype's, whose stiffness is not known; the error is proportional to it. Half of ours, taken after the fact"
    yield Row(f"CCP less NCP, {sealed}: the error of CCP", PROTOTYPES_CCP_N - right, error, 0.5 * error, "N", known)
    yield Row(f"the same beside F_x − S under NCP, {_sealed(force)}", 100.0 * (PROTOTYPES_CCP_N / right - 1.0),
              100.0 * error / right, 50.0 * error / right, "%", known)
    lifted = _lifted(data, MAKERS_ZETA, force)
    yield Row(f"our formula, not the paper: F_x with the lift, {sealed}, CCP", lifted,
              _force(data, _name("ccp", MAKERS_ZETA, seal)), off * (lifted - force), "N", residual)
    yield Row(f"the same over ζ > 0: largest relative error of F_x − S, {_sealed(force)}, CCP", 0.0,
              max(abs((_force(data, _name("ccp", zeta, seal)) - force) / (_lifted(data, zeta, force) - force) - 1.0)
                  for zeta in ZETAS if zeta > 0.0), off, "-", "the same")


def notes(data):
    right = ROOT2 * MAKERS_ZETA * LOAD_N
    error = _error_of_ccp(data, MAKERS_ZETA, "")
    stiffness = data[_name("ccp", MAKERS_ZETA, "")]["values"]["stiffness_n_m"]
    needed = (PROTOTYPES_CCP_N - right) / error
    return (f"At the maker's ζ, without the seal, CCP takes {right + error:.2f} N where {right:.3f} N is right: {error:.2f} N or "
            f"{100 * error / right:.0f} % too much, with a spring of {stiffness:.3g} N/m. NCP takes the right force on the same "
            f"block. A prototype had {PROTOTYPES_CCP_N:g} N; by the formula that would be a spring {needed:.2f} times as stiff. "
            "Which one it had is not known, so that this explains nothing.")
