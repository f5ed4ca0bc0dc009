import type { SkillText } from "../agents/skills.ts";
import type { EventSize, OutputChunk } from "../output/transcript.ts";
import type { ToldUsage, TurnResources, TurnUsage, UsageSource } from "../output/usage.ts";
import type { Artifact, ArtifactLimit, KeptFile } from "../rules/artifact.ts";
import type { FollowUp } from "../rules/follow-up.ts";
import type { Attachment, Ending, TurnReport } from "../run.ts";
import type { Reaches } from "./reaches.ts";
import type { TurnStart } from "./turn-start.ts";

/**
 * What an executor asks the server about a turn that it has claimed, and tells it. An executor knows the server by this alone,
 * wherever it is. Each call can be made again when nobody knows whether its answer was lost.
 */
export interface TurnDoor {
  /** Says which values must not be shown in what the agent reports until the turn ends. */
  hide(values: readonly string[]): Promise<void>;
  /** Records that the agent is about to start. @returns whether the claim still held, and the run was not cancelled */
  start(start: Omit<TurnStart, "id" | "ticket">): Promise<boolean>;
  /** Ends the turn. */
  finish(ending: Ending): Promise<void>;

  listAttachments(): Promise<Attachment[]>;
  findAttachment(name: string): Promise<(Attachment & { content: Uint8Array }) | undefined>;
  /** The skills that the definition has for the agent, and those that the run names. The first of these is a part of its prompt. */
  findSkills(signal: AbortSignal): Promise<{ defined: SkillText[]; asked: SkillText[] }>;
  /** The messages that the turn begins with. */
  listMessages(): Promise<FollowUp[]>;
  /** What was said in earlier turns, as text for an agent that starts in a new workspace. */
  findConversation(): Promise<string>;

  append(chunks: readonly OutputChunk[]): Promise<void>;
  /** What is kept of the events that the program wrote in earlier turns. */
  findEventSize(): Promise<EventSize>;
  keepReport(report: TurnReport): Promise<void>;
  /** Records all that the programs of the turn have reached over the network so far. */
  keepReaches(reaches: Reaches): Promise<void>;
  /**
   * Says all that models were used for in the turn so far. Of what the program tells and what was measured on the way, the larger one
   * counts.
   * @param source the program without it
   * @returns why the turn has to end, where it is over its budget
   */
  keepUsage(usage: readonly ToldUsage[], source?: UsageSource): Promise<{ overBudget?: string }>;
  /** Says what the agent has taken of its machine, when it has ended. */
  keepResources(resources: TurnResources): Promise<void>;
  /** What models were used for in the run, turn by turn. */
  listUsage(): Promise<TurnUsage[]>;
  /** Lists a file that the agent has left, and whose bytes have been kept. @returns what keeps it out */
  addFile(file: KeptFile): Promise<ArtifactLimit | "unfit path" | undefined>;
  listArtifacts(): Promise<Artifact[]>;
  /** Asks a person about the plan that the agent has left. */
  proposePlan(plan: {
    file?: string | undefined;
    output?: string;
  }): Promise<"proposed" | "no plan" | "not asked">;

  session: SessionDoor;
}

/** What is said between a session that takes messages and the rest of the world. */
export interface SessionDoor {
  /** Says that the session takes messages from now on, and for how long it waits for one, in milliseconds. */
  open(idleMs: number | undefined): Promise<void>;
  close(): Promise<void>;
  /** Messages that no agent has been given yet. */
  listUngiven(): Promise<FollowUp[]>;
  /** Notes that the agent may be given a message from now on. */
  offer(id: string): Promise<void>;
  /** Notes that messages were written to the session. */
  give(ids: readonly string[]): Promise<void>;
  /** Notes that the agent has written something after a message. */
  confirm(id: string): Promise<void>;
  /** Notes that the agent has nothing to do until somebody says more. */
  keepRest(): Promise<void>;
  /** Whether the run waits for other runs, for which the session need not be open. */
  findIsWaiting(): Promise<boolean>;
  /**
   * Gives the question that is open in the session its answer, which is the message of this id.
   * @returns whether it has gone out; nothing where none is open
   */
  reply(id: string, text: string): Promise<boolean | undefined>;
}

/** An agent that writes without end must fill neither the disk nor the reader: a turn ends when it has written more. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The events of a run beside its text; once they come to more, only the text goes on. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;
