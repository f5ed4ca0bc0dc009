import { Command } from "commander";
import type { Millrace } from "../client/client.ts";
import { MillraceError } from "../error.ts";
import { fileList, metadataPair, runId } from "./arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { print, printError, printJson, printJsonLine } from "./output.ts";
import { present } from "./present.ts";
import { awaitEnd, endText } from "./run-end.ts";
import { followRun } from "./run-logs.ts";
import { type PromptOptions, type RequestOptions, readPrompt, runRequest } from "./run-request.ts";

interface CreateOptions extends ConnectOptions, PromptOptions, RequestOptions {
  idempotencyKey?: string;
  wait?: true;
  follow?: true;
  ticket?: string;
  ticketUrl?: string;
}

export function runCreateCommand(): Command {
  return asClientCommand(new Command("create").description("start a run"))
    .argument("[prompt]", "what the agent is asked to do, - for standard input")
    .option("--prompt <text>", "the same as an option")
    .option("--prompt-file <file>", "take the prompt from a file, - for standard input")
    .option("--title <text>", "a title for people")
    .option("--agent <name>", "the agent that takes it, by uid or name")
    .option("--skill <spec>", "a skill such as owner/repo:name; then the prompt can be left out")
    .option("--model <id>", "the model")
    .option("--name <name>", "the name of its configuration, to find it by")
    .option("--environment <name>", "the environment, by name or uid")
    .option("--metadata <key=value>", "a pair that it is marked with; may be repeated", metadataPair)
    .option("--attach <file>", "a file that it is given; may be repeated, at most 5 times", fileList)
    .option("--parent <id>", "the run that it is started from", runId)
    .option("--idempotency-key <key>", "sent again with the same key, this starts one run")
    .option("--wait", "wait for its end")
    .option("-f, --follow", "print what its agent writes until its end")
    .option("--factory <name>", "hand it to the foreman of this factory")
    .option("--ticket <source:id>", "with --factory: the ticket that asks for it")
    .option("--ticket-url <url>", "with --factory: where the ticket is")
    .addHelpText("after", "\nWith --wait and --follow, exit code 0 is a run that has SUCCEEDED.")
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
  return new MillraceError("invalid_request", "A run needs a prompt.", {
    remedy: "Give it as PROMPT, with --prompt-file FILE, or as - on standard input.",
  });
}

/** A foreman decides about everything else. */
const NOT_FOR_FOREMEN = [
  "agent",
  "skill",
  "model",
  "name",
  "environment",
  "metadata",
  "attach",
  "parent",
] as const;

function refuseWhatDoesNotGoTogether(options: CreateOptions): void {
  const { factory, ticket, ticketUrl } = options;
  if (factory === undefined && (ticket ?? ticketUrl) !== undefined) {
    throw new MillraceError("invalid_request", "A ticket goes with a run that is handed to a factory.", {
      remedy: "Name the factory with --factory.",
    });
  }
  const wrong = NOT_FOR_FOREMEN.filter((name) => factory !== undefined && options[name] !== undefined);
  if (wrong.length === 0) return;
  throw new MillraceError(
    "invalid_request",
    `A run that is handed to a factory has no ${wrong.map((name) => `--${name}`).join(", ")}: its foreman decides.`,
    { remedy: "Leave these options out, or name the agent with --agent in place of --factory." },
  );
}

async function sayWhenOfNoFactory(client: Millrace, runId: string): Promise<void> {
  const run = await client.runs.get(runId);
  if (run.factory_uid !== undefined) return;
  printError(
    "The run belongs to no factory, as the key reaches none or several: it goes to the server's default harness, without the prompt and the secrets of an agent. " +
      "Name a factory with --factory or an agent with --agent, or use a key of one factory (`millrace keys create --factory NAME`).",
  );
}
