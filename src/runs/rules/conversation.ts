import type { Principal } from "../../principals/principal.ts";
import type { ArtifactData } from "../output/artifact.ts";
import type { Run } from "../run.ts";

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
  text: string;
  /** Whether the agent was given it. */
  isGiven: boolean;
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
  author: { type: "key" | "agent" | "automation" | "schedule"; name: string };
  text: string;
  state: "given" | "waiting" | "withdrawn";
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
  | "automationUid"
  | "schedule"
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
  { id, kind, turn, at, creator, text, isGiven }: StoredMessage,
  run: ConversationRun,
): RunMessage {
  return {
    id,
    turn: turn ?? run.turn + 1,
    time: at,
    role: creator ? "user" : "agent",
    kind,
    author: creator
      ? { type: "key", name: creator.displayName }
      : { type: "agent", name: run.executor.displayName },
    text,
    state: isGiven ? "given" : stateOf(turn, run),
  };
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
  return { type: "key", name: run.creator.displayName };
}

/** What an artifact that an agent has reported says in the conversation: each link and the text of a plan. */
export function reportText({ title, url, branch, content }: Partial<ArtifactData>): string {
  return [title, url, branch, content].filter(Boolean).join("\n");
}
