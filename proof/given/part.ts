import type { Chance } from "./chance.ts";
import type { Stage, StageOptions } from "./stage.ts";

/** One kind of harm, done while senders send. */
export interface Part {
  name: string;
  /** How much of the whole time it gets; all parts together have 1. */
  share: number;
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
