"""Creating, describing, listing and deleting scenes, and what changes them."""

import pytest
import talus
from conftest import cannonballs, launch, pair_spec
from google.protobuf import json_format
from talus import scene as build


def test_create_describe_delete(client, name):
    scene = client.create_scene(pair_spec(), name=name)
    info = scene.info()
    assert scene.name == info.scene == f"scenes/{name}"
    assert (info.step_index, info.time_s, info.body_count, info.emitter_count) == (0, 0.0, 2, 0)
    assert info.settings.time_step_s == 0.125 and info.settings.solver.tolerance == 1e-4 and info.fault == ""
    scene.delete()
    with pytest.raises(talus.NotFoundError):
        scene.info()


def test_every_form_of_a_spec_makes_the_same_scene(client, tmp_path):
    spec = pair_spec()
    path = tmp_path / "scene.json"
    path.write_text(json_format.MessageToJson(spec))
    sources = [spec, json_format.MessageToDict(spec), path, client.create_scene(spec).download()]
    assert len({client.create_scene(source).info().state_hash for source in sources}) == 1


def test_names_are_chosen_by_the_server_when_not_given(client):
    first, second = client.create_scene(pair_spec()), client.create_scene(pair_spec())
    assert first.name != second.name


def test_list_is_sorted_and_paged(client, name):
    names = [f"scenes/{name}-{letter}" for letter in "cab"]
    for one in names:
        client.create_scene(pair_spec(), name=one[len("scenes/") :])
    listed = [info.scene for info in client.scenes(page_size=2)]
    assert listed == sorted(listed) and set(names) <= set(listed)
    assert listed == [info.scene for info in client.scenes()]


@pytest.mark.parametrize("page_size", [-1, 1001])
def test_senseless_page_size(client, page_size):
    with pytest.raises(talus.InvalidFieldError) as caught:
        client.scenes(page_size=page_size)
    assert caught.value.field == "page_size"


def test_duplicate_name(client, name):
    first = client.create_scene(pair_spec(), name=name)
    first.step(3)
    before = first.info().state_hash
    with pytest.raises(talus.AlreadyExistsError) as caught:
        client.create_scene(pair_spec(), name=name)
    assert caught.value.reason == "DUPLICATE_NAME"
    assert first.info().state_hash == before


@pytest.mark.parametrize("bad", ["a/b", "x" * 65, "ä", " "])
def test_malformed_name(client, bad):
    with pytest.raises(talus.InvalidFieldError) as caught:
        client.create_scene(pair_spec(), name=bad)
    assert caught.value.field == "scene_id"


def test_request_id_makes_creation_idempotent(client, name):
    first = client.create_scene(pair_spec(), name=name, request_id=name)
    again = client.create_scene(pair_spec(), name=name, request_id=name)
    assert first.name == again.name
    with pytest.raises(talus.RequestIdReusedError):
        client.create_scene(pair_spec(), name=name + "-other", request_id=name)
    assert f"scenes/{name}-other" not in [info.scene for info in client.scenes()]


CALLS_ON_A_SCENE = {
    "info": lambda scene: scene.info(),
    "delete": lambda scene: scene.delete(),
    "step": lambda scene: scene.step(),
    "state": lambda scene: scene.state(),
    "contacts": lambda scene: scene.contacts(),
    "energy": lambda scene: scene.energy(),
    "diagnostics": lambda scene: scene.diagnostics(),
    "layout": lambda scene: scene.layout(),
    "cast_rays": lambda scene: scene.cast_rays((0, 0, 1), (0, 0, -1)),
    "watch": lambda scene: next(scene.watch()),
    "add_bodies": lambda scene: scene.add_bodies([build.sphere(0.1, mass=1.0)]),
    "remove_bodies": lambda scene: scene.remove_bodies(1),
    "add_emitters": lambda scene: scene.add_emitters([]),
    "remove_emitters": lambda scene: scene.remove_emitters("e"),
    "joints": lambda scene: scene.joints(),
    "add_joints": lambda scene: scene.add_joints([]),
    "remove_joints": lambda scene: scene.remove_joints("j"),
    "body_specs": lambda scene: scene.body_specs(),
    "joint_specs": lambda scene: scene.joint_specs(),
    "update_bodies": lambda scene: scene.update_bodies([talus.body_update("ball", position=(0, 0, 1))]),
    "snapshot": lambda scene: scene.snapshot(),
    "restore": lambda scene: scene.restore("never"),
    "fork": lambda scene: scene.fork(1),
    "download": lambda scene: scene.download(),
}


@pytest.mark.parametrize("call", CALLS_ON_A_SCENE)
def test_unknown_scene(client, call):
    with pytest.raises(talus.NotFoundError) as caught:
        CALLS_ON_A_SCENE[call](client.scene("nowhere"))
    assert caught.value.reason == "NOT_FOUND"


@pytest.mark.parametrize("call", CALLS_ON_A_SCENE)
def test_malformed_scene_name(client, call):
    with pytest.raises(talus.InvalidFieldError):
        CALLS_ON_A_SCENE[call](client.scene("scenes/a/b"))


def test_bodies_come_and_go(pair):
    before = pair.layout()
    ids = pair.add_bodies(
        [build.sphere(0.1, name="new", position=(5, 0, 1), mass=1.0, material="wood"), build.box((1, 1, 1), mass=2.0)],
        [build.material("wood", sliding=0.2)],
    )
    layout = pair.layout()
    assert layout.version > before.version and layout.ids.tolist() == [*before.ids.tolist(), *ids]
    assert layout.names == ["ground", "ball", "new", ""] and layout.dynamic.tolist() == [False, True, True, True]
    assert layout.sphere_radii.tolist() == [0.0, 0.5, 0.1, 0.0]
    after = pair.remove_bodies("ball", ids[1])
    assert after.names == ["ground", "new"] and after.version > layout.version
    assert pair.add_bodies([build.sphere(0.1, mass=1.0)])[0] > max(ids)  # ids are never used again


def test_what_is_read_back_makes_the_same_scene(client):
    balls = [build.sphere(0.1, name=f"b{k}", position=(0.5 * k, 0, 1), density=900, material="wood") for k in range(5)]
    spec = build.spec(
        materials=[build.material("wood", sliding=0.4)],
        bodies=[build.plane(name="ground", material="wood"), *balls],
        joints=[build.ball("b0", "b1", name="link", position_a=(0.25, 0, 0), position_b=(-0.25, 0, 0))],
    )
    scene = client.create_scene(spec)
    bodies, joints = scene.body_specs(page_size=2), scene.joint_specs()
    assert list(bodies.specs) == [1, 2, 3, 4, 5, 6] and bodies.moments == [(0, 1)] * 3
    assert list(joints.specs) == [1] and joints.specs[1].body_a == "b0"
    told = build.spec(
        materials=bodies.materials.values(), bodies=bodies.specs.values(), joints=joints.specs.values()
    )
    again = client.create_scene(told)
    assert again.info().state_hash == scene.info().state_hash
    assert again.step(50).state_hash == scene.step(50).state_hash
    with pytest.raises(talus.InvalidFieldError) as caught:
        scene.body_specs(page_size=1001)
    assert caught.value.field == "page_size"


def test_emitters_come_and_go(pair):
    emitter = build.emitter("hopper", center=(3, 0, 9), rate=80, count=40, radius=0.05, density=1000, material="sand")
    info = pair.add_emitters([emitter], [build.material("sand", sliding=0.5)])
    assert (info.emitter_count, info.particles_pending) == (1, 40)
    result = pair.step(2)
    assert result.report.body_count > 2
    info = pair.remove_emitters("hopper")
    assert (info.emitter_count, info.particles_pending) == (0, 0)
    assert pair.step().report.body_count == result.report.body_count  # its particles stay


def test_joints_come_and_go(client):
    ball = build.sphere(0.1, name="ball", position=(0, 0, 1), mass=2.0)
    scene = client.create_scene(build.spec(bodies=[ball], settings=build.settings(solver="newton")))
    hook = build.ball("", "ball", name="hook", position_a=(0, 0, 1))
    ids = scene.add_joints([hook, build.weld("", "ball", position_a=(0, 0, 1))])
    assert ids == [1, 2] and scene.info().joint_count == 2
    scene.step(5)
    assert sum(joint.force_n.z for joint in scene.joints()) == pytest.approx(2.0 * 9.81, rel=1e-3)
    assert scene.remove_joints("hook", ids[1]).joint_count == 0
    with pytest.raises(talus.NotFoundError):
        scene.remove_joints("hook")
    with pytest.raises(talus.InvalidFieldError, match=r"joints\[0\]\.body_b"):
        scene.add_joints([build.ball("", "ghost")])


BARE_SOLVERS = [(law, solver) for law in ("ncp", "ccp") for solver in ("fixed_point", "extragradient", "nsgs")] + [
    ("ccp", "barzilai_borwein"),
    ("ccp", "admm"),
]


@pytest.mark.parametrize("law, solver", BARE_SOLVERS)
def test_solvers_of_bare_problems_solve_scenes_and_joints(client, law, solver):
    """A ball on a hook, beside one on the ground."""
    hung = build.sphere(0.1, name="hung", position=(0, 0, 1), mass=2.0)
    laid = build.sphere(0.1, name="laid", position=(1, 0, 0.1), mass=3.0)
    settings = build.settings(law=law, solver=solver, tolerance=1e-6, max_sweeps=20000)
    scene = client.create_scene(build.spec(bodies=[build.plane(), hung, laid], settings=settings))
    assert scene.info().settings.solver.solver == build.SOLVERS[solver]
    scene.add_joints([build.ball("", "hung", name="hook", position_a=(0, 0, 1))])
    report = scene.step(5).report
    assert report.outcome == talus.Outcome.CONVERGED and report.residual <= 1e-6
    assert scene.joints()[0].force_n.z == pytest.approx(2.0 * 9.81, rel=1e-4)
    assert scene.contacts().forces[0][2] == pytest.approx(3.0 * 9.81, rel=1e-4)


def test_psor_iterates_as_it_is_told(client):
    def pyramid(**options):
        spec = cannonballs(5, law="ccp", tolerance=1e-4, max_sweeps=5000, **options)
        scene = client.create_scene(spec)
        return scene, scene.step(3)

    plain, swept = pyramid(solver="psor")
    same, told = pyramid(solver="psor", psor=talus.PsorSettings(relaxation=1.0, sequential=True))
    assert told.state_hash == swept.state_hash
    relaxed, solved = pyramid(solver="psor", psor=talus.PsorSettings(relaxation=1.4))
    assert solved.report.outcome == talus.Outcome.CONVERGED and solved.state_hash != swept.state_hash
    assert relaxed.info().settings.solver.psor.relaxation == 1.4 and plain.info().settings.solver.psor.relaxation == 1.0
    copy = relaxed.fork()[0]
    assert copy.step(2).state_hash == relaxed.step(2).state_hash
    with pytest.raises(talus.InvalidFieldError, match=r"settings\.solver\.psor"):
        pyramid(solver="apgd", psor=talus.PsorSettings())
    with pytest.raises(talus.InvalidFieldError, match="must be NEWTON, FIXED_POINT"):
        same.add_joints([build.ball("", "ground")])


@pytest.mark.parametrize("what, kind", [((99,), "id"), (("ghost",), "name"), (("ball", "ghost"), "both")])
def test_removing_what_is_not_there_changes_nothing(pair, what, kind):
    before = pair.info().state_hash
    with pytest.raises(talus.NotFoundError):
        pair.remove_bodies(*what)
    with pytest.raises(talus.NotFoundError):
        pair.remove_emitters("ghost")
    assert pair.info().state_hash == before and len(pair.layout()) == 2


def test_limits_name_themselves(client):
    with launch(max_scenes=2, max_bodies=10, max_steps_per_call=5) as small:
        limits = small.client.info().limits
        assert (limits.scenes, limits.bodies_per_scene, limits.steps_per_call) == (2, 10, 5)
        scene = small.client.create_scene(pair_spec())
        small.client.create_scene(pair_spec())
        ball, rain = build.sphere(0.1, mass=1.0), build.emitter("e", center=(0, 0, 5), rate=1, count=9, radius=0.1, density=1)
        attempts = {
            "scenes": lambda: small.client.create_scene(pair_spec()),
            "bodies_per_scene": lambda: scene.add_bodies([ball] * 9),
            "steps_per_call": lambda: scene.step(6),
        }
        before = scene.info().state_hash
        for limit, attempt in attempts.items():
            with pytest.raises(talus.LimitReachedError) as caught:
                attempt()
            assert caught.value.limit_name == limit and caught.value.limit_value == getattr(limits, limit)
        with pytest.raises(talus.LimitReachedError):
            scene.add_emitters([rain])
        assert scene.info().state_hash == before and len(small.client.scenes()) == 2


def test_server_info(client):
    info = client.info()
    assert info.version and info.worker_threads == 2 and info.uptime_s > 0
    assert info.limits.message_bytes == 64 << 20


def test_features(client):
    offered = {feature.name: list(feature.rpcs) for feature in client.features().features if feature.offered}
    assert offered["DELETING"] == ["SceneService/RemoveBodies", "SceneService/RemoveEmitters"]
    assert offered["ENTITY_STATE_SETTING"] == ["SceneService/UpdateBodies"] and "ENTITY_INFO_SETTING" not in offered
