// Robots from URDF files: the messages that bring one into a scene.
import type { ModelImport, ModelOptions, UrdfScene } from "./gen/talus/v1/model";
import { ImportModelRequest } from "./gen/talus/v1/scene_service";
import type { PartialMessage } from "./specs";

/** A robot: the text of its URDF file, the files it names by name, and how it is to stand in a scene. */
export interface RobotModel {
  urdf: string;
  files?: Readonly<Record<string, Uint8Array>>;
  options?: PartialMessage<typeof ModelOptions>;
}

/** What CreateScene takes of a robot. */
export function robotMessage({ urdf, files = {}, options = {} }: RobotModel): PartialMessage<typeof UrdfScene> {
  return { urdf, options, files: Object.entries(files).map(([name, content]) => ({ name, content })) };
}

// With what is around it a chunk must fit the smallest limit on messages, 1 MiB.
const CHUNK_BYTES = 2 ** 19;
const URDF_FILE = "model.urdf";

/** The messages of an import into the scene of that name. */
export function* importRequests(
  scene: string,
  model: RobotModel,
  materials: PartialMessage<typeof ModelImport>["materials"] = [],
): Generator<ImportModelRequest, void, void> {
  const start = { scene, options: model.options, materials, urdfFile: URDF_FILE };
  yield ImportModelRequest.fromPartial({ model: start });
  const files = [[URDF_FILE, Buffer.from(model.urdf)] as const, ...Object.entries(model.files ?? {})];
  for (const [name, content] of files) {
    for (let at = 0; at === 0 || at < content.length; at += CHUNK_BYTES) {
      const chunk = content.subarray(at, at + CHUNK_BYTES);
      yield ImportModelRequest.fromPartial({ fileName: at === 0 ? name : "", chunk });
    }
  }
}
