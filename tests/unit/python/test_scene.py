"""Builders write what they say, and the named gravel pile is that of the paper."""

import json

import pytest
import talus
from google.protobuf import json_format
from talus import calls, named_scenes, scene, stepping
from talus.v1 import analysis_service_pb2, scene_pb2, step_settings_pb2


def test_bodies():
    ball = scene.sphere(0.1, name="ball", position=(1, 2, 3), orientation=(1, 0, 0, 0), mass=2.0, material="steel")
    assert ball.kind == scene_pb2.BODY_KIND_DYNAMIC and ball.shapes[0].sphere.radius_m == 0.1
    assert ball.mass_kg == 2.0 and not ball.HasField("density_kg_m3") and ball.position_world_m.z == 3
    assert ball.shapes[0].material == "steel" and ball.orientation_world.w == 1
    brick = scene.box((1, 2, 3), density=10.0, linear_velocity=(1, 0, 0), angular_velocity=(0, 0, 1))
    assert brick.shapes[0].box.half_extents_m.y == 2 and brick.density_kg_m3 == 10.0
    assert brick.linear_velocity_world_m_s.x == 1 and brick.angular_velocity_world_rad_s.z == 1
    ground = scene.plane(material="steel")
    assert ground.kind == scene_pb2.BODY_KIND_STATIC and ground.shapes[0].plane.normal.z == 1
    tray = scene.container(2, 3, 0.5, name="tray")
    assert tray.kind == scene_pb2.BODY_KIND_STATIC and tray.shapes[0].container.inner_length_y_m == 3
    both = scene.body([scene.sphere_shape(0.1, position=(0, 0, 1)), scene.box_shape((1, 1, 1), orientation=(1, 0, 0, 0))])
    assert len(both.shapes) == 2 and both.shapes[0].position_body_m.z == 1


def test_what_is_left_out_is_unset():
    assert not scene.sphere(1.0).HasField("mass_kg") and not scene.sphere(1.0).HasField("position_world_m")
    settings = scene.settings()
    assert not settings.HasField("time_step_s") and not settings.solver.HasField("warm_start")
    assert not scene.spec().HasField("domain") and not settings.HasField("sleep")
    sleep = scene.settings(sleep=scene.sleep()).sleep
    assert not sleep.HasField("speed_m_s") and not sleep.HasField("time_s")


def test_sleep_is_a_setting_of_its_own():
    settings = scene.settings(sleep=scene.sleep(0.25, time=2))
    assert settings.sleep.speed_m_s == 0.25 and settings.sleep.time_s == 2
    assert scene.settings(sleep=scene.sleep()).HasField("sleep")


def test_settings_and_spec():
    spec = scene.spec(
        bodies=[scene.sphere(1.0)],
        materials=[scene.material("m", 0.5, 0.1, 0.2, 0.3)],
        emitters=[scene.emitter("e", center=(0, 0, 1), rate=10, count=5, radius=0.1, density=100, axis=(0, 0, -1))],
        settings=scene.settings(
            time_step=0.01, theta=0.5, gravity=(0, 0, -1), law="ccp", solver="apgd", tolerance=1e-6, max_sweeps=7, warm_start=False
        ),
        domain=((-1, -1, -1), (1, 1, 1)),
    )
    assert spec.settings.solver.law == step_settings_pb2.CONTACT_LAW_CCP
    assert spec.settings.solver.solver == step_settings_pb2.CONTACT_SOLVER_APGD
    assert spec.settings.solver.HasField("warm_start") and not spec.settings.solver.warm_start
    assert not spec.settings.solver.HasField("facet_count")
    assert spec.settings.theta == 0.5 and not scene.settings().HasField("theta")
    assert spec.materials[0].material.spinning_friction_m == 0.2
    assert spec.emitters[0].radius_max_m == 0.1 and spec.emitters[0].axis_world.z == -1
    assert spec.domain.max_world_m.z == 1


def test_settings_of_laws_with_flat_sides():
    solver = scene.settings(
        law="bristle", solver="lemke", facet_count=6, bristle_stiffness=1e7, slip_threshold=0.02
    ).solver
    assert solver.law == step_settings_pb2.CONTACT_LAW_BRISTLE and solver.solver == step_settings_pb2.CONTACT_SOLVER_LEMKE
    assert (solver.facet_count, solver.bristle_stiffness_n_m, solver.slip_threshold_m_s) == (6, 1e7, 0.02)
    for law in ("box", "polygonal"):
        assert scene.settings(law=law, solver="block_pivoting").solver.law == scene.LAWS[law]


def test_settings_of_solvers_of_bare_problems():
    for name in ("fixed_point", "extragradient", "nsgs", "barzilai_borwein", "admm"):
        solver = scene.settings(law="ccp", solver=name).solver
        assert solver.solver == scene.SOLVERS[name] and not solver.HasField("psor")
    psor = scene.settings(law="ccp", solver="psor", psor=talus.PsorSettings(relaxation=1.4)).solver.psor
    assert psor.relaxation == 1.4 and not psor.HasField("averaging")


def named(enum, prefix):
    """The enum's values by their names, as callers write them."""
    return {name[len(prefix) :].lower(): value for name, value in enum.items() if value}


def test_laws_and_solvers_have_the_schema_s_names():
    assert scene.LAWS == named(step_settings_pb2.ContactLaw, "CONTACT_LAW_")
    assert scene.SOLVERS == named(step_settings_pb2.ContactSolver, "CONTACT_SOLVER_")
    bare = named(analysis_service_pb2.ProblemSolver, "PROBLEM_SOLVER_")
    assert talus.problems.SOLVERS == {"default": analysis_service_pb2.PROBLEM_SOLVER_UNSPECIFIED, **bare}


@pytest.mark.parametrize(
    "older, name",
    [
        ("a-ac", "alart_curnier"),
        ("a-psor", "accelerated_psor"),
        ("block-pivoting", "block_pivoting"),
        ("fixed-point", "fixed_point"),
        ("barzilai-borwein", "barzilai_borwein"),
    ],
)
def test_older_names_of_solvers_are_taken(older, name):
    assert scene.settings(solver=older) == scene.settings(solver=name)


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: scene.settings(law="NCP"), "law 'NCP' must be one of ncp, ccp, box, polygonal, bristle$"),
        (lambda: scene.settings(solver="a_ac"), "solver 'a_ac' must be one of alart_curnier, accelerated_psor, psor, .*admm$"),
        (lambda: talus.gravel_pile(law="box"), "law 'box' must be one of ncp, ccp$"),
        (lambda: calls.solve(b"", "cone", "default", *[None] * 4), "law 'cone' must be one of ncp, ccp, box"),
        (lambda: calls.solve(b"", "ncp", "a-ac", *[None] * 4), "solver 'a-ac' must be one of default, fixed_point"),
        (lambda: calls.trough_surface(None, None, "cube", None), "body 'cube' must be one of limit_directions, all_faces"),
        (lambda: watch(policy="wait"), "policy 'wait' must be one of latest, buffer, block, disconnect"),
        (lambda: watch(profile="f16"), "profile 'f16' must be one of f64, f32, quantized"),
        (lambda: stepping.reset("s", ["time", "space"]), "scope 'space' must be one of all, time, state, spawned"),
        (lambda: stepping.control_open("s", [], on_miss="panic"), "on_miss 'panic' must be one of hold, zero, fail"),
        (lambda: stepping.run("s", None, 0, "once"), "keep_problem 'once' must be one of never, unconverged, always"),
    ],
)
def test_a_name_that_is_none_is_told_of_with_those_there_are(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def watch(**options):
    return calls.watch("s", None, None, calls.select(), 0, talus.WatchOptions(**options))


def test_load_from_message_mapping_and_file(tmp_path):
    spec = talus.gravel_pile(7)
    as_json = json_format.MessageToDict(spec)
    assert scene.load(spec) is spec
    assert scene.load(as_json) == spec
    assert scene.load(json_format.MessageToDict(spec, preserving_proto_field_name=True)) == spec
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(as_json))
    assert scene.load(path) == spec and scene.load(str(path)) == spec


@pytest.mark.parametrize("source", [{"bodes": []}, {"bodies": [{"massKg": "heavy"}]}, {"bodies": 3}])
def test_load_refuses_what_is_no_scene(source):
    with pytest.raises(ValueError, match="SceneSpec"):
        scene.load(source)


def test_gravel_pile_is_the_paper_s():
    spec = talus.gravel_pile()
    emitter = spec.emitters[0]
    assert emitter.radius_min_m == emitter.radius_max_m == 0.0225
    assert emitter.density_kg_m3 == 2028 and emitter.rate_per_s == 800 and emitter.center_world_m.z == 1
    assert emitter.nozzle_radius_m == 0.15
    tray = spec.bodies[0].shapes[0].container
    assert tray.inner_length_x_m == tray.inner_length_y_m == 2 and tray.wall_height_m == 0
    gravel = spec.materials[0].material
    assert gravel.sliding_friction == 0.6 and gravel.rolling_friction_m == gravel.spinning_friction_m == 0.01
    assert spec.settings.time_step_s == 0.005 and spec.settings.gravity_world_m_s2.z == -9.81


def test_gravel_pile_overrides():
    spec = talus.gravel_pile(
        10, seed=9, rolling=0.002, sliding=0.3, rate=100, walled=True, law="ccp", tolerance=1e-3, max_sweeps=5,
        time_step=0.001,
    )
    assert (spec.emitters[0].particle_count, spec.emitters[0].seed, spec.emitters[0].rate_per_s) == (10, 9, 100)
    gravel = spec.materials[0].material
    assert (gravel.sliding_friction, gravel.rolling_friction_m, gravel.spinning_friction_m) == (0.3, 0.002, 0.002)
    assert spec.bodies[0].shapes[0].container.wall_height_m == 1 and spec.domain.max_world_m.x == 2
    solver = spec.settings.solver
    assert (solver.law, solver.tolerance, solver.max_sweeps) == (step_settings_pb2.CONTACT_LAW_CCP, 1e-3, 5)
    assert spec.settings.time_step_s == 0.001
    assert talus.gravel_pile(seed=0).emitters[0].seed == 0


def test_named_scenes():
    assert "gravel_pile" in named_scenes.names()
    for name in named_scenes.names():
        named_scenes.load_named(name)
    with pytest.raises(ValueError, match="gravel_pile"):
        named_scenes.load_named("no_such_scene")


def test_joints():
    spec = talus.scene.spec(
        joints=[
            talus.scene.hinge("", "arm", talus.scene.limited(-1, 2), position_b=(-0.5, 0, 0)),
            talus.scene.guide("rail", "block", talus.scene.motor(0.1), name="drive", bodies_collide=True),
            talus.scene.joint("rail", "block", [talus.scene.friction(5.3)]),
            talus.scene.weld("a", "b", orientation_a=(0, 1, 0, 0)),
            talus.scene.ball("a", "b"),
            talus.scene.joint("", "b", [talus.scene.free(), talus.scene.locked(0.5, stiffness=1e6)]),
        ]
    )
    hinge, guide, seal, weld, ball, spring = spec.joints
    assert [axis.mode for axis in hinge.axes] == [scene_pb2.AXIS_MODE_LOCKED] * 5 + [scene_pb2.AXIS_MODE_LIMITED]
    assert (hinge.axes[5].lower, hinge.axes[5].upper, hinge.position_b_m.x) == (-1, 2, -0.5)
    assert not hinge.HasField("position_a_m") and not hinge.bodies_collide
    assert guide.name == "drive" and guide.bodies_collide
    assert guide.axes[0].velocity == 0.1 and not guide.axes[0].HasField("max_force")
    assert len(seal.axes) == 1 and seal.axes[0].max_force == 5.3
    assert len(weld.axes) == 6 and weld.orientation_a.x == 1
    assert len(ball.axes) == 3
    assert (spring.axes[1].position, spring.axes[1].compliance) == (0.5, 1e-6)


def test_elastic_materials_and_pairs():
    soft = talus.scene.elasticity(stiffness=1e5, damping=20.0, sliding_stiffness=3e4, rolling_stiffness=5.0,
                                  sliding_viscosity=7.0, rolling_viscosity=8.0, spinning_viscosity=9.0)
    spec = talus.scene.spec(
        materials=[
            talus.scene.material("rubber", 0.8, elasticity=soft),
            talus.scene.material("steel", 0.3, elasticity=talus.scene.elasticity(youngs_modulus=2e11, poisson_ratio=0.3)),
            talus.scene.material("stone", 0.6),
        ],
        material_pairs=[talus.scene.material_pair("rubber", "stone", sliding=1.0, rolling=0.01, elasticity=soft)],
    )
    rubber, steel, stone = (named.material for named in spec.materials)
    assert rubber.elasticity.normal_stiffness_n_per_m == 1e5
    assert rubber.elasticity.normal_damping_n_s_per_m == 20.0
    assert rubber.elasticity.sliding_stiffness_n_per_m == 3e4
    assert rubber.elasticity.rolling_stiffness_n_m_per_rad == 5.0
    assert rubber.elasticity.spinning_stiffness_n_m_per_rad == 0.0
    assert rubber.elasticity.sliding_viscosity_n_s_per_m == 7.0
    assert rubber.elasticity.rolling_viscosity_n_m_s_per_rad == 8.0
    assert rubber.elasticity.spinning_viscosity_n_m_s_per_rad == 9.0
    assert (steel.elasticity.youngs_modulus_pa, steel.elasticity.poisson_ratio) == (2e11, 0.3)
    assert not stone.HasField("elasticity")
    pair = spec.material_pairs[0]
    assert (pair.material_a, pair.material_b) == ("rubber", "stone")
    assert (pair.material.sliding_friction, pair.material.rolling_friction_m) == (1.0, 0.01)
    assert pair.material.elasticity == soft
