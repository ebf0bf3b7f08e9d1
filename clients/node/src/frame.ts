// A moment of a scene as a caller sees it: numbers as typed arrays over the message that brought them. Rows follow the
// layout of the same layoutVersion, or, where bodies were selected, `rows`. A column that was not asked for has length 0.
// What was sent as floats or quantised becomes doubles, which copies.
import { float64Column, uint32Column, widenedColumn } from "./columns";
import type {
  BodyColumns,
  ContactColumns,
  FloatBodyColumns,
  FloatContactColumns,
  Frame as FrameMessage,
  Layout,
  StepReport,
} from "./gen/talus/v1/frame";
import { type Poses, QuantizedDecoder } from "./quantized";

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

  /** `column` makes doubles of the columns' bytes; `poses` take the place of the columns. */
  constructor(columns: BodyColumns | FloatBodyColumns | undefined, column = float64Column, poses?: Poses) {
    const none = new Uint8Array(0);
    this.positionsWorldM = poses?.positionsWorldM ?? column(columns?.positionsWorldM ?? none);
    this.orientationsWxyz = poses?.orientationsWxyz ?? column(columns?.orientationsWxyz ?? none);
    this.linearVelocitiesWorldMS = column(columns?.linearVelocitiesWorldMS ?? none);
    this.angularVelocitiesWorldRadS = column(columns?.angularVelocitiesWorldRadS ?? none);
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

  /** `column` makes doubles of the columns' bytes. */
  constructor(columns: ContactColumns | FloatContactColumns, column = float64Column) {
    this.bodyARows = uint32Column(columns.bodyARows);
    this.bodyBRows = uint32Column(columns.bodyBRows);
    this.shapeA = uint32Column(columns.shapeA);
    this.shapeB = uint32Column(columns.shapeB);
    this.features = uint32Column(columns.features);
    this.modes = uint32Column(columns.modes);
    this.pointsWorldM = column(columns.pointsWorldM);
    this.normalsWorld = column(columns.normalsWorld);
    this.gapsM = column(columns.gapsM);
    this.forcesWorldN = column(columns.forcesWorldN);
    this.torquesWorldNM = column(columns.torquesWorldNM);
    this.wrenchesContact = column(columns.wrenchesContact);
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
  /** The layout's row of each body here, when bodies were selected; otherwise they are the same. */
  readonly rows: Uint32Array | undefined;

  /** Without a decoder, of the profile QUANTIZED only key frames can be read. */
  constructor(message: FrameMessage, decoder = new QuantizedDecoder()) {
    this.stepIndex = message.stepIndex;
    this.timeS = message.timeS;
    this.layoutVersion = message.layoutVersion;
    this.stateHash = message.stateHash;
    if (message.quantizedBodies) {
      this.bodies = new Bodies(message.floatBodies, widenedColumn, decoder.decode(message.quantizedBodies));
    } else if (message.floatBodies) {
      this.bodies = new Bodies(message.floatBodies, widenedColumn);
    } else {
      this.bodies = message.bodies && new Bodies(message.bodies);
    }
    this.contacts = message.floatContacts
      ? new Contacts(message.floatContacts, widenedColumn)
      : message.contacts && new Contacts(message.contacts);
    this.rows = message.selectedRows && uint32Column(message.selectedRows.rows);
    this.report = message.report;
    this.layout = message.layout;
  }
}
