// Rays into a scene, and what they hit, as typed arrays.
import { float64Column, uint32Column, uint64Column } from "./columns";
import type { CastRaysResponse } from "./gen/talus/v1/query_service";

/** What n rays hit first, in the order of the request. */
export class RayHits {
  /** From the origin to the hit, metres; infinite where nothing was hit, 0 from inside a body. */
  readonly distancesM: Float64Array;
  /** The body that was hit; 0: none. */
  readonly bodyIds: BigUint64Array;
  /** Index of the shape on that body, after containers were expanded to boxes. */
  readonly shapes: Uint32Array;
  /** 3 a ray: where, world frame, metres; 0 where nothing was hit. */
  readonly pointsWorldM: Float64Array;
  /** 3 a ray: unit normal there, world frame, out of the body; 0 where nothing was hit. */
  readonly normalsWorld: Float64Array;
  /** Index of the state that was looked at. */
  readonly stepIndex: bigint;
  /** Version of its layout. */
  readonly layoutVersion: bigint;

  constructor(response: CastRaysResponse) {
    const hits = response.hits!;
    this.distancesM = float64Column(hits.distancesM);
    this.bodyIds = uint64Column(hits.bodyIds);
    this.shapes = uint32Column(hits.shapes);
    this.pointsWorldM = float64Column(hits.pointsWorldM);
    this.normalsWorld = float64Column(hits.normalsWorld);
    this.stepIndex = response.stepIndex;
    this.layoutVersion = response.layoutVersion;
  }

  /** Rays that were cast. */
  get count(): number {
    return this.distancesM.length;
  }
}
