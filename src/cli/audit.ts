import { Command } from "commander";
import { pageLimit } from "./arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { ago, print, printJson, printTable } from "./output.ts";

interface AuditOptions extends ConnectOptions {
  limit: number;
}

export function auditCommand(): Command {
  return asClientCommand(new Command("audit").description("show who changed what, the newest first"))
    .option("--limit <n>", "how many, at most 500", pageLimit, 20)
    .action(audit);
}

async function audit({ limit, ...options }: AuditOptions): Promise<void> {
  const { items } = await connect(options).auditLog({ limit });
  if (options.json) printJson(items);
  else if (items.length === 0) print("Nobody has changed anything yet.");
  else {
    printTable(
      ["WHEN", "WHO", "ACTION", "SUBJECT", "STATUS"],
      items.map(({ at, principal, run_id, action, subject, status }) => [
        ago(at),
        run_id ? `run ${run_id}` : (principal.display_name ?? "-"),
        action,
        subject || "-",
        String(status),
      ]),
    );
  }
}
