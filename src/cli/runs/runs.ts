import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { formatBytes } from "../../config/values.ts";
import { pluralize } from "../../pluralize.ts";
import { artifactText } from "../../runs/output/artifact.ts";
import { MAX_AHEAD } from "../../runs/rules/waiting.ts";
import { describeDuration, isoMilliseconds } from "../../time/duration.ts";
import { requestWait, runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printFields, printJson, printTable } from "../output.ts";
import { present } from "../present.ts";
import { printConversation } from "./conversation.ts";
import { findRunId, findRunOrLatest, RUN_OR_LATEST } from "./find-run.ts";
import { runDeleteCommand, runDismissCommand, runFollowUpCommand } from "./run-actions.ts";
import { runAgainCommand } from "./run-again.ts";
import { runArtifactsCommand } from "./run-artifacts.ts";
import { runCancelCommand } from "./run-cancel.ts";
import { runCreateCommand } from "./run-create.ts";
import { deliveryLines, runDeliveriesCommand } from "./run-deliveries.ts";
import { runAttachmentsCommand } from "./run-files.ts";
import { runListCommand } from "./run-list.ts";
import { logs } from "./run-logs.ts";
import { runNetworkCommand } from "./run-network.ts";
import { runTreeCommand } from "./run-tree.ts";

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
      ["TIME", "EVENT", "SANDBOX"],
      events.map(({ occurred_at, event_type, payload }) => [occurred_at, event_type, payload?.sandbox ?? ""]),
    );
}
