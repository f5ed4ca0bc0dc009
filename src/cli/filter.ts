import { Command } from "commander";
import type { Models } from "../client/client.ts";
import { parseYaml } from "../definitions/parse.ts";
import { formatProblem } from "../definitions/problem.ts";
import { MillraceError } from "../error.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { readJsonFile, readTextFile } from "./input.ts";
import { print, printJson } from "./output.ts";

interface TestOptions extends ConnectOptions {
  filter: string;
  body?: string;
  delivery?: string;
}

export function filterCommand(): Command {
  const filter = new Command("filter").description("payload filters");
  asClientCommand(filter.command("test").description("say whether a filter would trigger, and why"), {
    ofFactory: true,
  })
    .requiredOption(
      "--filter <file>",
      "a payload filter as YAML or JSON, or the filter of a trigger (webhook_ids, payload)",
    )
    .option("--body <file>", "a JSON body to hold it against")
    .option("--delivery <id>", "an accepted delivery to hold it against")
    .action(test);
  return filter;
}

async function test(options: TestOptions): Promise<void> {
  if ((options.body === undefined) === (options.delivery === undefined)) {
    throw new MillraceError("invalid_request", "filter test takes either --body FILE or --delivery ID.");
  }
  const filter = asTriggerFilter(await readYaml(options.filter));
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
}

/** One check as a line: a mark, what was checked, and what was found. */
export function checkLine({ check, passed, field, reason }: Models["FilterCheck"]): string {
  return `  ${passed ? "✓" : "✗"} ${field ?? check}: ${reason}`;
}

const TRIGGER_KEYS = ["webhook_ids", "payload"];

/** A payload filter may be given alone; the filter of a trigger is told by the webhooks that it names. */
function asTriggerFilter(written: Record<string, unknown>): object {
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
