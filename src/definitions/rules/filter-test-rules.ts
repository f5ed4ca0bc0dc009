import type { RepositoryReference } from "../definition.ts";
import { checkPattern } from "../filters/filter.ts";
import { tryTriggers } from "../filters/filter-test.ts";
import { at } from "../filters/payload-field.ts";
import type { Problem } from "../problem.ts";
import { resolveTrigger } from "../resolve.ts";
import { problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import type { WrittenAutomation } from "../written.ts";

/** What the tests beside an automation expect of its triggers is so. Whether it is enabled makes no difference. */
export const filterTestsHold: TreeRule = (tree) => {
  const repositories = tree.factory?.data.repositories ?? [];
  const automations = new Map(tree.automations.map((automation) => [automation.name, automation]));
  return tree.filterTests.flatMap((test) => {
    const automation = automations.get(test.automation);
    return automation && hasValidFilters(automation) ? failure(test, automation, repositories) : [];
  });
};

/** A test of nothing is most likely what was left behind. */
export const filterTestsHaveAnAutomation: TreeRule = (tree) =>
  tree.filterTests
    .filter(({ automation }) => !tree.present.some((file) => isAutomation(file, automation)))
    .map((test) => {
      const message = `there is no automation "${test.automation}" for this test, so it is not run`;
      return problemAt(test, [], "FF_INVALID_REFERENCE", message, "notice");
    });

function isAutomation(file: WrittenTree["present"][number], name: string): boolean {
  return file.kind === "automation" && file.name === name;
}

/** A filter that is broken has a problem of its own. */
function hasValidFilters({ data }: WrittenFile<WrittenAutomation>): boolean {
  return data.triggers.every(
    ({ provider, filter }) =>
      provider !== "webhook" || filter?.payload === undefined || checkPattern(filter.payload).length === 0,
  );
}

function failure(
  test: WrittenTree["filterTests"][number],
  automation: WrittenFile<WrittenAutomation>,
  repositories: readonly RepositoryReference[],
): Problem[] {
  const { fires, ...delivery } = test.data;
  // A test may leave out whose repository it is; then it is one of the factory.
  const limits = at(delivery.payload, "repository") === undefined ? [] : repositories;
  const trials = tryTriggers(
    automation.data.triggers.map((trigger) => resolveTrigger(trigger, limits)),
    delivery,
  );
  const fired = trials.find((trial) => trial.fires);
  if ((fired !== undefined) === fires) return [];
  const message = fired
    ? `"${automation.name}" must not fire for this test, but trigger ${fired.index + 1} of ${automation.path} fires`
    : `"${automation.name}" must fire for this test, but does not: ${whyNot(trials, delivery.event)}`;
  return [problemAt(test, ["fires"], "FF_INVALID_FILTER", message)];
}

const MAX_CLAUSES = 3;

function whyNot(trials: ReturnType<typeof tryTriggers>, event: string | undefined): string {
  if (trials.length === 0) {
    const hint = event === undefined ? "; for a trigger of the provider github or factory, set event" : "";
    return `none of its triggers fires for such a delivery${hint}`;
  }
  const failed = trials.flatMap(({ clauses }) => clauses.filter(({ passed }) => !passed));
  const told = failed
    .slice(0, MAX_CLAUSES)
    .map(
      ({ field, expected, found }) =>
        `${field === "" ? "the payload" : field}: expected ${expected}, found ${found}`,
    );
  return [...told, ...(failed.length > MAX_CLAUSES ? [`and ${failed.length - MAX_CLAUSES} more`] : [])].join(
    "; ",
  );
}
