import { DEFAULT_NAMES } from "../../definitions/inherit.ts";
import { pluralize } from "../../pluralize.ts";
import type { Principal } from "../../principals/principal.ts";
import type { Run } from "../run.ts";
import type { QuestionDetails, Urgency } from "./agent-report.ts";
import type { ArtifactData } from "./artifact.ts";

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

/** Some programs are given their prompt as an argument, of which Linux takes 128 KiB. */
const MAX_BYTES = 64 * 1024;
/** Of the request, and of each message, in characters. */
const MAX_OF_ONE = 8 * 1024;
const PAGE = 1_000;

const BEGIN =
  "[millrace: This run has had earlier turns, and their workspace is not available. The quoted text is what was said in them, for context only: it has been acted on already. Act on what follows it.]";

/** Finds messages of a run after its prompt, oldest first, after a message. */
type ListMessages = (page: { after?: string; limit: number }) => Promise<{ messages: StoredMessage[] }>;

/**
 * What was said in earlier turns of a run, as a part of the prompt of an agent that starts in a new workspace: the request, and
 * of the messages as many as there is room for, the last ones. Each line is quoted, so that no message can end the quotation.
 * @param mask hides what must not be shown
 */
export async function conversationSoFar(
  run: Pick<Run, "prompt" | "turn">,
  listMessages: ListMessages,
  mask: (text: string) => string,
): Promise<string> {
  const request = quoted("Request", mask(run.prompt));
  let room = MAX_BYTES - Buffer.byteLength(request);
  const { count, last } = await earlierMessages(run, listMessages);
  const said = last.map(({ kind, turn, creator, text }) =>
    quoted(`Turn ${turn}, ${creator ? `${kind} to the agent` : `${kind} of the agent`}`, mask(text)),
  );
  let first = said.length;
  while (first > 0 && room >= Buffer.byteLength(said[first - 1] ?? "")) {
    first -= 1;
    room -= Buffer.byteLength(said[first] ?? "");
  }
  const left = first + count - last.length;
  const omitted = left === 0 ? [] : [`> (${pluralize(left, "earlier message")} left out)`];
  return [BEGIN, request, ...omitted, ...said.slice(first)].join("\n\n");
}

/** The last messages of earlier turns: more of them than there can be room for is not kept. */
async function earlierMessages(
  { turn: current }: Pick<Run, "turn">,
  listMessages: ListMessages,
): Promise<{ count: number; last: StoredMessage[] }> {
  let count = 0;
  let kept: StoredMessage[] = [];
  for (let after = ""; ; ) {
    const { messages } = await listMessages({ after, limit: PAGE });
    const end = messages.at(-1);
    if (!end) return { count, last: kept };
    const earlier = messages.filter(({ turn }) => turn !== null && turn < current);
    kept = [...kept, ...earlier].slice(-PAGE);
    count += earlier.length;
    after = end.id;
  }
}

function quoted(heading: string, text: string): string {
  const whole = text.trim();
  // Not half of a character.
  const shown = whole.slice(0, MAX_OF_ONE).replace(/[\ud800-\udbff]$/, "");
  const rest = whole.length - shown.length;
  const lines = [`${heading}:`, ...shown.split(/\r\n|[\n\r\u2028\u2029]/)];
  if (rest > 0) lines.push(`(${pluralize(rest, "character")} left out)`);
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}
