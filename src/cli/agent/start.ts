import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { startKey } from "../../runs/rules/start-key.ts";
import { childTexts } from "../../runs/rules/wait.ts";
import { parseDuration } from "../../time/duration.ts";
import { metadataPair, textList } from "../arguments.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { givenText } from "../input.ts";
import { print, printJson } from "../output.ts";
import {
  type CheckoutOptions,
  checkoutOf,
  readAttachment,
  withCheckoutOptions,
} from "../runs/run-request.ts";
import { connectOwn } from "./connect-own.ts";

/** How an agent lets others work for it. */
export function startCommands(): Command[] {
  return [
    withCheckoutOptions(new Command("start"))
      .description("start a run of another agent of the factory")
      .argument("<agent>", "name of the agent; `millrace agent list` prints those that you may start")
      .requiredOption("--prompt <text>", "what the agent is to do, or - to read it from standard input")
      .option("--title <text>", "title of the run")
      .option("--key <key>", "distinguishes this start from another one with the same agent and prompt")
      .option("--file <path>", "file that the run gets; repeatable", textList)
      .option("--artifact <path>", "file artifact of your own run that the run gets; repeatable", textList)
      .option("--metadata <key=value>", "metadata of the run; repeatable", metadataPair)
      .action(start),
    new Command("wait")
      .description("wait for runs that you started, and print their results")
      .argument("[ids...]", "IDs of the runs; default: all that have not ended")
      .option("--any", "wait until one of them has ended instead of all")
      .option("--timeout <duration>", "how long to wait before the next turn begins anyway, such as 1h")
      .option("--hold <duration>", "how long this command itself waits, at most 60s", "0s")
      .addHelpText(
        "after",
        "\nThe exit code is 0 if the results are printed, 7 if the time is over, and 75 if the wait was recorded: then end this turn, and the results begin the next one.",
      )
      .action(wait),
    new Command("message")
      .description("send a message to a run that you started, or to the run that started yours")
      .argument("<id>", "ID of the run")
      .argument("<text>", "message, or - to read it from standard input")
      .action(message),
    new Command("cancel")
      .description("cancel a run that you started")
      .argument("<id>", "ID of the run")
      .option("--tree", "cancel all runs that descend from it too")
      .action(cancel),
  ];
}

interface StartOptions extends CheckoutOptions {
  prompt: string;
  title?: string;
  key?: string;
  file?: string[];
  artifact?: string[];
  metadata?: Record<string, string>;
  json?: true;
}

async function start(agent: string, options: StartOptions): Promise<void> {
  const own = connectOwn();
  const { title, file = [], artifact: artifacts = [], metadata, key } = options;
  const prompt = await givenText(options.prompt, { name: "prompt" });
  const attachments = await Promise.all(file.map(readAttachment));
  const checkout = checkoutOf(options);
  const body = {
    prompt,
    agent,
    ...(title ? { title } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
    ...(checkout ? { checkout } : {}),
    ...(metadata ? { metadata } : {}),
  };
  // A turn that is repeated asks for the same again, and must not start it twice.
  const idempotencyKey = startKey({ agent, prompt, checkout, key });
  const started = await own.api.call("post", "/agent/runs", { body }, { idempotencyKey });
  if (options.json) printJson(started);
  else print(`${started.run_id}\nStarted. Wait for it with: millrace agent wait ${started.run_id}`);
}

interface WaitOptions {
  any?: true;
  timeout?: string;
  hold: string;
  json?: true;
}

type WaitAnswer = Models["WaitResponse"];

/** Beyond the time that the server holds the request. */
const SLACK_MS = 60_000;

async function wait(ids: string[], { any, timeout, hold, json }: WaitOptions): Promise<void> {
  const { api, path } = connectOwn();
  const holdSeconds = Math.min(60, Math.ceil(milliseconds(hold, "--hold") / 1_000));
  const body = {
    ...(ids.length > 0 ? { run_ids: ids } : {}),
    mode: any ? "any" : "all",
    ...(timeout === undefined
      ? {}
      : { timeout_seconds: Math.ceil(milliseconds(timeout, "--timeout") / 1_000) }),
    hold_seconds: holdSeconds,
  };
  const answer = await api.request<WaitAnswer>(
    "post",
    "/agent/runs/{runId}/wait",
    { path, body },
    { timeoutMs: holdSeconds * 1_000 + SLACK_MS },
  );
  if (json) printJson(answer);
  else print(waitText(answer));
  if (answer.state === "waiting") process.exitCode = EXIT_CODES.recorded;
  if (answer.state === "timed_out") process.exitCode = EXIT_CODES.tooLate;
}

function waitText({ state, runs }: WaitAnswer): string {
  if (state === "waiting") return "Not done yet. End this turn now: the results begin the next one.";
  const results = childTexts(runs);
  return [...(state === "timed_out" ? ["The time limit was reached. Results so far:"] : []), ...results].join(
    "\n\n",
  );
}

function milliseconds(text: string, option: string): number {
  const parsed = parseDuration(text, ["ms", "s", "m", "h", "d"]);
  if (parsed !== undefined) return parsed;
  throw new MillraceError("invalid_request", `${option}: "${text}" is not a duration.`, {
    remedy: "Use a duration such as 30s, 10m or 1h.",
  });
}

async function message(runId: string, given: string, { json }: { json?: true }): Promise<void> {
  const { api } = connectOwn();
  const body = { message: await givenText(given, { name: "message" }) };
  const sent = await api.call("post", "/agent/runs/{runId}/followups", { path: { runId }, body }, {});
  if (json) printJson(sent);
  else print(`Sent to run ${runId}.`);
}

async function cancel(runId: string, { tree, json }: { tree?: true; json?: true }): Promise<void> {
  const { api } = connectOwn();
  const query = tree ? { tree: true } : {};
  const id = await api.request<string>("post", "/agent/runs/{runId}/cancel", { path: { runId }, query }, {});
  if (json) printJson({ run_id: id });
  else print(`Cancelled run ${id}${tree ? " and all runs that descend from it" : ""}.`);
}
