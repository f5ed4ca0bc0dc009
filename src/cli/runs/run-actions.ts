import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { present, runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { readText, withoutLineEnd } from "../input.ts";
import { print, printJson } from "../output.ts";
import { findRunId } from "./find-run.ts";
import { awaitEnd } from "./run-text.ts";

interface ActionOptions extends ConnectOptions {
  wait?: true;
}

interface FollowUpOptions extends ActionOptions {
  idempotencyKey?: string;
}

interface DismissOptions extends ConnectOptions {
  reason?: string;
}

/** What becomes of a message, in words. */
const OUTCOMES: Record<Models["RunFollowupResponse"]["outcome"], string> = {
  queued_prompt: "The run is queued: the message was added to its prompt.",
  queue_pending: "The run is busy: the message starts its next turn.",
  live_session: "The message was sent to the agent.",
  handoff_execution: "The agent has exited: the message starts another turn of the run.",
};

export function runFollowUpCommand(): Command {
  return asClientCommand(new Command("followup").description("send a message to a run"))
    .argument("<id>", "run ID, or its first characters", runIdStart)
    .argument("<message>", "message text (- for standard input)")
    .option("--idempotency-key <key>", "idempotency key: retries with the same key send one message")
    .option("--wait", "wait until the run has ended")
    .action(followUp);
}

export function runAnswerCommand(): Command {
  return asClientCommand(new Command("answer").description("answer the question of a blocked run"))
    .argument("<id>", "run ID, or its first characters", runIdStart)
    .argument("[text]", "the answer (default, and -: standard input)", "-")
    .option("--idempotency-key <key>", "idempotency key: retries with the same key send one answer")
    .option("--wait", "wait until the run has ended")
    .action(answerQuestion);
}

export function runDismissCommand(): Command {
  return asClientCommand(
    new Command("dismiss").description("end a blocked run without answering its question"),
  )
    .argument("<id>", "run ID, or its first characters", runIdStart)
    .option("--reason <text>", "why the run is ended")
    .action(dismiss);
}

export function runDeleteCommand(): Command {
  return asClientCommand(
    new Command("delete").description("delete an ended run with its transcript, artifacts and workspace"),
  )
    .argument("<id>", "run ID, or its first characters", runIdStart)
    .action(async (given: string, options: ConnectOptions) => {
      const client = connect(options);
      const id = await findRunId(client, given);
      await client.runs.delete(id);
      print(`Deleted run ${id}.`);
    });
}

async function followUp(start: string, given: string, options: FollowUpOptions): Promise<void> {
  const client = connect(options);
  const message = await readMessage(given, "message");
  await send(client, await findRunId(client, start), message, options);
}

/** Only a blocked run has a question: a message to any other would be taken for something that was never asked. */
async function answerQuestion(start: string, given: string, options: FollowUpOptions): Promise<void> {
  const client = connect(options);
  const id = await findRunId(client, start);
  const { state } = await client.runs.get(id);
  if (state !== "BLOCKED") {
    throw new MillraceError("conflict", `Run ${id} is ${state}, so there is no question to answer.`, {
      remedy: `Run \`millrace inbox\` to list open questions, or \`millrace runs followup ${id} TEXT\` to send the run a message.`,
    });
  }
  await send(client, id, await readMessage(given, "answer"), options);
}

async function readMessage(given: string, what: string): Promise<string> {
  const message = given === "-" ? withoutLineEnd(await readText("-", what)) : given;
  if (message.trim() === "") throw new MillraceError("invalid_request", `The ${what} is empty.`);
  return message;
}

async function send(client: Millrace, id: string, message: string, options: FollowUpOptions): Promise<void> {
  const { idempotencyKey } = options;
  const answer = await client.runs.followup(id, { message }, present({ idempotencyKey }));
  if (!options.json) print(OUTCOMES[answer.outcome]);
  else if (!options.wait) printJson(answer);
  if (options.wait) await awaitEnd(client, id, options);
}

async function dismiss(given: string, { reason, ...options }: DismissOptions): Promise<void> {
  const client = connect(options);
  const run = await client.runs.dismiss(await findRunId(client, given), present({ reason }));
  if (options.json) printJson(run);
  else if (run.state === "CANCELLED") print(`Dismissed run ${run.run_id}.`);
  else print(`Dismissing run ${run.run_id}. Its state becomes CANCELLED when its agent has exited.`);
}
