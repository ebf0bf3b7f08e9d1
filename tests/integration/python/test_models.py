"""Robots from URDF files: read with their meshes, put into scenes, and refused in the words of the file."""

import asyncio
from pathlib import Path

import pytest

import talus
from talus import aio
from talus.v1 import scene_pb2

URDF = """<robot name="r">
<link name="base"/>
<link name="arm"><inertial><origin xyz="1 0 0"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><geometry><mesh filename="package://r/meshes/arm.obj"/></geometry></collision></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="500" velocity="1"/></joint>
</robot>"""
MESH = b"v 0 0 0\nv 2 1 1\n"


def model(**options: object) -> talus.Model:
    return talus.Model(URDF, {"arm.obj": MESH}, base="fixed", **options)  # type: ignore[arg-type]


def jointed() -> scene_pb2.SceneSpec:
    spec = scene_pb2.SceneSpec()
    spec.settings.solver.solver = talus.scene.SOLVERS["newton"]
    return spec


def test_a_model_is_read_with_the_meshes_it_names(tmp_path: Path) -> None:
    (tmp_path / "urdf").mkdir()
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "arm.obj").write_bytes(MESH)
    (tmp_path / "urdf" / "r.urdf").write_text(URDF)
    read = talus.Model.read(tmp_path / "urdf" / "r.urdf", base="fixed", motors=True)
    assert read.files == {"package://r/meshes/arm.obj": MESH}
    assert read.urdf == URDF and read.motors
    assert talus.Model.read(tmp_path / "urdf" / "r.urdf", files={}).files == {}


def test_only_meshes_that_the_server_can_use_are_read(tmp_path: Path) -> None:
    shapes = "".join(
        f'<{kind}><geometry><mesh filename="{name}"/></geometry></{kind}>'
        for kind, name in [("visual", "drawn.stl"), ("collision", "made.dae"), ("collision", "far.STL"), ("collision", "no.obj")]
    )
    for name in ["drawn.stl", "made.dae", "far.STL"]:
        (tmp_path / name).write_bytes(MESH)
    (tmp_path / "r.urdf").write_text(URDF.replace('<link name="base"/>', f"<link name='base'>{shapes}</link>"))
    assert talus.Model.read(tmp_path / "r.urdf").files == {"far.STL": MESH}
    (tmp_path / "broken.urdf").write_text("<robot")
    assert talus.Model.read(tmp_path / "broken.urdf").files == {}


def test_a_robot_comes_with_the_scene(client: talus.Client) -> None:
    scene, report = client.create_robot_scene(
        model(name="left", stand_in="bounding_box", motors=True, joint_positions={"hinge": 0.5}, position=(0, 0, 3)),
        jointed(),
    )
    assert report.robot == "r" and report.stand_in_count == 1 and report.unsupported_count == 0
    assert [link.body for link in report.links] == ["", "left.arm"]
    assert [joint.name for joint in report.joints] == ["left.hinge"]
    scene.step(20)
    hinge = next(joint for joint in scene.joints() if joint.name == "left.hinge")
    assert hinge.rotation_rad.x == pytest.approx(0.5, abs=1e-3)  # the motor holds it
    scene.delete()


def test_a_robot_comes_into_a_scene(client: talus.Client) -> None:
    scene = client.create_scene(jointed())
    report = scene.import_model(model())
    assert report.unsupported[0].element == "link[arm].collision[0]"
    assert scene.info().joint_count == 1
    before = scene.info().state_hash
    with pytest.raises(talus.AlreadyExistsError) as taken:
        scene.import_model(model())
    assert taken.value.field == "urdf.link[arm].name"
    with pytest.raises(talus.InvalidFieldError) as strict:
        scene.import_model(model(name="other", strict=True))
    assert strict.value.field == "urdf.link[arm].collision[0]"
    with pytest.raises(ValueError, match="stand_in"):
        scene.import_model(model(stand_in="sphere"))
    assert scene.info().state_hash == before
    scene.delete()


def test_from_asyncio_too(client: talus.Client) -> None:
    async def both() -> None:
        async with aio.connect(client.address, timeout=60.0) as other:
            scene, report = await other.create_robot_scene(model(), jointed())
            assert len(report.links) == 2
            again = await scene.import_model(model(name="second"))
            assert again.links[1].body == "second.arm"
            assert (await scene.info()).body_count == 2
            await scene.delete()

    asyncio.run(both())


def test_bodies_come_with_the_joints_that_hold_them(client: talus.Client) -> None:
    scene = client.create_scene(jointed())
    ball = talus.scene.sphere(0.1, name="ball", mass=1.0)
    held = scene_pb2.JointSpec(name="pin", body_b="ball")
    for _ in range(3):
        held.axes.add(mode=scene_pb2.AXIS_MODE_LOCKED)
    with pytest.raises(talus.InvalidFieldError):
        scene.add_bodies([ball], joints=[held, scene_pb2.JointSpec(body_b="nobody")])
    assert scene.info().body_count == 0
    assert scene.add_bodies([ball], joints=[held]) == [1]
    assert scene.info().joint_count == 1
    scene.delete()
