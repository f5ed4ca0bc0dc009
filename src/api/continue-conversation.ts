import { MillraceError } from "../error.ts";
import type { ApiRequest, Reply } from "./endpoint.ts";
import { runInField } from "./find-run.ts";
import { followUp } from "./run-actions.ts";
import type { RunParts } from "./run-parts.ts";

/** What a request to continue may say: the rest is settled by the run that it continues. */
const TAKEN = new Set(["prompt", "conversation_id", "mode", "team", "interactive"]);

/**
 * `POST /agent/runs` with a `conversation_id`: the prompt becomes a message to the run that has the conversation, which goes
 * on in its own workspace. The answer names that run.
 * @throws MillraceError `operation_not_supported` for what would make it another run
 */
export async function continueConversation(request: ApiRequest, parts: RunParts): Promise<Reply> {
  const { conversation_id, prompt, mode } = request.body;
  refuseOtherFields(request.body);
  const run = await runInField(conversation_id, "conversation_id", request, parts);
  await followUp(run, { ...request, body: { message: prompt, mode } }, parts);
  const { state } = (await parts.runs.find(run.id)) ?? run;
  return { json: { run_id: run.id, task_id: run.id, state, at_capacity: false } };
}

function refuseOtherFields(body: Record<string, unknown>): void {
  const others = Object.keys(body).filter((key) => !TAKEN.has(key));
  const [field] = others;
  if (field === undefined) return;
  throw new MillraceError(
    "operation_not_supported",
    `A request with a conversation_id continues a run as it is, so it cannot set: ${others.join(", ")}.`,
    {
      remedy: "Send prompt and conversation_id alone, or leave conversation_id out for a new run.",
      extra: { field, errors: others.map((name) => ({ field: name, message: "cannot be set here" })) },
    },
  );
}
