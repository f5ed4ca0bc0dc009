import { factoryPath } from "../../parts/factory-path.ts";

/** Lists of the whole server, by what the actions on their items end with. */
const LISTS: readonly [ending: RegExp, path: string][] = [
  [/Secret$/, "/secrets"],
  [/ApiKey$/, "/keys"],
  [/Worker(Drain)?$/, "/workers"],
  [/Environment$/, "/environments"],
  [/Schedule$/, "/schedules"],
  [/Identity$/, "/agents"],
];

const OF_WEBHOOKS = new Set([
  "updateWebhook",
  "deleteDeliveries",
  "sendTestDelivery",
  "rotateWebhookSecret",
  "adoptWebhook",
]);
const OF_RUNS = new Set(["followUp", "cancelRun", "dismissRun", "reportBlocked", "reportArtifact"]);
const OF_FACTORIES = new Set(["syncFactory", "suspendFactory", "resumeFactory", "rollBackFactory"]);

/**
 * The page of what a call was about, by its operation and its path parameters; nothing where there is no page, or no longer
 * one.
 */
export function subjectLink(action: string, subject: string): string | undefined {
  const [first = "", ...rest] = subject.split("/");
  const second = rest.join("/");
  if (first === "") return undefined;
  if (OF_RUNS.has(action)) return `/runs/${encodeURIComponent(first)}`;
  if (OF_FACTORIES.has(action)) return factoryPath(first, "revisions");
  if (OF_WEBHOOKS.has(action)) return factoryPath(first, "webhooks", second);
  if (action === "createWebhook" || action === "deleteWebhook") return factoryPath(first, "webhooks");
  if (action === "redeliver" || action === "deletePayload")
    return `/deliveries?${new URLSearchParams({ factory: first, delivery: second })}`;
  if (action === "putAutomation") return factoryPath(first, "automations", second);
  if (action === "deleteAutomation") return factoryPath(first, "automations");
  if (action === "putFile") return factoryPath(first, "files", ...rest);
  if (action === "changeFiles" || action === "deleteFile") return factoryPath(first, "files");
  return LISTS.find(([ending]) => ending.test(action))?.[1];
}
