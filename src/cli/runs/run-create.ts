import { Command, Option } from "commander";
import type { Millrace } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { metadataPair, present, runIdStart, textList } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { print, printError, printJson, printJsonLine } from "../output.ts";
import { followRun } from "./run-logs.ts";
import {
  type PromptOptions,
  type RequestOptions,
  readPrompt,
  runRequest,
  withCheckoutOptions,
} from "./run-request.ts";
import { awaitEnd, endText } from "./run-text.ts";

interface CreateOptions extends ConnectOptions, PromptOptions, RequestOptions {
  idempotencyKey?: string;
  wait?: true;
  follow?: true;
  ticket?: string;
  ticketUrl?: string;
}

export function runCreateCommand(): Command {
  return withCheckoutOptions(asClientCommand(new Command("create").description("start a run")))
    .argument("[prompt]", "prompt for the agent (- for standard input)")
    .option("--prompt <text>", "prompt for the agent, in place of the argument")
    .option("--prompt-file <file>", "read the prompt from a file (- for standard input)")
    .option("--title <text>", "display title of the run")
    .option("--agent <name>", "agent that executes the run, by name or UID")
    .addOption(
      new Option(
        "--mode <mode>",
        "plan: ask for approval of a plan first; orchestrate: use the foreman",
      ).choices(["normal", "plan", "orchestrate"]),
    )
    .addOption(
      new Option("--priority <priority>", "which runs of the factory start first").choices([
        "interactive",
        "normal",
        "batch",
      ]),
    )
    .option("--skill <spec>", "skill such as owner/repo:name; makes the prompt optional")
    .option("--model <id>", "model to use")
    .option("--harness <type>", "harness that runs the agent's program, such as claude")
    .option("--runner <name>", "runner of the factory that the run executes on")
    .option(
      "--secret <name>",
      "secret that the run gets; repeatable; by default, it gets all secrets of its agent",
      textList,
    )
    .option("--name <name>", "name of the run's configuration, for filtering")
    .option("--environment <name>", "environment of the run, by name or UID")
    .option("--output-schema <file>", "file with the JSON Schema that the answer has to fit")
    .option("--metadata <key=value>", "metadata of the run; repeatable", metadataPair)
    .option("--attach <file>", "file to attach; repeatable, at most 5 times", textList)
    .option("--parent <id>", "parent run", runIdStart)
    .option("--idempotency-key <key>", "idempotency key: retries with the same key start one run")
    .option("--wait", "wait until the run has ended")
    .option("-f, --follow", "print the agent's output until the run has ended")
    .option("--factory <name>", "assign the run to the foreman of this factory")
    .option("--ticket <source:id>", "with --factory: ticket that the run is for")
    .option("--ticket-url <url>", "with --factory: URL of the ticket")
    .addHelpText("after", "\nWith --wait or --follow, the exit code is 0 only if the run SUCCEEDED.")
    .action(create);
}

async function create(argument: string | undefined, options: CreateOptions): Promise<void> {
  refuseWhatDoesNotGoTogether(options);
  const client = connect(options);
  const prompt = await readPrompt(argument, options);
  const started = options.factory === undefined ? startRun : dispatchRun;
  const answer = await started(client, prompt, options);
  const { run_id: id } = answer;
  if (options.follow) {
    if (options.json) printJsonLine(answer);
    else printError(`Run ${id}:`);
    await followRun(client, id, options);
    if (process.exitCode !== undefined && !options.json) printError(endText(await client.runs.get(id)));
    return;
  }
  if (!options.json) print(id);
  else if (!options.wait) printJson(answer);
  if (options.factory === undefined && options.agent === undefined) await sayWhenOfNoFactory(client, id);
  if (options.wait) await awaitEnd(client, id, options);
}

async function startRun(client: Millrace, prompt: string | undefined, options: CreateOptions) {
  if (prompt === undefined && options.skill === undefined) throw noPrompt();
  const { idempotencyKey } = options;
  return client.runs.create(await runRequest(client, prompt, options), present({ idempotencyKey }));
}

async function dispatchRun(client: Millrace, prompt: string | undefined, options: CreateOptions) {
  if (prompt === undefined) throw noPrompt();
  const { factory = "", title, ticket, ticketUrl, idempotencyKey } = options;
  const optional = present({ title, ticket_ref: ticket, ticket_url: ticketUrl });
  return client.factories.dispatch(factory, { prompt, ...optional }, present({ idempotencyKey }));
}

function noPrompt(): MillraceError {
  return new MillraceError("invalid_request", "A run requires a prompt.", {
    remedy: "Specify PROMPT, --prompt-file FILE, or - for standard input.",
  });
}

/** A foreman decides about everything else. */
const NOT_FOR_FOREMEN = [
  "agent",
  "mode",
  "priority",
  "skill",
  "model",
  "harness",
  "runner",
  "secret",
  "name",
  "environment",
  "outputSchema",
  "metadata",
  "attach",
  "parent",
  "ref",
  "repository",
] as const;

function refuseWhatDoesNotGoTogether(options: CreateOptions): void {
  const { factory, ticket, ticketUrl } = options;
  if (factory === undefined && (ticket ?? ticketUrl) !== undefined) {
    throw new MillraceError("invalid_request", "--ticket and --ticket-url require --factory.", {
      remedy: "Specify the factory with --factory.",
    });
  }
  const wrong = NOT_FOR_FOREMEN.filter((name) => factory !== undefined && options[name] !== undefined);
  if (wrong.length === 0) return;
  throw new MillraceError(
    "invalid_request",
    `Cannot use ${wrong.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`).join(", ")} for a run assigned to a factory: the factory's foreman decides.`,
    { remedy: "Omit these options, or use --agent instead of --factory." },
  );
}

async function sayWhenOfNoFactory(client: Millrace, runId: string): Promise<void> {
  const run = await client.runs.get(runId);
  if (run.factory_uid !== undefined) return;
  printError(
    "The run belongs to no factory, because the API key can access none or several: it uses the server's default harness, without an agent's prompt and secrets. " +
      "Specify --factory or --agent, or use an API key of one factory (`millrace keys create --factory NAME`).",
  );
}
