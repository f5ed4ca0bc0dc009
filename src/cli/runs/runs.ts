import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { formatBytes } from "../../config/values.ts";
import { pluralize } from "../../pluralize.ts";
import { artifactText } from "../../runs/rules/artifact.ts";
import { MAX_AHEAD } from "../../runs/rules/waiting.ts";
import { describeDuration, isoMilliseconds } from "../../time/duration.ts";
import { present, requestWait, runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printFields, printJson, printTable } from "../output.ts";
import { findRunId, findRunOrLatest, RUN_OR_LATEST } from "./find-run.ts";
import { runAnswerCommand, runDeleteCommand, runDismissCommand, runFollowUpCommand } from "./run-actions.ts";
import { runCreateCommand } from "./run-create.ts";
import { runArtifactsCommand, runAttachmentsCommand } from "./run-files.ts";
import { runListCommand, runTreeCommand } from "./run-list.ts";
import { logs } from "./run-logs.ts";
import { runAgainCommand, runCancelCommand } from "./several-runs.ts";

interface GetOptions extends ConnectOptions {
  wait?: string;
}

export function runsCommand(): Command {
  const runs = new Command("runs").description("create, list and control runs");
  runs.addCommand(runCreateCommand());
  runs.addCommand(runListCommand());
  asClientCommand(
    runs
      .command("get")
      .alias("show")
      .argument("[id]", RUN_OR_LATEST, runIdStart)
      .description("show a run and its conversation"),
  )
    .option("--wait <time>", "return when the run has ended, or after this time (at most 1m)", requestWait)
    .action(get);
  asClientCommand(
    runs.command("logs").argument("[id]", RUN_OR_LATEST, runIdStart).description("print the agent's output"),
  )
    .option("-f, --follow", "stream the output until the run ends")
    .option("--raw", "print the output unchanged; by default, only colors reach the terminal")
    .action(logs);
  asClientCommand(
    runs
      .command("timeline")
      .argument("<id>", "run ID, or its first characters", runIdStart)
      .description("list the events of a run, oldest first"),
  ).action(timeline);
  runs.addCommand(runDeliveriesCommand());
  runs.addCommand(runNetworkCommand());
  runs.addCommand(runTreeCommand());
  runs.addCommand(runFollowUpCommand());
  runs.addCommand(runAnswerCommand());
  runs.addCommand(runCancelCommand());
  runs.addCommand(runDismissCommand());
  runs.addCommand(runAgainCommand());
  runs.addCommand(runDeleteCommand());
  runs.addCommand(runArtifactsCommand());
  runs.addCommand(runAttachmentsCommand());
  return runs;
}

async function get(given: string | undefined, { wait, ...options }: GetOptions): Promise<void> {
  const client = connect(options);
  const id = await findRunOrLatest(client, given);
  const run = await client.runs.get(id, present({ wait }));
  if (options.json) return printJson(run);
  printFields({
    run: run.run_id,
    title: run.title,
    state: run.state,
    why: run.status_message?.message,
    choices: run.question?.choices.join(", ") || null,
    answer: run.question && answerCommand(run.run_id, run.question),
    waiting: run.waiting ? waitingText(run.waiting) : run.waiting_for && waitText(run.waiting_for),
    result: artifactLines(run.artifacts ?? []),
    source: run.source,
    "created by": run.creator.display_name,
    "runs as": run.executor.display_name,
    created: ago(run.created_at),
    took:
      run.started_at &&
      run.finished_at &&
      describeDuration(Math.max(0, Date.parse(run.finished_at) - Date.parse(run.started_at))),
    worked: run.work_time && describeDuration(isoMilliseconds(run.work_time)),
    parent: run.parent ? `${run.parent.run_id} (${run.parent.state})` : run.parent_run_id,
    repeats: run.rerun_of,
    worker: run.agent_config.worker_host,
    skill: run.agent_config.skill_spec,
    model: run.agent_config.model_id,
    metadata: pairs(run.metadata),
    delivery: run.delivery_id,
    deliveries: await deliveryLines(client, run),
    link: run.session_link,
    usage: run.request_usage && usageText(run.request_usage),
    "with children": withChildrenText(run),
    "CPU time": run.resources && secondsText(run.resources.cpu_seconds),
    "peak memory": run.resources && bytesText(run.resources.peak_memory_bytes),
  });
  await printConversation(client, id);
}

/** What a run has left behind: pull requests and links first, then plans and files. */
function artifactLines(artifacts: readonly Models["Artifact"][]): string | null {
  const order = ["PULL_REQUEST", "EXTERNAL_REFERENCE", "PLAN", "FILE"];
  const lines = artifacts
    .toSorted((one, other) => order.indexOf(one.artifact_type) - order.indexOf(other.artifact_type))
    .map(({ data, artifact_type: type }) => artifactText(data) || type);
  return lines.join("\n") || null;
}

/** The command that answers a question. A choice is the text of an agent, so it is only shown where a shell takes it as it is. */
function answerCommand(id: string, { choices: [first = ""] }: Models["RunQuestion"]): string {
  return `millrace runs followup ${id} "${/^[\p{L}\p{N}][\p{L}\p{N} .,_-]*$/u.test(first) ? first : "ANSWER"}"`;
}

/** The runs whose ends begin the next turn of a run. */
function waitText(ids: readonly string[]): string {
  return [`for ${pluralize(ids.length, "run")} to end`, ...ids].join("\n");
}

/** Why a run has not started, and how many start before it. */
function waitingText({ message, place }: Models["RunWaiting"]): string {
  if (place === 0) return message;
  const count = place < MAX_AHEAD ? pluralize(place, "run") : `${MAX_AHEAD} or more runs`;
  return `${message}\n${count} ahead`;
}

const secondsText = (seconds: number | null) =>
  seconds === null ? null : describeDuration(Math.round(seconds * 1_000));
const bytesText = (bytes: number | null) => (bytes === null ? null : formatBytes(bytes));

/** What a run has cost with all that descend from it, where that is more than its own cost. */
function withChildrenText({ cost_usd: own, family_cost_usd: family }: Models["RunItem"]): string | null {
  return family === undefined || family === own ? null : `$${family.toFixed(4)}`;
}

/** Tokens of each model, and the cost where it is known. */
function usageText({ inference_cost_usd: cost, model_token_usage: models }: Models["RequestUsage"]): string {
  const lines = models.map(({ model_id, tokens_by_category: { input, input_cache_read, output } }) => {
    const cached = input_cache_read > 0 ? ` (${input_cache_read} cached)` : "";
    return `${model_id}: ${input + input_cache_read}${cached} tokens in, ${output} out`;
  });
  return [...lines, ...(cost === undefined ? [] : [`$${cost.toFixed(4)}`])].join("\n");
}

function pairs(metadata: Readonly<Record<string, string>>): string | null {
  return (
    Object.entries(metadata)
      .map((pair) => pair.join("="))
      .join("\n") || null
  );
}

async function timeline(given: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const events = await client.runs.timeline(await findRunId(client, given), { limit: 500 }).toArray();
  if (options.json) printJson(events);
  else if (events.length === 0) print("The run has no events yet.");
  else
    printTable(
      ["TIME", "EVENT", "SANDBOX OR SETUP"],
      events.map(({ occurred_at, event_type, payload }) => [
        occurred_at,
        event_type,
        payload?.sandbox ?? describeSetup(payload?.setup),
      ]),
    );
}

function describeSetup(setup: NonNullable<Models["RunEvent"]["payload"]>["setup"]): string {
  if (!setup) return "";
  return setup.restored
    ? `setup restored from a snapshot in ${setup.seconds} s`
    : `setup commands ran: ${setup.reason}`;
}

/** Prints what was said in a run, oldest first, one message as it comes: a conversation can be long. */
async function printConversation(client: Millrace, runId: string): Promise<void> {
  for await (const message of client.runs.conversation(runId, { limit: 100 })) {
    print("");
    print(headOf(message));
    for (const line of message.text.split("\n")) print(line === "" ? "" : `  ${line}`);
  }
}

/** Who says what kind of thing, when, and what has become of it. */
function headOf({ author, kind, turn, time, state, repeated }: Models["RunMessage"]): string {
  const facts = [
    `turn ${turn}`,
    ago(time),
    ...(state === "given" ? [] : [STATES[state]]),
    ...(repeated ? ["repeated: an earlier turn may have read it"] : []),
  ];
  return `${author.name}, ${kind} (${facts.join(", ")}):`;
}

const STATES = {
  waiting: "waiting: the agent does not have it yet",
  withdrawn: "withdrawn: the run was cancelled first",
} as const;

/** `runs deliveries`: the deliveries that a run is about. */
function runDeliveriesCommand(): Command {
  return asClientCommand(
    new Command("deliveries")
      .argument("[id]", RUN_OR_LATEST, runIdStart)
      .description("list the newest 2,000 deliveries that a run is about, oldest first"),
  ).action(deliveries);
}

async function deliveries(given: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const found = await client.runs.listDeliveries(await findRunOrLatest(client, given));
  if (options.json) return printJson(found.deliveries);
  if (found.deliveries.length === 0) return print("No delivery started this run.");
  printTable(
    ["ID", "DID", "KEY", "TIME"],
    found.deliveries.map(({ delivery_id, kind, key, time }) => [delivery_id, kind, key ?? "", ago(time)]),
  );
}

/** So many are shown with the run. */
const MAX_SHOWN = 20;

/** The newest deliveries of a run that has several, oldest first; nothing for one that has no more than one. */
async function deliveryLines(client: Millrace, run: Models["RunItem"]): Promise<string | null> {
  if (!run.delivery_id) return null;
  const { deliveries: all } = await client.runs.listDeliveries(run.run_id);
  if (all.length < 2) return null;
  const lines = all
    .slice(-MAX_SHOWN)
    .map(({ delivery_id, kind, time }) => `${delivery_id}  ${kind}  ${ago(time)}`);
  const more = all.length - lines.length;
  if (more > 0) lines.push(`and ${more} more: \`millrace runs deliveries ${run.run_id}\` lists them`);
  return lines.join("\n");
}

/** What a person reads for the reason of a refusal. */
const REASONS: Readonly<Record<Models["RunNetwork"]["refused"][number]["reason"], string>> = {
  not_allowed: "not in the allowlist",
  private_address: "a private address that the allowlist does not name",
  host_mismatch: "another host was asked for inside of the connection",
  invalid: "not a valid request",
  unresolved: "the name could not be resolved",
  unreachable: "could not be reached",
  too_many_connections: "too many open connections",
  over_budget: "the budget of the run is used up",
};

function runNetworkCommand(): Command {
  return asClientCommand(
    new Command("network")
      .argument("[id]", RUN_OR_LATEST, runIdStart)
      .description("list the hosts that a run reached, and those that it was refused"),
  ).action(network);
}

async function network(given: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const found = await client.runs.network(await findRunOrLatest(client, given));
  if (options.json) return printJson(found);
  const { reached, refused } = found;
  if (reached.length + refused.length === 0) {
    print(
      "No connections are recorded for this run. They are recorded only for runs whose network is limited.",
    );
    return;
  }
  printTable(
    ["HOST", "PORT", "REQUESTS", "RESULT"],
    [
      ...reached.map((one) => [one.host, String(one.port), String(one.requests), "reached"]),
      ...refused.map((one) => [
        one.host,
        String(one.port),
        String(one.requests),
        `refused: ${REASONS[one.reason]}`,
      ]),
    ],
  );
}
