import { Command } from "commander";
import { pageLimit } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";

interface AuditOptions extends ConnectOptions {
  limit: number;
}

export function auditCommand(): Command {
  return asClientCommand(
    new Command("audit").description("show the audit log: who changed what, newest first"),
  )
    .option("--limit <n>", "maximum number of entries, at most 500", pageLimit, 20)
    .action(audit);
}

async function audit({ limit, ...options }: AuditOptions): Promise<void> {
  const { items } = await connect(options).auditLog({ limit });
  if (options.json) printJson(items);
  else if (items.length === 0) print("The audit log is empty.");
  else {
    printTable(
      ["WHEN", "WHO", "ACTION", "SUBJECT", "STATUS"],
      items.map(({ at, principal, run_id, action, subject, status, repeats }) => [
        ago(at),
        run_id ? `run ${run_id}` : (principal.display_name ?? "-"),
        action,
        subject || "-",
        repeats === undefined ? String(status) : `${status} (${repeats} more)`,
      ]),
    );
  }
}
