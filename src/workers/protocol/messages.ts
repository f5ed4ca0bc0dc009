import type { Ticket } from "../../runs/ticket.ts";
import type { ProcessFacts } from "../worker.ts";
import { OFFERS_REQUEST_SCHEMA, type OfferState, type OffersAnswer, type OffersRequest } from "./offer.ts";

/** The version of the protocol between workers and servers. Both sides have to speak the same one. */
export const PROTOCOL = 1;

/** Where a server takes what workers send, below the prefix of the API. */
export const DOOR_PATH = "/workers/door";

/** What every request says first. */
export interface WorkerRequest {
  protocol: number;
  /** Which process of the worker it is: chosen by the process when it starts. */
  process: string;
}

/** Asks for turns, and waits for some. */
export interface ClaimRequest extends WorkerRequest {
  /** Chosen by the process, and the same when it sends a claim again whose answer it has not heard: it gets the same turns. */
  claim: string;
  facts: ProcessFacts;
  /** How many turns the process has room for. */
  free: number;
  /** For how long the server may hold the request, in milliseconds. */
  waitMs: number;
  /** The only run that the process takes. */
  run?: string;
  /** Asks which runs wait, in place of claiming any: `free` is 0 then. */
  offers?: OffersRequest;
}

export interface ClaimAnswer {
  /** For how long a turn is the worker's after each beat, in milliseconds. */
  leaseMs: number;
  isDraining: boolean;
  /** Turns to execute, each an assignment as `assignmentToWire` writes it. */
  turns: unknown[];
  /** How the only run stands that was asked for. */
  run?: OfferState;
  /** Given where offers were asked for. */
  offers?: OffersAnswer;
}

/** How a turn stands, as far as its worker knows. */
export interface KnownTurn extends Ticket {
  /** Whether the worker has heard that its end was asked for. */
  isCancelled: boolean;
  /** The `news` of the last answer; empty before the first. */
  news: string;
}

/** Says that the process is alive and which turns it has: a turn that it does not name falls back to the server. */
export interface BeatRequest extends WorkerRequest {
  facts: ProcessFacts;
  turns: KnownTurn[];
  /** Whether the process has heard that it is draining. */
  isDraining: boolean;
  /** For how long the server may hold the request while the process knows all that there is, in milliseconds. */
  waitMs: number;
  /** Whether the process ends, and takes no more turns. */
  isLeaving?: boolean;
}

/** How the turns stand that a process has named. */
export interface BeatAnswer {
  leaseMs: number;
  isDraining: boolean;
  /** Those that are still the process's. The agents of others have to end, and nothing of them counts. */
  turns: {
    id: string;
    isCancelled: boolean;
    /** Another text than before means that somebody may have said something to the run. */
    news: string;
    /**
     * Whether the server has forgotten, in a restart, what must not be shown of the turn and whether its session takes messages:
     * the worker makes these calls again.
     */
    isForgotten: boolean;
  }[];
}

/** Asks or tells something of a turn, as `TurnDoor` has it. It may be sent again when its answer was lost. */
export interface CallRequest extends WorkerRequest {
  turn: Ticket;
  call: string;
  parameters: unknown;
}

export interface CallAnswer {
  /** Left out where the call answers nothing. */
  result?: unknown;
}

const text = { type: "string", maxLength: 200 };
const count = { type: "integer", minimum: 0, maximum: 10_000 };
const wait = { type: "integer", minimum: 0, maximum: 60_000 };
const request = { protocol: { type: "integer" }, process: text };
const facts = {
  type: "object",
  required: ["labels", "version", "platform", "shape", "sandbox", "concurrency", "executing"],
  properties: {
    labels: { type: "array", items: text, maxItems: 100 },
    version: text,
    platform: {
      type: ["object", "null"],
      required: ["os", "arch"],
      properties: { os: text, arch: text },
    },
    shape: {
      type: ["object", "null"],
      required: ["vcpus", "memoryGb"],
      properties: { vcpus: { type: "number" }, memoryGb: { type: "number" } },
    },
    sandbox: { type: ["string", "null"], maxLength: 200 },
    dataFolder: text,
    limitsNetwork: { type: "boolean" },
    concurrency: count,
    executing: count,
  },
};
const ticketProperties = { id: text, ticket: { type: "integer", minimum: 0 } };
const ticket = {
  type: "object",
  required: ["id", "ticket"],
  additionalProperties: false,
  properties: ticketProperties,
};

/** The forms of the requests, as JSON schemas. Keys that this version does not know are let through. */
export const REQUEST_SCHEMAS = {
  claim: {
    type: "object",
    required: ["protocol", "process", "claim", "facts", "free", "waitMs"],
    properties: {
      ...request,
      claim: text,
      facts,
      free: count,
      waitMs: wait,
      run: text,
      offers: OFFERS_REQUEST_SCHEMA,
    },
  },
  beat: {
    type: "object",
    required: ["protocol", "process", "facts", "turns", "isDraining", "waitMs"],
    properties: {
      ...request,
      facts,
      turns: {
        type: "array",
        maxItems: 2_000,
        items: {
          type: "object",
          required: ["id", "ticket", "isCancelled", "news"],
          properties: { ...ticketProperties, isCancelled: { type: "boolean" }, news: text },
        },
      },
      isDraining: { type: "boolean" },
      waitMs: wait,
      isLeaving: { type: "boolean" },
    },
  },
  call: {
    type: "object",
    required: ["protocol", "process", "turn", "call"],
    properties: { ...request, turn: ticket, call: text, parameters: { type: "object" } },
  },
};
