import { pluralize } from "../../pluralize.ts";
import type { FactoryRecord } from "../../reconcile/factory.ts";
import type { Store } from "../../store/store.ts";
import { DAY_MS } from "../../time/duration.ts";
import { type DoctorFinding, ok, warning } from "./finding.ts";

/** Automations that events of their factory would have started, but for the limits on runs that start each other. */
export async function examineTriggers(
  records: readonly FactoryRecord[],
  { factories, triggers }: Pick<Store, "factories" | "triggers">,
  now: Date,
): Promise<DoctorFinding[]> {
  const refused = await triggers.listRefused(new Date(now.getTime() - DAY_MS).toISOString());
  const counts = new Map(refused.map((each) => [each.automationUid, each.refused]));
  const findings: DoctorFinding[] = [];
  // Where nothing was refused, the definitions need not be read.
  for (const { uid, name: factory } of counts.size > 0 ? records : []) {
    for (const { uid: automationUid, kind, name, deleted } of await factories.listResources(uid)) {
      const count = counts.get(automationUid);
      if (kind === "automation" && !deleted && count) findings.push(ofAutomation(name, factory, count));
    }
  }
  return findings.length > 0 ? findings : [ok("triggers", "no event of the last 24 hours exceeded a limit")];
}

function ofAutomation(name: string, factory: string, count: number): DoctorFinding {
  return warning(
    `automation ${name} of ${factory}`,
    `${pluralize(count, "event")} of the last 24 hours did not start it: automations that start each other have reached a limit.`,
    `Narrow the filter of its trigger, so that it does not match the runs that it leads to. The event trigger_refused in the timelines of the runs shows the reason.`,
  );
}
