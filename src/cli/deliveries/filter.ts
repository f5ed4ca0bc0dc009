import { resolve } from "node:path";
import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import type { Automation } from "../../definitions/definition.ts";
import { type TestedDelivery, type Trial, tryTriggers } from "../../definitions/filter-test.ts";
import { type Clause, compileFilter } from "../../definitions/filters/compile-filter.ts";
import { checkPattern, type PayloadPattern } from "../../definitions/filters/filter.ts";
import { loadDefinition } from "../../definitions/loading/load.ts";
import { parseYaml } from "../../definitions/loading/parse.ts";
import { formatProblem, hasErrors } from "../../definitions/problem.ts";
import { MillraceError } from "../../errors/error.ts";
import { locateSource, sourceName } from "../../git/source-location.ts";
import { deliveryIdStart, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { readDefinitionFolder } from "../factories/definition-folder.ts";
import { readJsonFile, readTextFile } from "../input.ts";
import { print, printJson } from "../output.ts";
import { findDeliveryId } from "./find-delivery.ts";

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
  const filter = new Command("filter").description("test payload filters");
  asClientCommand(
    filter.command("test").description("test whether a filter would trigger, and explain why"),
    {
      ofFactory: true,
    },
  )
    .option(
      "--filter <file>",
      "payload filter as YAML or JSON, or the filter of a trigger (webhook_ids, payload)",
    )
    .option("--body <file>", "JSON body to test the filter with")
    .option(
      "--delivery <id>",
      "ID of an accepted delivery to test the filter with, or its first characters",
      deliveryIdStart,
    )
    .option("--dir <dir>", "test offline with the definition in this folder; requires --body")
    .option("--automation <name>", "with --dir: test the triggers of this automation instead of --filter")
    .option("--webhook <name>", "with --automation: webhook that receives the body")
    .option(
      "--event <name>",
      "with --automation: value of the X-GitHub-Event header, or an event of the provider factory",
    )
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
    refuse("Specify either --body FILE or --delivery ID.");
  if ((filter === undefined) === (automation === undefined))
    refuse("Specify either --filter FILE or, with --dir, --automation NAME.");
  if (dir === undefined && [automation, webhook, event].some((option) => option !== undefined))
    refuse("--automation, --webhook and --event require --dir DIR.");
  if (dir !== undefined && delivery !== undefined)
    refuse("--delivery requires a server: use --body FILE instead, or omit --dir.");
}

async function askServer(options: TestOptions): Promise<boolean> {
  const filter = asTriggerFilter(await readYaml(options.filter ?? ""));
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const subject =
    options.body === undefined
      ? { delivery_id: await findDeliveryId(client, factory, options.delivery ?? "") }
      : { body: await readJsonFile(options.body) };
  const body = { ...filter, ...subject } as Models["FilterTestRequest"];
  const tested = await client.automations.testFilter(factory, body);
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
    if (triggers.length === 0) print("  ✗ no trigger matches such a delivery");
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

/** Whether a delivery would start a run, with every condition that was asked. */
export interface OfflineAnswer {
  would: boolean;
  triggers: Omit<Trial, "index">[];
}

/** Holds a body against a payload filter. @throws MillraceError for one that is not valid */
function tryFilter(pattern: unknown, payload: unknown): OfflineAnswer {
  const [problem] = pattern === undefined ? [] : checkPattern(pattern);
  if (problem)
    throw new MillraceError("invalid_request", `The payload filter is not valid: ${problem.message}.`);
  const clauses: Clause[] =
    pattern === undefined ? [] : compileFilter(pattern as PayloadPattern).explain(payload);
  const fires = clauses.every(({ passed }) => passed);
  return { would: fires, triggers: [{ fires, clauses }] };
}

/** Holds a delivery against the triggers of an automation in a folder. @throws MillraceError */
async function tryAutomation(dir: string, name: string, delivery: TestedDelivery): Promise<OfflineAnswer> {
  const trials = tryTriggers((await automationIn(dir, name)).triggers, delivery);
  return { would: trials.some(({ fires }) => fires), triggers: trials };
}

async function automationIn(dir: string, name: string): Promise<Automation> {
  const tree = await readDefinitionFolder(dir, "millrace filter test --dir");
  const { definition, problems } = await loadDefinition(tree, sourceName(locateSource(resolve(dir))));
  if (!definition || hasErrors(problems)) {
    const shown = problems.filter(({ severity }) => severity === "error").map((each) => formatProblem(each));
    throw new MillraceError(
      "invalid_request",
      `The definition in ${dir} is not valid:\n\n${shown.join("\n")}`,
    );
  }
  const found = definition.automations.find((each) => each.name === name);
  if (found) return found;
  throw new MillraceError("resource_not_found", `The definition in ${dir} has no automation "${name}".`, {
    remedy: `Its automations: ${definition.automations.map((each) => each.name).join(", ") || "none"}.`,
  });
}
