import type { Webhook } from "../definitions/definition.ts";
import { errorsInOneLine } from "../definitions/problem.ts";
import { inShell } from "../in-shell.ts";
import type { FactoryRecord } from "../reconcile/factory.ts";
import type { Store } from "../store/store.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Whether what was committed last is in force, of each factory. */
export function examineFactories(records: readonly FactoryRecord[]): Finding[] {
  return records.map(examineFactory);
}

function examineFactory({ name, sync }: FactoryRecord): Finding {
  const check = `factory ${name}`;
  switch (sync.status) {
    case "synced":
      return ok(check, `${sync.appliedRevision?.slice(0, 12)} is in force`);
    case "suspended":
      return warning(
        check,
        "It is suspended: no commit comes into force.",
        `millrace resume ${inShell(name)}`,
      );
    case "pending":
      return warning(check, "Nothing of it was applied yet.", "Start the server, and look at its log.");
    case "failed":
      return problem(
        check,
        `Its last revision is not in force: ${errorsInOneLine(sync.problems) ?? "the log says why"}.`,
        `Mend that; \`millrace status ${inShell(name)}\` shows every problem.`,
      );
  }
}

/** A sender that is refused so many times in a row will not be let in by the next try. */
const STREAK = 3;

/** Webhooks whose last deliveries were all refused, and those that cannot take any. */
export async function examineWebhooks(
  records: readonly FactoryRecord[],
  { factories, deliveries }: Pick<Store, "factories" | "deliveries">,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { uid, name: factory } of records) {
    const resources = (await factories.listResources(uid)).filter(
      ({ kind, deleted }) => kind === "webhook" && !deleted,
    );
    for (const resource of resources) {
      const { enabled } = JSON.parse(resource.body) as Webhook;
      const last = enabled ? await deliveries.listByWebhook(resource.uid, { limit: STREAK }) : [];
      const isRefused = last.length === STREAK && last.every(({ outcome }) => outcome.startsWith("Rejected"));
      if (!isRefused) continue;
      const check = `webhook ${resource.name} of ${factory}`;
      const [newest] = last;
      findings.push(
        warning(
          check,
          `It refuses every sender: its last ${STREAK} deliveries were refused, the last one at ${newest?.time}: ${newest?.outcome}${newest?.reason ? `, ${newest.reason}` : ""}.`,
          `\`millrace deliveries list ${resource.name}\` shows them; compare the secret that its sender has with the one that is set.`,
        ),
      );
    }
  }
  return findings.length > 0 ? findings : [ok("webhooks", "none refuses all that comes")];
}
