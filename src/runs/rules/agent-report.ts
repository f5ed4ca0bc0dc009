import { MillraceError } from "../../errors/error.ts";
import type { Run } from "../run.ts";
import { MAX_SAID } from "./conversation.ts";
import type { TurnAnswer } from "./output-answer.ts";

/** How much a question matters to the one who asks it. */
export const URGENCIES = ["low", "normal", "high"] as const;
export type Urgency = (typeof URGENCIES)[number];

/** What an agent says of its question beside the text. */
export interface QuestionDetails {
  /** Answers to choose from. */
  choices?: string[];
  urgency?: Urgency;
}

/** The question of a blocked run. */
export interface Question extends Required<QuestionDetails> {
  text: string;
  askedAt: string;
}

/** A run that waits for a person, without all that is read of one that is shown. */
export interface BlockedRun {
  id: string;
  factoryUid: string | null;
  title: string;
  /** When it has asked; of a run without a question, when it was updated. */
  since: string;
  /** What stands in its status, where it has no question. */
  message: string | null;
}

/** What an agent reports as often as it likes, and how often a run may: a loop must not fill the store. */
export const MAX_REPORTS = { question: 1_000, answer: 1_000, status: 1_000, note: 1_000 } as const;
export type ReportKind = keyof typeof MAX_REPORTS;

/** Why a report was not kept: the turn is over, the run has made too many of the kind, or has said too much. */
export type ReportRefusal = "not running" | "too many" | "full";
export type ReportOutcome = "kept" | ReportRefusal;

/** Of an answer, in characters. */
export const MAX_ANSWER = 64 * 1024;

/** Of the page of a family, in characters. The beginning of a longer one is dropped. */
export const MAX_NOTE = 64 * 1024;

/** The page that the runs of a family share. */
export interface FamilyNote {
  text: string;
  /** Rises with each change; the first text is 1. */
  version: number;
  updatedAt: string;
  /** Who wrote it last. */
  runId: string;
  agent: string;
}

export interface NoteChange {
  text: string;
  /** Whether the text goes to the end of the page, on a line of its own. */
  isAppended: boolean;
  /** The versions of which the page has to have one; 0 is a page without a text. Any, when nothing is given. */
  expected: readonly number[] | undefined;
  agent: string;
}

/** Keeps what agents report while they work, beside artifacts. */
export interface AgentReportStore {
  /** The agent asks a person, unless its turn is over, or it has said too much already. */
  block(
    turn: RunTurn,
    message: string,
    at: string,
    details?: QuestionDetails,
  ): Promise<"blocked" | ReportRefusal>;
  /**
   * Keeps the answer of a turn. What the harness takes for the answer does not replace it; a file with the answer does.
   * @param json the same as JSON that fits the schema of the run
   */
  reportAnswer(turn: RunTurn, text: string, at: string, json?: string): Promise<ReportOutcome>;
  /** The answer of a turn so far. */
  findTurnAnswer(turn: RunTurn): Promise<TurnAnswer>;
  /** Keeps what an agent says that it is doing. */
  reportStatus(turn: RunTurn, text: string, at: string): Promise<ReportOutcome>;
  /** The last question of each of these runs that has asked one. */
  listQuestions(runIds: readonly string[]): Promise<Record<string, Question>>;
  /**
   * The blocked runs that were created last.
   * @param within uids of the only factories whose runs are wanted; null for all runs
   */
  listBlocked(within: readonly string[] | null, limit: number): Promise<BlockedRun[]>;
  findNote(run: FamilyMember): Promise<FamilyNote | undefined>;
  /** Changes the page of the run's family. @returns "changed" when it has none of the expected versions */
  writeNote(
    run: FamilyMember & RunTurn,
    change: NoteChange,
    at: string,
  ): Promise<FamilyNote | "changed" | "not running" | "too many">;
}

/** The turn that an agent works in. What it has sent in one turn does nothing in the next. */
export type RunTurn = Pick<Run, "id" | "turn">;

/** A run with its place in a family. */
export type FamilyMember = Pick<Run, "id" | "ancestors" | "factoryUid">;

/** The run with which the family of a run began. */
export const familyOf = ({ id, ancestors }: Pick<Run, "id" | "ancestors">): string => ancestors[0] ?? id;

/** What the page of a family holds after a change. */
export function changedNote(
  before: string,
  { text, isAppended }: Pick<NoteChange, "text" | "isAppended">,
): string {
  const separator = before === "" || before.endsWith("\n") ? "" : "\n";
  const whole = isAppended ? `${before}${separator}${text}` : text;
  // The second half of a character that is cut in two goes too.
  return whole.length > MAX_NOTE ? whole.slice(-MAX_NOTE).replace(/^[\uDC00-\uDFFF]/, "") : whole;
}

/** Why what an agent reports is not taken. */
export function refusedReport(run: Run, kind: ReportKind, refusal: ReportRefusal): MillraceError {
  switch (refusal) {
    case "not running":
      return notRunning(run);
    case "too many":
      return new MillraceError(
        "invalid_request",
        `Run ${run.id} has made ${MAX_REPORTS[kind]} ${NAMES[kind]}, which is the limit.`,
        { remedy: REMEDIES[kind] },
      );
    case "full":
      return new MillraceError(
        "payload_too_large",
        `Run ${run.id} has stored ${MAX_SAID} characters of questions and answers, which is the limit.`,
        { remedy: "Write long texts to files in artifacts/, or create another run." },
      );
  }
}

const NAMES: Record<ReportKind, string> = {
  question: "different questions",
  answer: "reports of its answer",
  status: "reports of its status",
  note: "changes to the note",
};

const REMEDIES: Record<ReportKind, string> = {
  question: "Decide with what you know, and say in your answer what remains open.",
  answer: "Write the answer to artifacts/answer.md: its text is used when the turn ends.",
  status: "Continue without a status line.",
  note: "Write to files in artifacts/ instead.",
};

/** The turn of the agent that calls is over, or was never begun by who calls. */
export function notRunning({ id }: Pick<Run, "id">): MillraceError {
  return new MillraceError("conflict", `Run ${id} is not running: its turn has ended.`, {
    remedy: "End the program. A message to the run begins its next turn, in which its agent can do this.",
    retryable: false,
  });
}
