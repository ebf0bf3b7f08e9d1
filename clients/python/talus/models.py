"""Robots from URDF files: what is sent of them, and what became of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Union
from xml.etree import ElementTree

from talus import methods
from talus.calls import Call
from talus.choices import choose
from talus.geometry import quaternion, vector
from talus.scene import SpecSource, load
from talus.v1 import model_pb2, scene_pb2, scene_service_pb2

ModelReport = model_pb2.ModelReport

BASES = {
    "by_name": model_pb2.MODEL_BASE_UNSPECIFIED,
    "free": model_pb2.MODEL_BASE_FREE,
    "fixed": model_pb2.MODEL_BASE_FIXED,
}
STAND_INS = {
    "none": model_pb2.SHAPE_STAND_IN_UNSPECIFIED,
    "bounding_box": model_pb2.SHAPE_STAND_IN_BOUNDING_BOX,
}

URDF_FILE = "model.urdf"  # what a model's text is called on its way
_CHUNK_BYTES = 1 << 19
_KNOWN_MESHES = (".stl", ".obj")
_PARENTS = 4  # folders above the URDF file in which what it names is looked for


@dataclass(frozen=True)
class Model:
    """A robot: the text of its URDF file, the files it names, and how it is to stand in a scene.

    name: prefix of its bodies and joints [none]; position (metres) and orientation (w, x, y, z) of the root link in the
    world; base: "by_name" (fixed where the root link is called world), "free" or "fixed"; stand_in: what stands for
    cylinders and meshes, "none" or "bounding_box"; material: name of that of every shape; motors: each moving joint gets
    one that holds it at rest; strict: what is unsupported is an error; joint_positions: where joints start, rad or m.
    """

    urdf: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    name: str = ""
    position: Optional[Sequence[float]] = None
    orientation: Optional[Sequence[float]] = None
    base: str = "by_name"
    stand_in: str = "none"
    material: str = ""
    motors: bool = False
    strict: bool = False
    joint_positions: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"], **options: Any) -> "Model":
        """The model in a URDF file, with the meshes of its collision shapes that are found beside it or below the folders
        above; `options` as of the class."""
        text = Path(path).read_text(encoding="utf-8")
        options.setdefault("files", find_files(text, Path(path).resolve().parent))
        return cls(text, **options)

    def options(self) -> model_pb2.ModelOptions:
        """The options as a message. ValueError: a name that is none."""
        message = model_pb2.ModelOptions(
            name=self.name,
            base=choose("base", self.base, BASES),
            stand_in=choose("stand_in", self.stand_in, STAND_INS),
            material=self.material,
            motors=self.motors,
            strict=self.strict,
        )
        if self.position is not None:
            message.position_world_m.CopyFrom(vector(self.position))
        if self.orientation is not None:
            message.orientation_world.CopyFrom(quaternion(self.orientation))
        for joint, position in self.joint_positions.items():
            message.joint_positions.add(joint=joint, position=position)
        return message


def find_files(urdf: str, folder: Path) -> dict[str, bytes]:
    """The meshes that a URDF text has for collision shapes, by the names it has for them, as far as the server can read
    them (STL, OBJ) and they are in `folder` or the folders above it: `package://arm/meshes/hand.stl` is looked for as
    arm/meshes/hand.stl, meshes/hand.stl and hand.stl. None of a text that is no XML: the server says what is wrong."""
    found: dict[str, bytes] = {}
    for uri in _list_meshes(urdf):
        parts = Path(uri.split("://", 1)[-1]).parts
        for above in (folder, *folder.parents[:_PARENTS]):
            tails = (above.joinpath(*parts[skip:]) for skip in range(len(parts)))
            file = next((tail for tail in tails if tail.is_file()), None)
            if file is not None:
                found[uri] = file.read_bytes()
                break
    return found


def _list_meshes(urdf: str) -> list[str]:
    """Each once, in the order of the text."""
    try:
        robot = ElementTree.fromstring(urdf)
    except ElementTree.ParseError:
        return []
    names = [mesh.get("filename", "") for mesh in robot.iterfind(".//collision/geometry/mesh")]
    return [name for name in dict.fromkeys(names) if name.lower().endswith(_KNOWN_MESHES)]


def import_model(scene: str, model: Model, materials: Iterable[scene_pb2.NamedMaterial]) -> Call[ModelReport]:
    """ImportModel, in chunks that fit the smallest limit on messages, 1 MiB, with what is around them."""
    message = scene_service_pb2.ImportModelRequest
    start = model_pb2.ModelImport(scene=scene, options=model.options(), materials=materials, urdf_file=URDF_FILE)

    def requests() -> Iterator[scene_service_pb2.ImportModelRequest]:
        yield message(model=start)
        for name, content in [(URDF_FILE, model.urdf.encode()), *model.files.items()]:
            for at in range(0, max(len(content), 1), _CHUNK_BYTES):
                yield message(file_name=name if at == 0 else "", chunk=content[at : at + _CHUNK_BYTES])

    def decode(response: scene_service_pb2.ImportModelResponse) -> ModelReport:
        return response.model

    return Call(methods.IMPORT_MODEL, requests(), decode)


def create_scene(
    model: Model, around: Optional[SpecSource], name: str, request_id: str
) -> Call[tuple[str, ModelReport]]:
    """CreateScene from a model, `around` it all else; answers the scene's name and what became of the model."""
    request = scene_service_pb2.CreateSceneRequest(scene_id=name, request_id=request_id)
    request.urdf.urdf = model.urdf
    request.urdf.options.CopyFrom(model.options())
    for file, content in model.files.items():
        request.urdf.files.add(name=file, content=content)
    if around is not None:
        request.urdf.scene.CopyFrom(load(around))

    def decode(response: scene_service_pb2.CreateSceneResponse) -> tuple[str, ModelReport]:
        return str(response.scene.scene), response.model

    return Call(methods.CREATE_SCENE, request, decode)
