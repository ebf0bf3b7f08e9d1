"""Pages of lists: what is in a scene, bodies and joints by id, as the specs that made them; named scenes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

from talus import methods
from talus.calls import Call
from talus.v1 import named_scene_pb2, scene_pb2, scene_service_pb2

PAGE_SIZE = 1000

BodyPage = scene_service_pb2.ListBodiesResponse
JointPage = scene_service_pb2.ListJointsResponse
NamedSceneInfo = named_scene_pb2.NamedSceneInfo
NamedScenePage = tuple[list[NamedSceneInfo], str]


@dataclass
class BodyList:
    """The bodies of a scene by id, each as add_bodies() takes it, and the materials that their shapes name."""

    specs: dict[int, scene_pb2.BodySpec] = field(default_factory=dict)
    materials: dict[str, scene_pb2.NamedMaterial] = field(default_factory=dict)
    # Step index and layout version of each page. They differ where the scene moved in between.
    moments: list[tuple[int, int]] = field(default_factory=list)

    def take(self, page: BodyPage) -> str:
        """Adds a page; the token of the next, empty at the end."""
        self.specs.update((int(body.body_id), body.spec) for body in page.bodies)
        self.materials.update((material.name, material) for material in page.materials)
        self.moments.append((int(page.step_index), int(page.layout_version)))
        return str(page.next_page_token)


@dataclass
class JointList:
    """The joints of a scene by id, each as add_joints() takes it."""

    specs: dict[int, scene_pb2.JointSpec] = field(default_factory=dict)
    # As of BodyList.
    moments: list[tuple[int, int]] = field(default_factory=list)

    def take(self, page: JointPage) -> str:
        """Adds a page; the token of the next, empty at the end."""
        self.specs.update((int(joint.joint_id), joint.spec) for joint in page.joints)
        self.moments.append((int(page.step_index), int(page.layout_version)))
        return str(page.next_page_token)


def list_bodies(scene: str, page_token: str, page_size: int) -> Call[BodyPage]:
    """ListBodies."""
    request = scene_service_pb2.ListBodiesRequest(scene=scene, page_token=page_token, page_size=page_size)
    page: Callable[[BodyPage], BodyPage] = lambda response: response
    return Call(methods.LIST_BODIES, request, page)


def list_joints(scene: str, page_token: str, page_size: int) -> Call[JointPage]:
    """ListJoints."""
    request = scene_service_pb2.ListJointsRequest(scene=scene, page_token=page_token, page_size=page_size)
    page: Callable[[JointPage], JointPage] = lambda response: response
    return Call(methods.LIST_JOINTS, request, page)


def list_named_scenes(page_token: str, page_size: int) -> Call[NamedScenePage]:
    """ListNamedScenes; answers the page and the token of the next, empty at the end."""
    request = named_scene_pb2.ListNamedScenesRequest(page_token=page_token, page_size=page_size)

    def page(response: named_scene_pb2.ListNamedScenesResponse) -> NamedScenePage:
        return list(response.scenes), str(response.next_page_token)

    return Call(methods.LIST_NAMED_SCENES, request, page)
