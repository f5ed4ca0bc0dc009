import { MillraceError } from "../../../errors/error.ts";
import type { Reply } from "../../http/endpoint.ts";
import { runInField } from "../find-run.ts";
import type { CreateRequest, RunDeps } from "../run-deps.ts";
import { followUp } from "./follow-up.ts";

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
