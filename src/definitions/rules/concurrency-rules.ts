import { DAY_MS, HOUR_MS } from "../../time/duration.ts";
import type { EventProviderName } from "../definition.ts";
import { isEventProvider } from "../events/event-provider.ts";
import { compileKey, keyProblem, THREAD, usesThread } from "../key-template.ts";
import { writtenProviderOf } from "../listening.ts";
import { writtenDuration } from "../resolve.ts";
import { type FileRule, problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import type {
  WrittenAutomation,
  WrittenConcurrency,
  WrittenDelivery,
  WrittenFilterTest,
} from "../written.ts";

const SHORTEST_MS = 1_000;
const MAX_WINDOW_MS = DAY_MS;
const MAX_MEMORY_MS = 90 * DAY_MS;

export const keyIsATemplate: FileRule<WrittenAutomation> = (automation) => {
  const key = keyedOf(automation)?.key;
  const problem = key === undefined ? undefined : keyProblem(key);
  return problem === undefined
    ? []
    : [problemAt(automation, ["millrace", "concurrency", "key"], "FF_INVALID_VALUE", `key: ${problem}`)];
};

export const windowsAreWithinLimits: FileRule<WrittenAutomation> = (automation) => {
  const { quiet, longest } = automation.data.millrace?.debounce ?? {};
  const limits = [
    {
      path: ["concurrency", "forgetAfter"],
      text: keyedOf(automation)?.forgetAfter,
      least: SHORTEST_MS,
      most: MAX_MEMORY_MS,
      expected: "1s to 90d",
    },
    {
      path: ["debounce", "quiet"],
      text: quiet,
      least: SHORTEST_MS,
      most: MAX_WINDOW_MS,
      expected: "1s to 24h",
    },
    {
      path: ["debounce", "longest"],
      text: longest,
      least: quiet === undefined ? SHORTEST_MS : writtenDuration(quiet),
      most: MAX_WINDOW_MS,
      expected: `at least quiet (${quiet}) and at most ${MAX_WINDOW_MS / HOUR_MS}h`,
    },
  ];
  return limits.flatMap(({ path, text, least, most, expected }) => {
    if (text === undefined || isWithin(text, least, most)) return [];
    const message = `${path.at(-1)}: ${text} is out of range: expected ${expected}`;
    return [problemAt(automation, ["millrace", ...path], "FF_INVALID_VALUE", message)];
  });
};

function isWithin(text: string, least: number, most: number): boolean {
  const ms = writtenDuration(text);
  return ms >= least && ms <= most;
}

/** Only the events of known providers have a thread. */
export const threadsHaveAProvider: TreeRule = (tree) =>
  tree.automations.flatMap((automation) => {
    const key = keyedOf(automation)?.key;
    if (key === undefined || !usesThread(key) || providersOf(automation, tree).length > 0) return [];
    const message = `key: {{${THREAD}}} stands for the conversation of an event of github, gitlab, linear, jira or slack, and no trigger of this automation selects a webhook with their signatures: for other payloads, it is a field with that name`;
    return [
      problemAt(automation, ["millrace", "concurrency", "key"], "FF_INVALID_VALUE", message, "warning"),
    ];
  });

/** A delivery without the key's field is a run of its own, which is seldom what the author of the key means. */
export const testedDeliveriesHaveTheKey: TreeRule = (tree) => {
  const automations = new Map(tree.automations.map((automation) => [automation.name, automation]));
  return tree.filterTests.flatMap((test) => {
    const automation = automations.get(test.automation);
    const key = automation && keyedOf(automation)?.key;
    if (!automation || key === undefined || keyProblem(key) !== undefined) return [];
    const keyOf = writtenKeyOf(key, automation, tree);
    const lacking = startingDeliveries(test.data).filter(
      ({ delivery }) => keyOf(delivery.payload) === undefined,
    );
    return lacking.map(({ path }) => {
      const message = `the payload has no value for the key ${key} of "${automation.name}", so this delivery starts a run of its own`;
      return problemAt(test, path, "FF_INVALID_VALUE", message, "warning");
    });
  });
};

function startingDeliveries(
  test: WrittenFilterTest,
): { delivery: WrittenDelivery; path: (string | number)[] }[] {
  if ("fires" in test) return test.fires ? [{ delivery: test, path: ["payload"] }] : [];
  const started = new Set(test.runs.flat());
  return test.deliveries.flatMap((delivery, index) =>
    started.has(index + 1) ? [{ delivery, path: ["deliveries", index, "payload"] }] : [],
  );
}

/** The key of a delivery to an automation, whichever of its webhooks it comes to. */
export function writtenKeyOf(
  template: string,
  automation: WrittenFile<WrittenAutomation>,
  tree: WrittenTree,
): (payload: unknown) => string | undefined {
  const keys = [...providersOf(automation, tree), undefined].map((provider) =>
    compileKey(template, provider),
  );
  return (payload) => {
    for (const keyOf of keys) {
      const key = keyOf(payload);
      if (key !== undefined) return key;
    }
    return undefined;
  };
}

/** The providers whose events can start an automation. */
function providersOf({ data }: WrittenFile<WrittenAutomation>, tree: WrittenTree): EventProviderName[] {
  const named = new Set(data.triggers.flatMap(({ millrace }) => millrace?.webhooks ?? []));
  const selectsByUid = data.triggers.some(({ filter }) => filter?.webhook_ids !== undefined);
  const ofWebhooks = tree.webhooks
    .filter(({ name }) => selectsByUid || named.has(name))
    .flatMap((webhook) => writtenProviderOf(webhook.data) ?? []);
  const ofTriggers = data.triggers.map(({ provider }) => provider).filter(isEventProvider);
  return [...new Set([...ofWebhooks, ...ofTriggers])];
}

function keyedOf({ data }: WrittenFile<WrittenAutomation>): WrittenConcurrency | undefined {
  const { concurrency } = data.millrace ?? {};
  return typeof concurrency === "object" ? concurrency : undefined;
}
