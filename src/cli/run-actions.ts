import { Command } from "commander";
import type { Models } from "../client/client.ts";
import { MillraceError } from "../error.ts";
import { runIdStart } from "./arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { findRunId } from "./find-run.ts";
import { readText, withoutLineEnd } from "./input.ts";
import { print, printJson } from "./output.ts";
import { present } from "./present.ts";
import { awaitEnd } from "./run-end.ts";

interface ActionOptions extends ConnectOptions {
  wait?: true;
}

interface FollowUpOptions extends ActionOptions {
  idempotencyKey?: string;
}

/** What becomes of a message, in words. */
const OUTCOMES: Record<Models["RunFollowupResponse"]["outcome"], string> = {
  queued_prompt: "The run waits: the message joins its prompt.",
  queue_pending: "The run is at work: the message begins its next turn.",
  live_session: "The agent is given the message.",
  handoff_execution: "The agent has ended: the message begins another turn of the run.",
};

export function runFollowUpCommand(): Command {
  return asClientCommand(new Command("followup").description("tell a run something"))
    .argument("<id>", "the id of the run, or how it begins", runIdStart)
    .argument("<message>", "what it is told, - for standard input")
    .option("--idempotency-key <key>", "sent again with the same key, it is told once")
    .option("--wait", "wait for the end of the run")
    .action(followUp);
}

export function runCancelCommand(): Command {
  return asClientCommand(new Command("cancel").description("end a run that waits or works"))
    .argument("<id>", "the id of the run, or how it begins", runIdStart)
    .option("--wait", "wait until it has ended")
    .action(cancel);
}

export function runDeleteCommand(): Command {
  return asClientCommand(
    new Command("delete").description(
      "delete a run that has ended, with its transcript, artifacts and workspace",
    ),
  )
    .argument("<id>", "the id of the run, or how it begins", runIdStart)
    .action(async (given: string, options: ConnectOptions) => {
      const client = connect(options);
      const id = await findRunId(client, given);
      await client.runs.delete(id);
      print(`Run ${id} is deleted.`);
    });
}

async function followUp(start: string, given: string, options: FollowUpOptions): Promise<void> {
  const client = connect(options);
  const message = given === "-" ? withoutLineEnd(await readText("-", "message")) : given;
  if (message === "") throw new MillraceError("invalid_request", "The message is empty.");
  const id = await findRunId(client, start);
  const { idempotencyKey } = options;
  const answer = await client.runs.followup(id, { message }, present({ idempotencyKey }));
  if (!options.json) print(OUTCOMES[answer.outcome]);
  else if (!options.wait) printJson(answer);
  if (options.wait) await awaitEnd(client, id, options);
}

async function cancel(given: string, options: ActionOptions): Promise<void> {
  const client = connect(options);
  const id = await findRunId(client, given);
  await client.runs.cancel(id);
  if (options.wait) return awaitEnd(client, id, { json: options.json, wanted: "CANCELLED" });
  const run = await client.runs.get(id);
  if (options.json) printJson(run);
  else if (run.state === "CANCELLED") print(`Run ${id} is cancelled.`);
  else print(`Run ${id} is being ended; it is CANCELLED when its agent is gone.`);
}
