import { MillraceError } from "../../../errors/error.ts";
import { isUuid } from "../../../id.ts";
import type { Run } from "../../../runs/run.ts";
import { seesRun } from "../../http/authorize.ts";
import type { Called, Endpoints } from "../../http/endpoint.ts";
import type { OpenEndpoints } from "../../http/open-endpoint.ts";
import { uuidInPath } from "../../http/resource-id.ts";
import { sendTranscript } from "../output/send-transcript.ts";
import { streamTranscript } from "../output/stream-transcript.ts";
import type { RunDeps } from "../run-deps.ts";
import { isAtWork } from "../run-item.ts";
import { conversationPage } from "./conversation.ts";
import { followUp } from "./follow-up.ts";

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
