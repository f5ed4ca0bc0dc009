import { MillraceError } from "../error.ts";
import { isUuid } from "../id.ts";
import type { Run } from "../runs/run.ts";
import { seesRun } from "./authorize.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import type { OpenEndpoints } from "./open-endpoint.ts";
import { uuidInPath } from "./resource-id.ts";
import { followUp } from "./run-actions.ts";
import { isAtWork } from "./run-item.ts";
import type { RunParts } from "./run-parts.ts";
import { sendTranscript } from "./send-transcript.ts";
import { streamTranscript } from "./stream-transcript.ts";

/** Each run has one conversation, whose id is that of the run, and one session, which its first turn begins. */
export const conversationIdOf = ({ id }: Pick<Run, "id">): string => id;

/** Runs by their conversations and sessions. */
export function conversationEndpoints(parts: RunParts): Endpoints {
  const { runs } = parts;
  return {
    checkSessionRedirect: {
      role: "viewer",
      runToken: true,
      async handle(request) {
        const session = uuidInPath(request, "sessionUuid");
        const run = await runs.findBySession(session);
        if (!run || !seesRun(request.caller, run)) throw missing("session", session);
        return { json: isAtWork(run) ? {} : { conversation_id: conversationIdOf(run) } };
      },
    },
    getConversationTranscript: {
      role: "viewer",
      runToken: true,
      async handle(request) {
        const run = await findConversation(request, parts);
        if (request.query.follow) await streamTranscript(run, request.http, parts);
        else await sendTranscript(run, request.http, parts.transcripts);
        return undefined;
      },
    },
    followUpConversation: {
      role: "operator",
      async handle(request) {
        const run = await findConversation(request, parts);
        return { json: { ...(await followUp(run, request, parts)), run_id: run.id } };
      },
    },
  };
}

/** Clients ask for this before they sign in, so it tells no more than that an agent is at work. */
export function conversationLinkEndpoints({ runs }: Pick<RunParts, "runs">): OpenEndpoints {
  return {
    checkConversationRedirect: {
      async handle({ path: { conversationId = "" } }) {
        const id = conversationId.toLowerCase();
        const run = isUuid(id) ? await runs.find(id) : undefined;
        if (!run) throw missing("conversation", conversationId);
        return { json: isAtWork(run) && run.sessionId ? { session_id: run.sessionId } : {} };
      },
    },
  };
}

async function findConversation(request: ApiRequest, { runs }: Pick<RunParts, "runs">): Promise<Run> {
  const id = uuidInPath(request, "conversationId");
  const run = await runs.find(id);
  if (run && seesRun(request.caller, run)) return run;
  throw missing("conversation", id);
}

function missing(what: "conversation" | "session", id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no ${what} ${JSON.stringify(id)}.`, {
    remedy: `GET a run for its ${what}_id.`,
  });
}
