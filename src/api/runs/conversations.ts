import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { isUuid, newUuid } from "../../id.ts";
import { runInField, seesRun } from "../../runs/caller.ts";
import { refuseOtherRequest } from "../../runs/idempotency.ts";
import {
  type MessageTurn,
  promptMessage,
  type RunMessage,
  runMessage,
} from "../../runs/rules/conversation.ts";
import {
  MAX_SENT_IN_TURN,
  MAX_TURNS_BY_AGENTS,
  MAX_WAITING,
  type MessageRefusal,
} from "../../runs/rules/follow-up.ts";
import type { Run, RunEvent } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { checkPromptSize } from "../../runs/start/check-request.ts";
import {
  type ApiRequest,
  type Called,
  type Endpoints,
  type Reply,
  readIdempotencyKey,
  uuidInPath,
} from "../http/endpoint.ts";
import type { OpenEndpoints } from "../http/open-endpoint.ts";
import { type Cursors, cutPage } from "../http/page.ts";
import { type CreateRequest, findRun, maskOfCaller, noSuchRun, type RunDeps } from "./find-run.ts";
import { isAtWork } from "./run-item.ts";
import { sendTranscript, streamTranscript } from "./transcripts.ts";

/** Each run has one conversation, whose id is that of the run, and one session, which its first turn begins. */
export const conversationIdOf = ({ id }: Pick<Run, "id">): string => id;

/** Runs by their conversations and sessions. */
export function conversationEndpoints(deps: RunDeps) {
  const { runs } = deps;
  return {
    checkSessionRedirect: {
      async handle(request) {
        const session = uuidInPath(request, "sessionUuid");
        const run = await runs.findBySession(session);
        if (!run || !seesRun(request.caller, run)) throw missing("session", session);
        return { json: isAtWork(run) ? {} : { conversation_id: conversationIdOf(run) } };
      },
    },
    checkConversationRedirect: {
      async handle({ caller, path: { conversationId } }) {
        const id = conversationId.toLowerCase();
        const run = isUuid(id) ? await runs.find(id) : undefined;
        if (!run || !seesRun(caller, run)) throw missing("conversation", conversationId);
        return { json: isAtWork(run) && run.sessionId ? { session_id: run.sessionId } : {} };
      },
    },
    getConversationById: {
      async handle(request) {
        const run = await findConversation(request, deps);
        return { json: await conversationPage(run, request.query, deps) };
      },
    },
    getConversationTranscript: {
      async handle(request) {
        const run = await findConversation(request, deps);
        if (request.query.follow) await streamTranscript(run, request.http, deps, request.query.steps);
        else await sendTranscript(run, request.http, deps.transcripts);
        return undefined;
      },
    },
    followUpConversation: {
      async handle(request) {
        const run = await findConversation(request, deps);
        return { json: { ...(await followUp(run, request, deps)), run_id: run.id } };
      },
    },
  } satisfies Endpoints;
}

/**
 * Clients of the public API follow sessions and conversations without a key. Nobody without one is told which of them there are: the
 * answer is the same for every id.
 */
export function conversationLinkEndpoints() {
  return {
    checkSessionRedirect: {
      async handle(request) {
        uuidInPath(request, "sessionUuid");
        return { json: {} };
      },
    },
    checkConversationRedirect: {
      async handle(request) {
        uuidInPath(request, "conversationId");
        return { json: {} };
      },
    },
  } satisfies OpenEndpoints;
}

async function findConversation(
  request: Called & { path: { conversationId: string } },
  { runs }: Pick<RunDeps, "runs">,
): Promise<Run> {
  const id = uuidInPath(request, "conversationId");
  const run = await runs.find(id);
  if (run && seesRun(request.caller, run)) return run;
  throw missing("conversation", id);
}

function missing(what: "conversation" | "session", id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no ${what} ${JSON.stringify(id)}.`, {
    remedy: `GET a run to read its ${what}_id.`,
  });
}

export interface ConversationDeps {
  runs: Pick<RunStore, "find" | "listMessages" | "listMessageTurns" | "listEvents">;
  cursors: Cursors;
}

/** What was said in a run, and when what happened. */
export function runConversationEndpoints(deps: ConversationDeps) {
  return {
    getConversation: {
      handle: async (request) => ({
        json: await conversationPage(await findRun(request, deps), request.query, deps),
      }),
    },
    getTimeline: { handle: (request) => getTimeline(request, deps) },
  } satisfies Endpoints;
}

/** A page of what was said in a run. */
async function conversationPage(
  run: Run,
  { limit, cursor }: { limit: number; cursor?: string },
  { runs, cursors }: ConversationDeps,
): Promise<Models["Conversation"]> {
  const scope = { conversation: run.id };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  // The prompt has the id of the run, and is before all else.
  const beginning = after === undefined ? [promptMessage(run)] : [];
  const stored = await runs.listMessages(run.id, {
    ...(after === undefined || after === run.id ? {} : { after }),
    limit: limit + 1 - beginning.length,
  });
  const found = [...beginning, ...stored.messages.map((message) => runMessage(message, run))];
  const { items, pageInfo } = cutPage(found, stored.isCut ? found.length - 1 : limit, (last) =>
    cursors.encode(scope, [last.id]),
  );
  return { conversation_id: run.id, steps: stepsOf(items), messages: items, page_info: pageInfo };
}

/** The turns of messages in the shape of the public API. */
function stepsOf(messages: readonly RunMessage[]): Models["ConversationStep"][] {
  const turns = [...new Set(messages.map(({ turn }) => turn))];
  return turns.map((turn) => ({
    id: `turn-${turn}`,
    description: `Turn ${turn}`,
    messages: messages
      .filter((message) => message.turn === turn)
      .map(({ id, role, text, time }) => ({
        role: role === "agent" ? "assistant" : "user",
        content: [{ type: "text", text }],
        timestamp: time,
        message_ids: [id],
      })),
    steps: [],
  }));
}

async function getTimeline(request: ApiRequest<"getTimeline">, { runs, cursors }: ConversationDeps) {
  const run = await findRun(request, { runs });
  const { limit, cursor } = request.query;
  const scope = { timeline: run.id };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const [found, messages] = await Promise.all([
    runs.listEvents(run.id, { ...(after ? { after } : {}), limit: limit + 1 }),
    runs.listMessageTurns(run.id),
  ]);
  const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(scope, [last.id]));
  return {
    json: {
      events: items.map((event) => {
        const payload = { ...event.payload, ...messagesOf(event, run, messages) };
        return {
          event_uuid: event.id,
          run_id: run.id,
          event_type: event.type,
          occurred_at: event.at,
          ...(Object.keys(payload).length > 0 ? { payload } : {}),
        };
      }),
      page_info: pageInfo,
    },
  };
}

const ENDS: readonly string[] = ["oz_run_done", "oz_run_failed", "oz_run_errored", "oz_run_cancelled"];

/** Which messages an event is about; that of a question names it already. */
function messagesOf({ type, payload }: RunEvent, run: Run, messages: readonly MessageTurn[]) {
  if (type === "oz_run_created") return { message_id: run.id };
  const ofTurn = messages.filter(({ turn }) => turn === payload?.turn);
  if (type === "agent_started") {
    const given = ofTurn.filter(({ role }) => role === "user").map(({ id }) => id);
    const ids = payload?.turn === 1 ? [run.id, ...given] : given;
    return ids.length === 0 ? {} : { message_ids: ids };
  }
  const answer =
    ENDS.includes(type) && ofTurn.findLast(({ role, kind }) => role === "agent" && kind === "answer");
  return answer ? { message_id: answer.id } : {};
}

/**
 * The run that a message is for: one that the caller sees, or the parent of the agent's run, of which it sees nothing else.
 * @throws MillraceError as {@link findRun}; `not_authorized` for the agent's own run
 */
export async function findMessaged(
  request: ApiRequest<"followUp">,
  { runs }: { runs: Pick<RunStore, "find"> },
): Promise<Run> {
  const { caller, path } = request;
  if (caller.kind === "key") return findRun(request, { runs });
  const id = path.runId.toLowerCase();
  if (id === caller.run.id) {
    throw new MillraceError("not_authorized", "An agent cannot send a message to its own run.", {
      remedy: "Name a run that it has started, or its parent run.",
    });
  }
  const isParent = isUuid(id) && id === caller.run.ancestors.at(-1);
  const parent = isParent ? await runs.find(id) : undefined;
  return parent && parent.factoryUid === caller.run.factoryUid ? parent : findRun(request, { runs });
}

/** Gives a run a message. @returns what becomes of it, in the shape of the public API */
export async function followUp(
  run: Run,
  request: Pick<ApiRequest<"followUp">, "caller" | "http" | "body">,
  { runs, queue, masks, now }: RunDeps,
) {
  const { caller } = request;
  const creator = caller.kind === "key" ? caller.key.principal : caller.run.executor;
  // The key of an agent is one of its run: other runs of the same agent have keys of their own.
  const owner = caller.kind === "key" ? creator.uid : caller.run.id;
  const { message, mode, attachments } = request.body;
  checkPromptSize(message, "message");
  if ((mode ?? "normal") !== "normal") throw unsupported("mode", "a message cannot change the mode of a run");
  if (attachments && attachments.length > 0) {
    throw unsupported("attachments", "attachments can only be sent when a run is created");
  }
  const once = readIdempotencyKey(request.http.request, owner, request.body);
  const outcome = await runs.followUp(
    {
      id: newUuid(),
      runId: run.id,
      message: maskOfCaller(caller, masks)(message),
      creator,
      ...(caller.kind === "run" ? { from: caller.run } : {}),
    },
    once,
    now().toISOString(),
  );
  if (!outcome) throw noSuchRun(run.id, request.caller);
  if ("differs" in outcome) return refuseOtherRequest();
  if ("orphaned" in outcome) throw orphaned(run.id);
  if ("refused" in outcome) throw messageRefused(outcome.refused, run);
  if ("full" in outcome) {
    throw new MillraceError(
      "payload_too_large",
      `message: too many characters are already waiting for run ${run.id}.`,
      {
        remedy: `A run accepts up to ${MAX_WAITING} characters of messages not yet passed to a turn. Wait for its next turn.`,
        extra: { field: "message" },
      },
    );
  }
  queue.notify(run.id);
  const { id, result } = outcome;
  return { followup_id: result === "queued_prompt" ? null : id, outcome: result };
}

/** Why the message of an agent is not taken, for the agent that reads it. */
function messageRefused(reason: MessageRefusal, { id }: Run): MillraceError {
  const refused = (message: string, remedy: string) =>
    new MillraceError("conflict", message, { remedy, retryable: false, extra: { reason } });
  switch (reason) {
    case "ended":
      return refused("The run of this token is ending, so it can send no more messages.", "End this turn.");
    case "cancelled":
      return refused(
        `Run ${id} was cancelled, and only a person can continue it.`,
        "Start another run, or report that it is needed.",
      );
    case "asks_person":
      return refused(
        `Run ${id} waits for the answer of a person, which an agent cannot give.`,
        "Wait until a person has answered, or cancel the run with its tree.",
      );
    case "sent_enough":
      return refused(
        `The agent has sent ${MAX_SENT_IN_TURN} messages in this turn, which is the limit.`,
        "Send one message instead of many, or write the text to a file in artifacts/.",
      );
    case "woken_enough":
      return refused(
        `The messages of agents have begun ${MAX_TURNS_BY_AGENTS} turns of run ${id}, which is the limit.`,
        "A person can continue it with a follow-up.",
      );
  }
}

/** Nothing would give a further turn its secrets, its agent and its caps. */
function orphaned(id: string): MillraceError {
  return new MillraceError(
    "conflict",
    `Run ${id} belongs to a deleted factory, so it cannot start another turn.`,
    {
      remedy: "Create a new run in another factory with `millrace runs create --factory NAME`.",
      retryable: false,
    },
  );
}

function unsupported(field: string, why: string): MillraceError {
  return new MillraceError("operation_not_supported", `${field} is not supported here: ${why}.`, {
    extra: { field },
  });
}

/** What a request to continue may say: the rest is settled by the run that it continues. */
const TAKEN = new Set(["prompt", "conversation_id", "mode", "team", "interactive"]);

/**
 * `POST /agent/runs` with a `conversation_id`: the prompt becomes a message to the run that has the conversation, which goes
 * on in its own workspace. The answer names that run.
 * @throws MillraceError `operation_not_supported` for what would make it another run
 */
export async function continueConversation(
  request: CreateRequest,
  conversationId: string,
  deps: RunDeps,
): Promise<Reply<"createRun">> {
  // Only a request with a skill may have no prompt, and it is refused here.
  const { prompt = "", mode } = request.body;
  refuseOtherFields(request.body);
  const run = await runInField(conversationId, "conversation_id", request, deps);
  await followUp(run, { ...request, body: { message: prompt, ...(mode && { mode }) } }, deps);
  const { state } = (await deps.runs.find(run.id)) ?? run;
  return { json: { run_id: run.id, task_id: run.id, state, at_capacity: false } };
}

function refuseOtherFields(body: object): void {
  const others = Object.keys(body).filter((key) => !TAKEN.has(key));
  const [field] = others;
  if (field === undefined) return;
  throw new MillraceError(
    "operation_not_supported",
    `A request with a conversation_id continues an existing run, so it cannot set: ${others.join(", ")}.`,
    {
      remedy: "Send only prompt and conversation_id, or omit conversation_id to create a new run.",
      extra: { field, errors: others.map((name) => ({ field: name, message: "cannot be set here" })) },
    },
  );
}
