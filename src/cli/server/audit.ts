import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { instantPast, itemLimit, MAX_PAGE, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";

interface AuditOptions extends ConnectOptions {
  limit: number;
  actor?: string;
  action?: string;
  factory?: string;
  since?: string;
  until?: string;
}

export function auditCommand(): Command {
  return asClientCommand(
    new Command("audit").description("show the audit log: who changed what, newest first"),
  )
    .option("--actor <name>", "only entries of this principal, given by name or UID")
    .option(
      "--action <operation>",
      "only entries of this operation of the API, for example `rollBackFactory`",
    )
    .option("--factory <name>", "only entries that belong to this factory, given by name or UID")
    .option(
      "--since <when>",
      "only entries from this time on: a timestamp, or an age such as 2h",
      instantPast,
    )
    .option("--until <when>", "only entries before this time", instantPast)
    .option("--limit <n>", "maximum number of entries", itemLimit, 20)
    .action(audit);
}

async function audit(options: AuditOptions): Promise<void> {
  const { limit, actor, action, factory, since, until } = options;
  const filters = present({ actor, action, factory, since, until });
  const items: Models["AuditRecord"][] = [];
  for await (const record of connect(options).auditLog({ ...filters, limit: Math.min(limit, MAX_PAGE) })) {
    items.push(record);
    if (items.length === limit) break;
  }
  if (options.json) printJson(items);
  else if (items.length === 0)
    print(Object.keys(filters).length > 0 ? "No entries match." : "The audit log is empty.");
  else {
    printTable(
      ["WHEN", "WHO", "ACTION", "SUBJECT", "STATUS"],
      items.map(({ at, principal, run_id, action, subject, status, repeats }) => [
        ago(at),
        `${principal.display_name ?? "-"}${run_id ? ` (run ${run_id.slice(0, 8)})` : ""}`,
        action,
        subject || "-",
        repeats === undefined ? String(status) : `${status} (${repeats} more)`,
      ]),
    );
  }
}
