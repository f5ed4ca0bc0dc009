/** A waiting run of which a worker is told, without having claimed it. */
export interface Offer {
  id: string;
  /** The turn that it waits for; the first is 1. */
  turn: number;
  /** The name of its factory; null for a run that belongs to none. */
  factory: string | null;
  /** What it names: a worker, a pool, or labels; empty for one that any worker executes. */
  workerHost: string;
  /** What its runner asks of the machine. */
  platform: { os?: string; arch?: string } | null;
  shape: { vcpus: number; memoryGb: number } | null;
  image: string | null;
  /** Since when it waits. */
  waitingSince: string;
}

/** waiting: no worker has it. executing: a worker has it. over: the turn has ended, or was cancelled. */
export const OFFER_STATES = ["waiting", "executing", "over"] as const;

export type OfferState = (typeof OFFER_STATES)[number];

/** An offer that a process has taken up: it has made, or makes, a machine for the run. */
export interface KnownOffer {
  id: string;
  turn: number;
  /** What the process has heard last. */
  state: OfferState;
  /** Why the run has not been claimed yet, as the process knows it. */
  reason?: string;
  /** The process does nothing more for the run: others may. */
  isGivenUp?: boolean;
}

/** Part of a claim that claims nothing: the process starts runs elsewhere, and asks which ones. */
export interface OffersRequest {
  /** How many offers it takes up beyond those that it has. */
  free: number;
  known: KnownOffer[];
  /** Whether the process has heard that it is draining. */
  isDraining: boolean;
}

export interface OffersAnswer {
  /** Those that the process does not know. For the length of a lease nobody else is offered them. */
  offers: Offer[];
  /** How those stand that it knows. */
  known: { id: string; turn: number; state: OfferState }[];
}

const MAX_KNOWN = 10_000;
const id = { type: "string", maxLength: 200 };
const turn = { type: "integer", minimum: 1 };
const state = { enum: OFFER_STATES };

export const OFFERS_REQUEST_SCHEMA = {
  type: "object",
  required: ["free", "known", "isDraining"],
  properties: {
    free: { type: "integer", minimum: 0, maximum: MAX_KNOWN },
    known: {
      type: "array",
      maxItems: MAX_KNOWN,
      items: {
        type: "object",
        required: ["id", "turn", "state"],
        properties: {
          id,
          turn,
          state,
          reason: { type: "string", maxLength: 1_000 },
          isGivenUp: { type: "boolean" },
        },
      },
    },
    isDraining: { type: "boolean" },
  },
};

const nullable = (schema: object) => ({ anyOf: [{ type: "null" }, schema] });
const word = { type: "string", pattern: "^[A-Za-z0-9._+-]{1,64}$" };
const uuid = { type: "string", format: "uuid" };
/** Text of one line: it is given to a program on the worker's machine. */
const line = (maxLength: number) => ({ type: "string", maxLength, pattern: "^[^\\u0000-\\u001f\\u007f]*$" });

/** What a worker takes from a server: a program of the operator reads it. */
export const OFFERS_ANSWER_SCHEMA = {
  type: "object",
  required: ["offers", "known"],
  properties: {
    offers: {
      type: "array",
      maxItems: MAX_KNOWN,
      items: {
        type: "object",
        required: ["id", "turn", "factory", "workerHost", "platform", "shape", "image", "waitingSince"],
        properties: {
          id: uuid,
          turn,
          factory: nullable(line(200)),
          workerHost: line(2_200),
          platform: nullable({ type: "object", properties: { os: word, arch: word } }),
          shape: nullable({
            type: "object",
            required: ["vcpus", "memoryGb"],
            properties: {
              vcpus: { type: "number", exclusiveMinimum: 0 },
              memoryGb: { type: "number", exclusiveMinimum: 0 },
            },
          }),
          image: nullable(line(1_000)),
          waitingSince: line(40),
        },
      },
    },
    known: {
      type: "array",
      maxItems: MAX_KNOWN,
      items: { type: "object", required: ["id", "turn", "state"], properties: { id, turn, state } },
    },
  },
};
