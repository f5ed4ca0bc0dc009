import { DEFAULT_AGENT, type ProviderTrigger } from "../definition.ts";
import { compileEvent } from "../events/compile-event.ts";
import { TASK_STAGES } from "../events/factory-events.ts";
import { listsOf } from "../filters/matcher-list.ts";
import type { DataPath } from "../loading/parse.ts";
import type { Problem } from "../problem.ts";
import { namesOf, problemAt, type TreeRule, type WrittenFile } from "../tree.ts";
import type { WrittenAutomation, WrittenMatcher, WrittenTrigger } from "../written.ts";
import { isForeman } from "./agent-rules.ts";

/** Names in the filters of the factory's own events stand for agents, automations and stages. */
export const factoryEventsNameWhatIsThere: TreeRule = (tree) => {
  const agents = namesOf(tree, "agent");
  if (agents.size === 0) agents.add(DEFAULT_AGENT);
  const automations = namesOf(tree, "automation");
  const stages = new Set<string>(TASK_STAGES);
  return eachTrigger(tree.automations, (automation, trigger, at) =>
    namesIn(trigger, at).flatMap(({ key, value, at: place }): Problem[] => {
      const name = String(value);
      if (key === "stages" && !stages.has(name.toUpperCase())) {
        const message = `stages: there is no stage "${name}": expected one of ${TASK_STAGES.join(", ")}`;
        return [problemAt(automation, place, "FF_FILTER_NEVER_MATCHES", message, "warning")];
      }
      if (key === "agents" && !agents.has(name)) {
        const message = `agents: there is no agent "${name}": expected a folder with that name in agents/`;
        return [problemAt(automation, place, "FF_INVALID_REFERENCE", message)];
      }
      if (key === "automations" && !automations.has(name)) {
        const message = `automations: there is no automation "${name}": expected a folder with that name in automations/`;
        return [problemAt(automation, place, "FF_INVALID_REFERENCE", message)];
      }
      return [];
    }),
  );
};

/** Runs that may fail for a while; one that starts itself after these goes on only as long as it fails. */
const FAILED_STATES = ["FAILED", "ERROR", "CANCELLED"];

/** An automation whose own runs fire its trigger would go on for ever, which the server ends after a few runs. */
export const automationsDoNotStartThemselves: TreeRule = (tree) => {
  const foreman = tree.agents.find(isForeman)?.name ?? DEFAULT_AGENT;
  return eachTrigger(tree.automations, (automation, trigger, at) => {
    const { provider, event } = trigger;
    const filter = trigger.filter ?? {};
    const written: ProviderTrigger = { provider: "factory", event, filter };
    const compiled = compileEvent(written);
    const run = { agent: automation.data.agent ?? foreman, automation: automation.name };
    const fires = (state: string) => compiled.matches({ event, payload: { run: { ...run, state } } });
    const problem = (what: string, severity: "error" | "warning") => {
      const message =
        `${provider}.${event}: ${what} of this automation fires the trigger again: ` +
        `exclude the automation with filter: {automations: {not_in: [${automation.name}]}}`;
      return [problemAt(automation, at, "FF_TRIGGER_LOOP", message, severity)];
    };
    if (automation.data.enabled === false) return [];
    if (event === "run_blocked") return fires("BLOCKED") ? problem("a question of a run", "error") : [];
    if (event !== "run_ended") return [];
    if (fires("SUCCEEDED")) return problem("every run", "error");
    return FAILED_STATES.some(fires) ? problem("a run that fails", "warning") : [];
  });
};

/** The triggers of the factory's own events, with their places. */
function eachTrigger(
  automations: readonly WrittenFile<WrittenAutomation>[],
  check: (
    automation: WrittenFile<WrittenAutomation>,
    trigger: WrittenTrigger,
    at: (string | number)[],
  ) => Problem[],
): Problem[] {
  return automations.flatMap((automation) =>
    automation.data.triggers.flatMap((trigger, index) =>
      trigger.provider === "factory" ? check(automation, trigger, ["triggers", index]) : [],
    ),
  );
}

/** Every name in a filter, and where it stands. */
function namesIn({ filter }: WrittenTrigger, at: (string | number)[]) {
  return Object.entries(filter ?? {}).flatMap(([key, matcher]) => {
    const place = [...at, "filter", key];
    const { included, excluded } = listsOf(matcher as WrittenMatcher);
    const listed = (values: readonly unknown[], list: DataPath) =>
      values.map((value, index) => ({ key, value, at: [...list, index] }));
    return [
      ...listed(included, Array.isArray(matcher) ? place : [...place, "in"]),
      ...listed(excluded, [...place, "not_in"]),
    ];
  });
}
