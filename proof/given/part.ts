import type { Chance } from "./chance.ts";
import type { Stage, StageOptions } from "./stage.ts";

interface Share {
  name: string;
  /** How much of the whole time it gets; all parts together have 1. */
  share: number;
}

export type Part = HarmPart | WholePart;

/** A part with a stage, senders and a verdict of its own. */
export interface WholePart extends Share {
  prove(options: ProofOptions): Promise<Figures>;
}

export interface ProofOptions {
  seconds: number;
  /** A part that takes it goes on for longer than that where so many faults have not happened by then: a busy machine is slow. */
  leastFaults?: number;
  seed: number;
  /** How many there are, where a part has several. */
  nodes?: { servers?: number; workers?: number };
  /** Whether a part may do with less than it needs to show everything; it then says so in its note. */
  mayFallBack?: boolean;
}

/** One kind of harm, done while senders send. */
export interface HarmPart extends Share {
  /** Whether senders send large bodies too. */
  large?: boolean;
  /** What has to be there before the server starts. */
  prepare(): { options: StageOptions; tools?: unknown };
  /** Does harm until the time is over, and leaves the server running and unharmed. */
  harm(parts: HarmParts): Promise<Harm>;
}

export interface HarmParts {
  stage: Stage;
  chance: Chance;
  /** Whether the time of this part is over. */
  isOver(): boolean;
  /** What `prepare` has made. */
  tools: unknown;
}

export interface Harm {
  faults: number;
  /** How many runs the faults can have cut off. */
  mostCutOff: number;
  /** What went wrong beside what the verdict judges, a sentence each. */
  broken?: string[];
  /** Something worth telling below the table. */
  note?: string;
}

/** What a part has come to. */
export interface Figures {
  part: string;
  seconds: number;
  faults: number;
  requests: number;
  taken: number;
  duplicates: number;
  refused: number;
  runs: number;
  cutOff: number;
  /** A sentence for each thing that must not be. */
  lost: string[];
  doubled: string[];
  stuck: string[];
  broken: string[];
  note: string | undefined;
}
