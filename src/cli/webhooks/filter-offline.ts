import { resolve } from "node:path";
import type { Automation } from "../../definitions/definition.ts";
import { type Clause, compileFilter } from "../../definitions/filters/compile-filter.ts";
import { checkPattern, type PayloadPattern } from "../../definitions/filters/filter.ts";
import { type TestedDelivery, type Trial, tryTriggers } from "../../definitions/filters/filter-test.ts";
import { loadDefinition } from "../../definitions/loading/load.ts";
import { formatProblem, hasErrors } from "../../definitions/problem.ts";
import { MillraceError } from "../../errors/error.ts";
import { locateSource, sourceName } from "../../git/source-location.ts";
import { readDefinitionFolder } from "../factories/definition-folder.ts";

/** Whether a delivery would start a run, with every condition that was asked. */
export interface OfflineAnswer {
  would: boolean;
  triggers: Omit<Trial, "index">[];
}

/** Holds a body against a payload filter. @throws MillraceError for one that is not valid */
export function tryFilter(pattern: unknown, payload: unknown): OfflineAnswer {
  const [problem] = pattern === undefined ? [] : checkPattern(pattern);
  if (problem)
    throw new MillraceError("invalid_request", `The payload filter is not valid: ${problem.message}.`);
  const clauses: Clause[] =
    pattern === undefined ? [] : compileFilter(pattern as PayloadPattern).explain(payload);
  const fires = clauses.every(({ passed }) => passed);
  return { would: fires, triggers: [{ fires, clauses }] };
}

/** Holds a delivery against the triggers of an automation in a folder. @throws MillraceError */
export async function tryAutomation(
  dir: string,
  name: string,
  delivery: TestedDelivery,
): Promise<OfflineAnswer> {
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
