"""Builders of materials, how their surfaces give way, and what pairs of them are to each other; part of talus.scene.

What is left out is 0: no friction, no restitution, rigid. The server validates.
"""

from __future__ import annotations

from typing import Optional

from talus.v1 import scene_pb2


def elasticity(
    *,
    stiffness: float = 0.0,
    damping: float = 0.0,
    youngs_modulus: float = 0.0,
    poisson_ratio: float = 0.0,
    sliding_stiffness: float = 0.0,
    rolling_stiffness: float = 0.0,
    spinning_stiffness: float = 0.0,
    sliding_viscosity: float = 0.0,
    rolling_viscosity: float = 0.0,
    spinning_viscosity: float = 0.0,
) -> scene_pb2.Elasticity:
    """How a surface gives way: along the normal by a spring (N/m) or by Hertz's law (Pa), with a damper (N s/m);
    against friction by bristles (N/m, N m/rad) and by creeping (viscosity, N s/m, N m s/rad). 0 is rigid."""
    return scene_pb2.Elasticity(
        normal_stiffness_n_per_m=stiffness,
        normal_damping_n_s_per_m=damping,
        youngs_modulus_pa=youngs_modulus,
        poisson_ratio=poisson_ratio,
        sliding_stiffness_n_per_m=sliding_stiffness,
        rolling_stiffness_n_m_per_rad=rolling_stiffness,
        spinning_stiffness_n_m_per_rad=spinning_stiffness,
        sliding_viscosity_n_s_per_m=sliding_viscosity,
        rolling_viscosity_n_m_s_per_rad=rolling_viscosity,
        spinning_viscosity_n_m_s_per_rad=spinning_viscosity,
    )


def _coefficients(
    sliding: float,
    rolling: float,
    spinning: float,
    restitution: float,
    elasticity: Optional[scene_pb2.Elasticity],
) -> scene_pb2.Material:
    return scene_pb2.Material(
        sliding_friction=sliding,
        rolling_friction_m=rolling,
        spinning_friction_m=spinning,
        restitution=restitution,
        elasticity=elasticity,
    )


def material(
    name: str,
    sliding: float = 0.0,
    rolling: float = 0.0,
    spinning: float = 0.0,
    restitution: float = 0.0,
    elasticity: Optional[scene_pb2.Elasticity] = None,
) -> scene_pb2.NamedMaterial:
    """A named material: mu, rho in metres, sigma in metres, e, and how it gives way, an elasticity()."""
    coefficients = _coefficients(sliding, rolling, spinning, restitution, elasticity)
    return scene_pb2.NamedMaterial(name=name, material=coefficients)


def material_pair(
    material_a: str,
    material_b: str,
    sliding: float = 0.0,
    rolling: float = 0.0,
    spinning: float = 0.0,
    restitution: float = 0.0,
    elasticity: Optional[scene_pb2.Elasticity] = None,
) -> scene_pb2.MaterialPair:
    """What two named materials are to each other, in place of what they would combine to."""
    return scene_pb2.MaterialPair(
        material_a=material_a,
        material_b=material_b,
        material=_coefficients(sliding, rolling, spinning, restitution, elasticity),
    )
