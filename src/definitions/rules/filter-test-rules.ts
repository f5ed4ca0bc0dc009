import type { RepositoryReference } from "../definition.ts";
import { type TestedDelivery, tryTriggers } from "../filter-test.ts";
import { checkPattern } from "../filters/filter.ts";
import { at } from "../filters/payload-field.ts";
import type { Problem } from "../problem.ts";
import { resolveTrigger, writtenConcurrency, writtenDuration } from "../resolve.ts";
import { simulateRuns } from "../simulated-runs.ts";
import { problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import type { WrittenAutomation, WrittenSequenceTest } from "../written.ts";
import { writtenKeyOf } from "./concurrency-rules.ts";

/** What the tests beside an automation expect of its triggers is so. Whether it is enabled makes no difference. */
export const filterTestsHold: TreeRule = (tree) => {
  const automations = new Map(tree.automations.map((automation) => [automation.name, automation]));
  return tree.filterTests.flatMap((test) => {
    const automation = automations.get(test.automation);
    return automation && hasValidFilters(automation) ? failure(test, automation, tree) : [];
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
  tree: WrittenTree,
): Problem[] {
  if (!("fires" in test.data)) return sequenceFailure(test, test.data, automation, tree);
  const repositories = repositoriesOf(tree);
  const { fires, ...delivery } = test.data;
  const trials = trialsOf(automation, delivery, repositories);
  const fired = trials.find((trial) => trial.fires);
  if ((fired !== undefined) === fires) return [];
  const message = fired
    ? `"${automation.name}" must not fire for this test, but trigger ${fired.index + 1} of ${automation.path} fires`
    : `"${automation.name}" must fire for this test, but does not: ${whyNot(trials, delivery.event)}`;
  return [problemAt(test, ["fires"], "FF_TEST_FAILED", message)];
}

const repositoriesOf = (tree: WrittenTree) => tree.factory?.data.repositories ?? [];

function trialsOf(
  automation: WrittenFile<WrittenAutomation>,
  delivery: TestedDelivery,
  repositories: readonly RepositoryReference[],
) {
  // A test may leave out whose repository it is; then it is one of the factory.
  const limits = at(delivery.payload, "repository") === undefined ? [] : repositories;
  const triggers = automation.data.triggers.map((trigger) => resolveTrigger(trigger, limits));
  return tryTriggers(triggers, delivery);
}

/** The runs that several deliveries make, by the rules of the automation for deliveries that belong together. */
function sequenceFailure(
  test: WrittenTree["filterTests"][number],
  { deliveries, runs, runsTake }: WrittenSequenceTest,
  automation: WrittenFile<WrittenAutomation>,
  tree: WrittenTree,
): Problem[] {
  const times = timesOf(deliveries);
  const early = times.findIndex((time, index) => index > 0 && time < (times[index - 1] ?? 0));
  if (early >= 0) {
    const message = `at: delivery ${early + 1} comes before the one above it: list deliveries in the order in which they come`;
    return [problemAt(test, ["deliveries", early, "at"], "FF_INVALID_VALUE", message)];
  }
  const { keyed, debounce } = writtenConcurrency(automation.data.millrace ?? {});
  const keyOf = keyed && writtenKeyOf(keyed.key, automation, tree);
  const firing = deliveries.flatMap(({ at: _, ...delivery }, place) => {
    if (!trialsOf(automation, delivery, repositoriesOf(tree)).some((trial) => trial.fires)) return [];
    const key = keyOf?.(delivery.payload);
    return [{ at: times[place] ?? 0, key, place }];
  });
  const runMs = runsTake === undefined ? 0 : writtenDuration(runsTake);
  const made = simulateRuns(firing, { keyed, debounce, runMs })
    .filter(({ replaced }) => replaced !== "waiting")
    .map((run) => run.deliveries.map((index) => (firing[index]?.place ?? 0) + 1));
  if (JSON.stringify(made) === JSON.stringify(runs)) return [];
  const message = `the deliveries of this test make the runs ${JSON.stringify(made)} of "${automation.name}", not ${JSON.stringify(runs)}`;
  return [problemAt(test, ["runs"], "FF_TEST_FAILED", message)];
}

/** In milliseconds after the first one. */
function timesOf(deliveries: WrittenSequenceTest["deliveries"]): number[] {
  let last = 0;
  return deliveries.map(({ at: written }) => {
    if (written !== undefined) last = writtenDuration(written);
    return last;
  });
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
