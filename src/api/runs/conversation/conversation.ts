import type { Models } from "../../../client/typed-paths.ts";
import {
  type MessageTurn,
  promptMessage,
  type RunMessage,
  runMessage,
} from "../../../runs/rules/conversation.ts";
import type { Run, RunEvent } from "../../../runs/run.ts";
import type { RunStore } from "../../../runs/run-store.ts";
import type { Cursors } from "../../http/cursor.ts";
import type { ApiRequest, Endpoints } from "../../http/endpoint.ts";
import { cutPage } from "../../http/page.ts";
import { findRun } from "../find-run.ts";

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
export async function conversationPage(
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
