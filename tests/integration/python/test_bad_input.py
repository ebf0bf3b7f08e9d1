"""Bad input is refused by the name of its field and changes nothing."""

import math

import pytest
import talus
from conftest import pair_spec
from talus import scene as build
from talus.v1 import geometry_pb2, scene_pb2

NAN, INF = math.nan, math.inf


def body(**options):
    return build.sphere(0.1, **{"mass": 1.0, **options})


def shapes(*list_of_shapes):
    return build.body(list_of_shapes, mass=1.0)


BAD_BODIES = {
    "negative mass": (body(mass=-2.0), "mass_kg"),
    "no mass": (build.sphere(0.1), "mass_kg"),
    "zero mass": (body(mass=0.0), "mass_kg"),
    "infinite mass": (body(mass=INF), "mass_kg"),
    "mass and density": (body(density=1.0), "density_kg_m3"),
    "NaN pose": (body(position=(0, NAN, 0)), "position_world_m"),
    "infinite pose": (body(position=(INF, 0, 0)), "position_world_m"),
    "NaN velocity": (body(linear_velocity=(NAN, 0, 0)), "linear_velocity_world_m_s"),
    "infinite spin": (body(angular_velocity=(0, 0, INF)), "angular_velocity_world_rad_s"),
    "non-unit quaternion": (body(orientation=(1, 0.1, 0, 0)), "orientation_world"),
    "zero quaternion": (body(orientation=(0, 0, 0, 0)), "orientation_world"),
    "NaN quaternion": (body(orientation=(NAN, 0, 0, 0)), "orientation_world"),
    "no shapes": (shapes(), "shapes"),
    "no geometry": (shapes(scene_pb2.ShapeSpec()), "geometry"),
    "too many shapes": (shapes(*[build.sphere_shape(0.1)] * 65), "shapes"),
    "negative radius": (shapes(build.sphere_shape(-0.1)), "radius_m"),
    "NaN radius": (shapes(build.sphere_shape(NAN)), "radius_m"),
    "flat box": (shapes(build.box_shape((1, 1, 0))), "half_extents_m"),
    "dynamic plane": (build.plane(kind=build.DYNAMIC, mass=1.0), "geometry"),
    "dynamic container": (build.container(1, 1, kind=build.DYNAMIC, mass=1.0), "geometry"),
    "plane without normal": (build.plane((0, 0, 0)), "normal"),
    "unknown material": (body(material="cheese"), "material"),
    "malformed name": (body(name="a b"), "name"),
    "static that moves": (body(kind=build.STATIC, linear_velocity=(1, 0, 0)), "linear_velocity_world_m_s"),
    "impossible inertia": (
        scene_pb2.BodySpec(
            mass_kg=1.0,
            shapes=[build.sphere_shape(0.1)],
            inertia_body_kg_m2=scene_pb2.Inertia(xx=1.0, yy=1.0, zz=5.0),
        ),
        "inertia_body_kg_m2",
    ),
}


@pytest.mark.parametrize("case", BAD_BODIES)
def test_bad_body_is_not_added(pair, case):
    bad, field = BAD_BODIES[case]
    before = pair.info()
    with pytest.raises(talus.InvalidFieldError) as caught:
        pair.add_bodies([body(position=(9, 9, 9)), bad])
    assert "bodies[1]" in caught.value.field and field in caught.value.field
    assert caught.value.allowed and caught.value.field in caught.value.message
    assert pair.info() == before


@pytest.mark.parametrize("case", BAD_BODIES)
def test_bad_body_makes_no_scene(client, name, case):
    bad, field = BAD_BODIES[case]
    spec = pair_spec()
    spec.bodies.append(bad)
    with pytest.raises(talus.InvalidFieldError) as caught:
        client.create_scene(spec, name=name)
    assert "bodies[2]" in caught.value.field and field in caught.value.field
    assert f"scenes/{name}" not in [info.scene for info in client.scenes()]


def rain(**options):
    plain = {"center": (0, 0, 1), "rate": 10.0, "count": 5, "radius": 0.1, "density": 10.0}
    return build.emitter("rain", **{**plain, **options})


BAD_EMITTERS = {
    "no rate": (rain(rate=0.0), "rate_per_s"),
    "NaN rate": (rain(rate=NAN), "rate_per_s"),
    "no particles": (rain(count=0), "particle_count"),
    "negative start": (rain(start_time=-1.0), "start_time_s"),
    "negative radius": (rain(radius=-1.0), "radius_min_m"),
    "radii in the wrong order": (rain(radius=0.1, radius_max=0.05), "radius_max_m"),
    "no density": (rain(density=0.0), "density_kg_m3"),
    "unknown material": (rain(material="cheese"), "material"),
    "infinite speed": (rain(speed=INF), "speed_m_s"),
    "NaN centre": (rain(center=(NAN, 0, 0)), "center_world_m"),
    "no axis": (rain(axis=(0, 0, 0)), "axis_world"),
    "negative nozzle": (rain(nozzle_radius=-1.0), "nozzle_radius_m"),
    "no name": (scene_pb2.EmitterSpec(), "name"),
}


@pytest.mark.parametrize("case", BAD_EMITTERS)
def test_bad_emitter_is_not_added(pair, case):
    bad, field = BAD_EMITTERS[case]
    before = pair.info()
    with pytest.raises(talus.InvalidFieldError) as caught:
        pair.add_emitters([bad])
    assert "emitters[0]" in caught.value.field and field in caught.value.field
    assert pair.info() == before


def solver(**options):
    return build.settings(**options)


BAD_SETTINGS = {
    "no time step": (solver(time_step=0.0), "time_step_s"),
    "NaN time step": (solver(time_step=NAN), "time_step_s"),
    "long time step": (solver(time_step=2.0), "time_step_s"),
    "NaN gravity": (solver(gravity=(0, 0, NAN)), "gravity_world_m_s2"),
    "negative recovery": (solver(recovery_speed=-1.0), "recovery_speed_m_s"),
    "tolerance above one": (solver(tolerance=2.0), "tolerance"),
    "no sweeps": (solver(max_sweeps=0), "max_sweeps"),
    "law and solver apart": (solver(law="ncp", solver="apgd"), "solver"),
    "solver and law apart": (solver(law="ccp", solver="alart_curnier"), "solver"),
    "solver of the other cone law": (solver(law="ncp", solver="admm"), "solver"),
    "psor of another solver": (solver(law="ccp", solver="apgd", psor=talus.PsorSettings()), "psor"),
    "relaxation of two": (solver(law="ccp", solver="psor", psor=talus.PsorSettings(relaxation=2.0)), "psor.relaxation"),
    "NaN averaging": (solver(law="ccp", solver="psor", psor=talus.PsorSettings(averaging=NAN)), "psor.averaging"),
}


@pytest.mark.parametrize("case", BAD_SETTINGS)
def test_bad_settings_make_no_scene(client, name, case):
    bad, field = BAD_SETTINGS[case]
    spec = pair_spec()
    spec.settings.CopyFrom(bad)
    with pytest.raises(talus.InvalidFieldError) as caught:
        client.create_scene(spec, name=name)
    assert field in caught.value.field
    assert f"scenes/{name}" not in [info.scene for info in client.scenes()]


BAD_MATERIALS = {
    "negative friction": (build.material("m", sliding=-1.0), "sliding_friction"),
    "NaN rolling": (build.material("m", rolling=NAN), "rolling_friction_m"),
    "infinite spinning": (build.material("m", spinning=INF), "spinning_friction_m"),
    "restitution above one": (build.material("m", restitution=1.5), "restitution"),
    "no name": (build.material(""), "name"),
}


@pytest.mark.parametrize("case", BAD_MATERIALS)
def test_bad_material_is_not_added(pair, case):
    bad, field = BAD_MATERIALS[case]
    before = pair.info()
    with pytest.raises(talus.InvalidFieldError) as caught:
        pair.add_bodies([body()], [bad])
    assert "materials[0]" in caught.value.field and field in caught.value.field
    assert pair.info() == before


@pytest.mark.parametrize("bodies, materials", [(["ball"], []), (["twin", "twin"], []), ([], ["stone"]), ([], ["m", "m"])])
def test_taken_names_add_nothing(pair, bodies, materials):
    before = pair.info()
    with pytest.raises(talus.AlreadyExistsError) as caught:
        pair.add_bodies(
            [body(name="fine"), *(body(name=one) for one in bodies)], [build.material(one) for one in materials]
        )
    assert caught.value.reason == "DUPLICATE_NAME"
    assert pair.info() == before


def test_bad_domain_makes_no_scene(client):
    spec = pair_spec()
    spec.domain.min_world_m.CopyFrom(geometry_pb2.Vector3(x=1))
    with pytest.raises(talus.InvalidFieldError):
        client.create_scene(spec)


def test_bad_steps(pair):
    before = pair.info()
    for count in (-1, -(2**63)):
        with pytest.raises(talus.InvalidFieldError) as caught:
            pair.step(count)
        assert caught.value.field == "step_count"
    with pytest.raises(talus.InvalidFieldError):
        pair.step(request_id="x" * 65)
    assert pair.info() == before
