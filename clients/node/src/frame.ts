// A moment of a scene as a caller sees it: numbers as typed arrays over the message that brought them. Rows follow the
// layout of the same layoutVersion. A column that was not asked for has length 0.
import { float64Column, uint32Column } from "./columns";
import type { BodyColumns, ContactColumns, Frame as FrameMessage, Layout, StepReport } from "./gen/talus/v1/frame";

/** Poses and velocities of the bodies, by row. SI units, world frame. */
export class Bodies {
  /** 3 a body: centre of mass, metres. */
  readonly positionsWorldM: Float64Array;
  /** 4 a body: unit quaternion w, x, y, z, world <- body. */
  readonly orientationsWxyz: Float64Array;
  /** 3 a body: velocity of the centre of mass, m/s. */
  readonly linearVelocitiesWorldMS: Float64Array;
  /** 3 a body: angular velocity, rad/s. */
  readonly angularVelocitiesWorldRadS: Float64Array;

  constructor(columns: BodyColumns) {
    this.positionsWorldM = float64Column(columns.positionsWorldM);
    this.orientationsWxyz = float64Column(columns.orientationsWxyz);
    this.linearVelocitiesWorldMS = float64Column(columns.linearVelocitiesWorldMS);
    this.angularVelocitiesWorldRadS = float64Column(columns.angularVelocitiesWorldRadS);
  }

  /** Bodies in the columns that are there. */
  get count(): number {
    return Math.max(
      this.positionsWorldM.length / 3,
      this.orientationsWxyz.length / 4,
      this.linearVelocitiesWorldMS.length / 3,
    );
  }
}

/**
 * The contacts of the last step. The wrench is what body b receives; body a receives its opposite. World frame unless
 * said otherwise; force = impulse / time step.
 */
export class Contacts {
  /** Row of body a. */
  readonly bodyARows: Uint32Array;
  /** Row of body b. */
  readonly bodyBRows: Uint32Array;
  /** Index of the shape on body a, after containers were expanded to boxes. */
  readonly shapeA: Uint32Array;
  /** Index of the shape on body b. */
  readonly shapeB: Uint32Array;
  /** Persistent key of the contact within its shape pair. */
  readonly features: Uint32Array;
  /** Sets of ContactMode bits. */
  readonly modes: Uint32Array;
  /** 3 a contact: contact point, metres. */
  readonly pointsWorldM: Float64Array;
  /** 3 a contact: unit normal from a to b. */
  readonly normalsWorld: Float64Array;
  /** Gap at the start of the step, metres; negative when the bodies overlap. */
  readonly gapsM: Float64Array;
  /** 3 a contact: force on b, N. */
  readonly forcesWorldN: Float64Array;
  /** 3 a contact: torque on b about the contact point, N m. */
  readonly torquesWorldNM: Float64Array;
  /** 6 a contact: the wrench in the contact frame: normal N, two tangential N, spin N m, two rolling N m. */
  readonly wrenchesContact: Float64Array;

  constructor(columns: ContactColumns) {
    this.bodyARows = uint32Column(columns.bodyARows);
    this.bodyBRows = uint32Column(columns.bodyBRows);
    this.shapeA = uint32Column(columns.shapeA);
    this.shapeB = uint32Column(columns.shapeB);
    this.features = uint32Column(columns.features);
    this.modes = uint32Column(columns.modes);
    this.pointsWorldM = float64Column(columns.pointsWorldM);
    this.normalsWorld = float64Column(columns.normalsWorld);
    this.gapsM = float64Column(columns.gapsM);
    this.forcesWorldN = float64Column(columns.forcesWorldN);
    this.torquesWorldNM = float64Column(columns.torquesWorldNM);
    this.wrenchesContact = float64Column(columns.wrenchesContact);
  }

  /** Contacts in the columns. */
  get count(): number {
    return this.bodyARows.length;
  }
}

/** What a contact does: bits of Contacts.modes. None set: open, it carries no force. */
export const ContactMode = { CLOSED: 1, SLIDING: 2, ROLLING: 4, SPINNING: 8 } as const;

/** A moment of a scene. Parts that were not asked for are undefined. */
export class Frame {
  /** Index of the state, 0 before the first step. */
  readonly stepIndex: bigint;
  /** Simulated time in seconds. */
  readonly timeS: number;
  /** Layout the rows follow. */
  readonly layoutVersion: bigint;
  /** Hash of the whole state. */
  readonly stateHash: bigint;
  /** Poses and velocities. */
  readonly bodies: Bodies | undefined;
  /** Contacts of the step that led here. */
  readonly contacts: Contacts | undefined;
  /** Report of the step that led here. */
  readonly report: StepReport | undefined;
  /** What the rows mean, when asked for or when the receiver cannot know it yet. */
  readonly layout: Layout | undefined;

  constructor(message: FrameMessage) {
    this.stepIndex = message.stepIndex;
    this.timeS = message.timeS;
    this.layoutVersion = message.layoutVersion;
    this.stateHash = message.stateHash;
    this.bodies = message.bodies && new Bodies(message.bodies);
    this.contacts = message.contacts && new Contacts(message.contacts);
    this.report = message.report;
    this.layout = message.layout;
  }
}
