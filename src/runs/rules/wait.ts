import { pluralize } from "../../pluralize.ts";
import type { Run } from "../run.ts";
import { type Artifact, type ArtifactData, artifactText } from "./artifact.ts";
import { agentName } from "./conversation.ts";
import { hasEnded, type RunState } from "./state.ts";

/** Whether a wait is over when all of its runs have ended, or when one of them has. */
export const WAIT_MODES = ["all", "any"] as const;
export type WaitMode = (typeof WAIT_MODES)[number];

/** How many runs a run can wait for at the same time. */
export const MAX_WAITED = 50;
/** How many waits a run can have at the same time. */
export const MAX_WAITS = 20;
/** A wait opens turns without a person, so an agent that waits again and again must not use workers without a limit. */
export const MAX_WAITING_TURN = 1_000;

/** A wait as the agent of a run asks for it. */
export interface NewWait {
  runId: string;
  /** The turn whose agent asks for it. */
  turn: number;
  /** Descendants of the run; without them its own children that have not ended, or whose results it was not given. */
  targets?: readonly string[];
  mode: WaitMode;
  /** When the next turn begins whether they have ended or not. */
  until: string;
}

/** How a wait stands: its runs have ended as its mode asks, or not yet, or not in time. */
export type WaitState = "done" | "waiting" | "timed_out";

/** A run that is waited for. One that was deleted has an id only. */
export interface WaitedRun {
  id: string;
  run?: Run;
  artifacts: readonly Artifact[];
}

/** A wait that was recorded for a turn of a run, with the ids of its runs. */
export interface Wait {
  id: string;
  runId: string;
  turn: number;
  mode: WaitMode;
  until: string;
  targets: readonly string[];
}

/**
 * The wait and how it stands, or why there is none: the run has no agent, it is no ancestor of these runs, it has started
 * none, it would have too many waits or wait for too many runs, or it has done so too often.
 */
export type WaitOutcome =
  | { wait: Wait; state: WaitState }
  | { refused: "not running" | "no children" | "too many" | "too many waits" | "too often" }
  | { refused: "not below"; ids: readonly string[] };

/** Stores what runs wait for. The end of a run ends the waits for it in the same transaction. */
export interface WaitStore {
  /**
   * Records that a run waits. It replaces an earlier wait of the run for the same runs, because the client has sent it
   * again, and leaves all others. Also a wait that is over at once is recorded until its results were sent.
   */
  wait(wait: NewWait, at: string): Promise<WaitOutcome>;
  /** How a wait stands while the agent of its turn is alive, whatever other waits the run has; nothing after that. */
  findWaitState(wait: Wait, at: string): Promise<WaitState | undefined>;
  /** Whether the run has a wait in a turn whose agent is alive. */
  findIsWaiting(runId: string, turn: number): Promise<boolean>;
  /** Removes a wait because its results were sent to the agent, if that is alive. @param results as they were sent */
  takeWait(wait: Wait, results: readonly WaitedRun[], at: string): Promise<void>;
  /** Runs in the order of the ids, with what they have reported. */
  listWaited(ids: readonly string[]): Promise<WaitedRun[]>;
  /** Begins the next turns of at most so many runs that have reached the time limit of a wait. @returns how many */
  endOverdueWaits(at: string, limit: number): Promise<number>;
  /** How many runs have no agent, because they wait for other runs. */
  findRestingCount(): Promise<number>;
  /** The first time limit of a wait. It cannot end the wait while an agent is alive or a person is asked. */
  findNextWaitEnd(): Promise<string | undefined>;
}

/** How a wait stands, by how many of its runs have not ended. */
export function waitStateOf(
  { mode, until, targets }: Pick<Wait, "mode" | "until" | "targets">,
  open: number,
  at: string,
): WaitState {
  const isDone = mode === "all" ? open === 0 : open < targets.length || targets.length === 0;
  if (isDone) return "done";
  return until <= at ? "timed_out" : "waiting";
}

/** Why a wait is over. */
export type WaitEnd = "done" | "timed_out" | "message" | "answer";

/** Of all results together, in characters: what a model can read in one message. The runs share it. */
const MAX_RESULTS = 80_000;
/** Of the result of one run, in characters. */
const MAX_RESULT = 20_000;
/** How many artifacts of a run are listed. */
const MAX_LINES = 20;
const MAX_LINE = 500;

type ListedData = Parameters<typeof artifactText>[0] & Partial<Pick<ArtifactData, "artifact_uid">>;

/** What a run has achieved, as the run that waits for it reads it. */
interface RunResult {
  id: string;
  /** Nothing for a run that was deleted. */
  run?: {
    agent: string;
    title: string;
    state: RunState;
    status: string | null;
    answer: string | null;
    artifacts: readonly { type: string; data: ListedData }[];
  };
}

/** The message that begins the next turn of a run when its wait is over. */
export function waitMessage(end: WaitEnd, waited: readonly WaitedRun[]): string {
  return [`[millrace: ${headOf(end, waited)}]`, ...resultTexts(waited.map(resultOf))].join("\n\n");
}

/** A run in the response to a wait, in the shape of the API. */
interface ChildResult {
  run_id: string;
  agent: string;
  title: string;
  state: RunState;
  answer: string | null;
  status_message: { message: string } | null;
  artifacts: readonly { artifact_type: string; data: ListedData }[];
}

/** The runs in the response to a wait as text, as the message for the next turn has them. */
export function childTexts(children: readonly ChildResult[]): string[] {
  return resultTexts(
    children.map(({ run_id: id, status_message, artifacts, ...run }) => {
      const listed = artifacts.map(({ artifact_type: type, data }) => ({ type, data }));
      return { id, run: { ...run, status: status_message?.message ?? null, artifacts: listed } };
    }),
  );
}

function resultOf({ id, run, artifacts }: WaitedRun): RunResult {
  if (!run) return { id };
  const { title, state, statusMessage, answer } = run;
  const status = statusMessage?.message ?? null;
  return { id, run: { agent: agentName(run), title, state, status, answer, artifacts } };
}

function headOf(end: WaitEnd, waited: readonly WaitedRun[]): string {
  const open = waited.filter(({ run }) => run && !hasEnded(run.state)).length;
  const rest = `${pluralize(open, "run")} of ${waited.length} ${open === 1 ? "has" : "have"} not ended.`;
  const again = open === 0 ? "" : " To wait for the rest, wait again.";
  switch (end) {
    case "done":
      return open === 0
        ? `${waited.length === 1 ? "The run in your wait has" : `All ${waited.length} runs in your wait have`} ended.`
        : `A run in your wait has ended. ${rest}${again}`;
    case "timed_out":
      return `The time limit of your wait was reached. ${rest}${again}`;
    case "message":
      return `A message ended your wait before it was over. ${rest}${again}`;
    case "answer":
      return `The answer to your question ended your wait. ${rest}${again}`;
  }
}

/**
 * The results of runs as text. The first line of each states the ID and the state of the run. Each line of an answer is
 * quoted, so that no agent can write what looks like the result of another one.
 */
function resultTexts(results: readonly RunResult[]): string[] {
  const room = Math.min(MAX_RESULT, Math.floor(MAX_RESULTS / Math.max(1, results.length)));
  return results.map((result) => resultText(result, room));
}

function resultText({ id, run }: RunResult, room: number): string {
  if (!run) return `Run ${id}: deleted`;
  const { agent, title, state, status, answer, artifacts } = run;
  const text = [
    `Run ${id}: ${state}`,
    `Agent: ${oneLine(agent)}`,
    `Title: ${oneLine(title)}`,
    ...(status ? [`Status: ${oneLine(status)}`] : []),
    ...artifactLines(artifacts),
    ...(hasEnded(state) && answer ? ["Answer:", ...quoted(answer)] : []),
  ].join("\n");
  if (text.length <= room) return text;
  return `${text.slice(0, room).replace(HALF_CHARACTER, "")}\n${restOf(id)}`;
}

const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** Where the agent finds what was left out of a result. */
const restOf = (id: string) =>
  `[The rest of this result was left out. To read all of it, use \`millrace agent wait ${id} --json\` or GET /api/v1/agent/runs/${id}.]`;

type ListedArtifacts = NonNullable<RunResult["run"]>["artifacts"];

function artifactLines(artifacts: ListedArtifacts): string[] {
  const lines = artifacts.slice(0, MAX_LINES).map(artifactLine);
  const left = artifacts.length - lines.length;
  return left > 0 ? [...lines, `Artifacts: ${left} more`] : lines;
}

function artifactLine({ type, data }: ListedArtifacts[number]): string {
  const { artifact_uid: uid } = data;
  return `${type}: ${oneLine(artifactText(data))}${uid ? ` (artifact ${uid})` : ""}`;
}

function quoted(text: string): string[] {
  return text
    .trimEnd()
    .split(LINE_BREAKS)
    .map((line) => `> ${line}`.trimEnd());
}

/** All characters that a program may show as the end of a line. */
const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

function oneLine(text: string): string {
  const line = text.replace(/[\s\u0085]+/g, " ").trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}
