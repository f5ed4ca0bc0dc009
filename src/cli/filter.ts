import { Command } from "commander";
import type { Models } from "../client/client.ts";
import { parseYaml } from "../definitions/parse.ts";
import { formatProblem } from "../definitions/problem.ts";
import { MillraceError } from "../error.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { tryAutomation, tryFilter } from "./filter-offline.ts";
import { readJsonFile, readTextFile } from "./input.ts";
import { print, printJson } from "./output.ts";
import { present } from "./present.ts";

interface TestOptions extends ConnectOptions {
  filter?: string;
  automation?: string;
  dir?: string;
  event?: string;
  webhook?: string;
  body?: string;
  delivery?: string;
}

export function filterCommand(): Command {
  const filter = new Command("filter").description("payload filters");
  asClientCommand(filter.command("test").description("say whether a filter would trigger, and why"), {
    ofFactory: true,
  })
    .option(
      "--filter <file>",
      "a payload filter as YAML or JSON, or the filter of a trigger (webhook_ids, payload)",
    )
    .option("--body <file>", "a JSON body to hold it against")
    .option("--delivery <id>", "an accepted delivery to hold it against")
    .option(
      "--dir <dir>",
      "ask no server: the definition is in this folder, and only --body is there to be tried",
    )
    .option(
      "--automation <name>",
      "with --dir, the automation whose triggers are tried, in place of --filter",
    )
    .option("--webhook <name>", "with --automation, the webhook that the body comes to")
    .option("--event <name>", "with --automation, what the header X-GitHub-Event says")
    .action(test);
  return filter;
}

async function test(options: TestOptions): Promise<void> {
  refuseMixed(options);
  const would = options.dir === undefined ? await askServer(options) : await askFolder(options.dir, options);
  if (!would) process.exitCode = EXIT_CODES.no;
}

/** @throws MillraceError `invalid_request` for options that do not go together */
function refuseMixed({ filter, automation, body, delivery, dir, webhook, event }: TestOptions): void {
  const refuse = (message: string): never => {
    throw new MillraceError("invalid_request", message);
  };
  if ((body === undefined) === (delivery === undefined))
    refuse("filter test takes either --body FILE or --delivery ID.");
  if ((filter === undefined) === (automation === undefined))
    refuse("filter test takes either --filter FILE or, with --dir, --automation NAME.");
  if (dir === undefined && [automation, webhook, event].some((option) => option !== undefined))
    refuse("--automation, --webhook and --event go with --dir DIR.");
  if (dir !== undefined && delivery !== undefined)
    refuse("Only a server knows deliveries: give a body with --body FILE, or leave out --dir.");
}

async function askServer(options: TestOptions): Promise<boolean> {
  const filter = asTriggerFilter(await readYaml(options.filter ?? ""));
  const subject =
    options.body === undefined
      ? { delivery_id: options.delivery }
      : { body: await readJsonFile(options.body) };
  const client = connect(options);
  const body = { ...filter, ...subject } as Models["FilterTestRequest"];
  const tested = await client.automations.testFilter(await chosenFactory(client, options), body);
  if (options.json) printJson(tested);
  else {
    print(tested.result);
    for (const check of tested.checks) print(checkLine(check));
  }
  return tested.result === "Would trigger";
}

/** The same without a server, whose webhooks are not known: the uids in a filter are passed over. */
async function askFolder(dir: string, options: TestOptions): Promise<boolean> {
  const { filter, automation, webhook, event, json } = options;
  const payload = await readJsonFile(options.body ?? "");
  const written = filter === undefined ? undefined : asTriggerFilter(await readYaml(filter));
  const { would, triggers } =
    automation === undefined
      ? tryFilter(written?.payload, payload)
      : await tryAutomation(dir, automation, { payload, ...present({ webhook, event }) });
  const result = would ? "Would trigger" : "Would not trigger";
  if (json) printJson({ result, triggers });
  else {
    print(result);
    for (const { field, passed, expected, found } of triggers.flatMap(({ clauses }) => clauses))
      print(checkLine({ check: "payload", field, passed, reason: `expected ${expected}, found ${found}` }));
    if (triggers.length === 0) print("  ✗ no trigger of it has to do with such a delivery");
  }
  return would;
}

/** One check as a line: a mark, what was checked, and what was found. */
export function checkLine({ check, passed, field, reason }: Models["FilterCheck"]): string {
  return `  ${passed ? "✓" : "✗"} ${field ?? check}: ${reason}`;
}

const TRIGGER_KEYS = ["webhook_ids", "payload"];

/** A payload filter may be given alone; the filter of a trigger is told by the webhooks that it names. */
function asTriggerFilter(written: Record<string, unknown>): { payload?: unknown } {
  const ofTrigger =
    "webhook_ids" in written && Object.keys(written).every((key) => TRIGGER_KEYS.includes(key));
  return ofTrigger ? written : { payload: written };
}

async function readYaml(path: string): Promise<Record<string, unknown>> {
  const text = await readTextFile(path);
  const parsed = parseYaml(path, text);
  if ("file" in parsed) return parsed.file.data;
  const shown = parsed.problems.map((problem) => formatProblem(problem, text)).join("\n\n");
  throw new MillraceError("invalid_request", `The filter is not valid:\n\n${shown}`);
}
