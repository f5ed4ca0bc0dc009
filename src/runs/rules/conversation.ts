import { DEFAULT_NAMES } from "../../definitions/inherit.ts";
import type { Principal } from "../../principals/principal.ts";
import type { ArtifactData } from "../output/artifact.ts";
import type { Run } from "../run.ts";
import type { QuestionDetails, Urgency } from "./agent-report.ts";

/** Who tells a run what has become of the runs that it waited for. */
export const MILLRACE: Principal = { uid: "millrace", type: "service_account", displayName: "millrace" };

/** What a message is: of a person or program the prompt, a message or an answer; of the agent the rest, and answers. */
export type MessageKind = "prompt" | "message" | "question" | "answer" | "report";

/** A message as it is stored; the prompt of a run is stored with the run. */
export interface StoredMessage {
  id: string;
  kind: Exclude<MessageKind, "prompt">;
  /** Null while the turn that it belongs to is yet to begin. */
  turn: number | null;
  at: string;
  /** Of a message to the agent; null for what the agent says. */
  creator: Principal | null;
  /** The run whose agent has sent it; null for what was sent with a key, and for what the agent says. */
  fromRun: string | null;
  text: string;
  /** Of a question. */
  details?: QuestionDetails;
  /** Whether the agent was given it. */
  isGiven: boolean;
  /** Whether the agent of an earlier turn may have read it. */
  isRepeated: boolean;
}

/** Where a message belongs. */
export interface MessageTurn {
  id: string;
  kind: StoredMessage["kind"];
  turn: number;
  role: RunMessage["role"];
}

/** Keeps what is said in runs. */
export interface ConversationStore {
  /**
   * What was said in a run after its prompt, oldest first, after a message.
   *
   * @returns `isCut` when the last one is there only to tell that there is another page: the texts were too long for more
   */
  listMessages(
    runId: string,
    page: { after?: string; limit: number },
  ): Promise<{ messages: StoredMessage[]; isCut: boolean }>;
  /** Which messages belong to which turns, without their texts. */
  listMessageTurns(runId: string): Promise<MessageTurn[]>;
}

/** A message of a conversation, in the shape of the API. */
export interface RunMessage {
  id: string;
  turn: number;
  time: string;
  role: "user" | "agent";
  kind: MessageKind;
  author: { type: "key" | "agent" | "automation" | "schedule"; name: string; run_id?: string };
  text: string;
  /** Of a question: the answers that it offers. */
  choices?: string[];
  urgency?: Urgency;
  state: "given" | "waiting" | "withdrawn";
  repeated?: true;
}

type ConversationRun = Pick<
  Run,
  | "id"
  | "prompt"
  | "state"
  | "turn"
  | "title"
  | "config"
  | "creator"
  | "executor"
  | "execution"
  | "factoryUid"
  | "agentUid"
  | "automationUid"
  | "schedule"
  | "source"
  | "ancestors"
  | "createdAt"
  | "startedAt"
>;

/** What an agent asks and says in all turns of a run, in characters. An agent that asks for ever must not fill the store. */
export const MAX_SAID = 4 * 1024 * 1024;

/** The message that begins each conversation; it goes by the id of its run. */
export function promptMessage(run: ConversationRun): RunMessage {
  const isUnread = run.startedAt === null;
  return {
    id: run.id,
    turn: 1,
    time: run.createdAt,
    role: "user",
    kind: "prompt",
    author: promptAuthor(run),
    text: run.prompt,
    state: !isUnread ? "given" : run.state === "CANCELLED" ? "withdrawn" : "waiting",
  };
}

/** A stored message as a reader of the run sees it. */
export function runMessage(
  { id, kind, turn, at, creator, fromRun, text, details, isGiven, isRepeated }: StoredMessage,
  run: ConversationRun,
): RunMessage {
  return {
    id,
    turn: turn ?? run.turn + 1,
    time: at,
    role: creator ? "user" : "agent",
    kind,
    author: creator ? senderOf(creator, fromRun) : { type: "agent", name: agentName(run) },
    text,
    ...details,
    state: isGiven ? "given" : stateOf(turn, run),
    ...(isRepeated ? { repeated: true as const } : {}),
  };
}

function senderOf({ uid, displayName: name }: Principal, fromRun: string | null): RunMessage["author"] {
  if (fromRun !== null) return { type: "agent", name, run_id: fromRun };
  return { type: uid === MILLRACE.uid ? "agent" : "key", name };
}

/**
 * What the agent of a run is called. Without an agent of a factory or of the API, a run acts as whoever asked for it, who is
 * not the one that says something.
 */
export function agentName({
  factoryUid,
  agentUid,
  executor,
  execution,
}: Pick<Run, "factoryUid" | "agentUid" | "executor" | "execution">): string {
  if (factoryUid !== null || agentUid !== null) return executor.displayName;
  const { type } = execution.harness;
  return DEFAULT_NAMES.has(type) ? "agent" : type;
}

/** Where a message stands that no agent was given. A run whose program has never started reads all of its turns' messages. */
function stateOf(turn: number | null, run: ConversationRun): RunMessage["state"] {
  if (turn === null || turn > run.turn) return "waiting";
  if (run.state === "CANCELLED") return "withdrawn";
  return turn === run.turn || run.startedAt === null ? "waiting" : "withdrawn";
}

function promptAuthor(run: ConversationRun): RunMessage["author"] {
  if (run.automationUid !== null) return { type: "automation", name: run.config.name ?? run.title };
  if (run.schedule) return { type: "schedule", name: run.schedule.name || run.schedule.cron };
  const parent = run.ancestors.at(-1);
  if (run.source === "ORCHESTRATION" && parent !== undefined) return senderOf(run.creator, parent);
  return { type: "key", name: run.creator.displayName };
}

/** What an artifact that an agent has reported says in the conversation: each link and the text of a plan. */
export function reportText({ title, url, branch, content }: Partial<ArtifactData>): string {
  return [title, url, branch, content].filter(Boolean).join("\n");
}
