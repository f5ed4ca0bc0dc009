import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";

/** One call: how it was answered, what it did to what, and who called. */
export function AuditRow({ record }: { record: Models["AuditRecord"] }) {
  const { at, principal, run_id, action, subject, status, address, trace_id, repeats } = record;
  return (
    <tr>
      <td>
        <Chip tone={status < 400 ? "green" : "red"}>{status}</Chip>
      </td>
      <td className={main}>
        {action} {subject && <Subject action={action} subject={subject} />}
        {repeats && (
          <div className={muted}>and {counted(repeats, "more request")} like this within a minute</div>
        )}
        {trace_id && <div className={muted}>trace ID {trace_id}</div>}
      </td>
      <td>
        {principal.display_name ?? principal.uid}
        {run_id && (
          <div className={muted}>
            the agent of run <Link href={`/runs/${run_id}`}>{run_id.slice(0, 8)}</Link>
          </div>
        )}
      </td>
      <td className={`${wide} ${muted}`}>{address}</td>
      <td className={`${right} ${muted}`}>
        <RelativeTime at={at} />
      </td>
    </tr>
  );
}

function Subject({ action, subject }: { action: string; subject: string }) {
  const href = subjectLink(action, subject);
  const text = <code>{subject}</code>;
  return href === undefined ? text : <Link href={href}>{text}</Link>;
}

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
function subjectLink(action: string, subject: string): string | undefined {
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
