import type { Webhook } from "../../definitions/definition.ts";
import { errorsInOneLine } from "../../definitions/problem.ts";
import { inShell } from "../../errors/error.ts";
import { pluralize } from "../../pluralize.ts";
import type { FactoryRecord } from "../../reconcile/factory.ts";
import { effectOfRest, findResting, type RestingFactory, remedyOfRest } from "../../reconcile/resting.ts";
import type { Store } from "../../store/store.ts";
import { DAY_MS } from "../../time/duration.ts";
import { type DoctorFinding, ok, problem, warning } from "./finding.ts";

/** Whether what was committed last is active, of each factory, and whether a source of the last start serves it. */
export async function examineFactories(
  records: readonly FactoryRecord[],
  store: Pick<Store, "factories" | "factoryDeletions">,
): Promise<DoctorFinding[]> {
  const uids = new Set(await store.factories.listResting());
  const resting = await findResting((uid) => !uids.has(uid), store);
  return records.map((record) => {
    const rest = resting.find((each) => each.record.uid === record.uid);
    return rest ? examineResting(rest) : examineFactory(record);
  });
}

function examineResting(resting: RestingFactory): DoctorFinding {
  const { record } = resting;
  const message = `It is resting: its source was not configured when the server last started. ${effectOfRest(resting)}`;
  return warning(`factory ${record.name}`, message, remedyOfRest(record));
}

function examineFactory({ name, sync }: FactoryRecord): DoctorFinding {
  const check = `factory ${name}`;
  switch (sync.status) {
    case "synced":
      return ok(check, `revision ${sync.appliedRevision?.slice(0, 12)} is active`);
    case "suspended":
      return warning(
        check,
        "It is suspended: new commits are not applied.",
        `millrace resume ${inShell(name)}`,
      );
    case "pending":
      return warning(check, "No revision has been applied yet.", "Start the server and check its log.");
    case "failed":
      return problem(
        check,
        `Its last revision could not be applied: ${errorsInOneLine(sync.problems) ?? "see the server's log"}.`,
        `Fix the problems; \`millrace status ${inShell(name)}\` shows all of them.`,
      );
  }
}

/** A sender that is refused so many times in a row will not be let in by the next try. */
const STREAK = 3;

/** Webhooks whose last deliveries were all refused, and those that cannot take any. */
export async function examineWebhooks(
  records: readonly FactoryRecord[],
  { factories, deliveries }: Pick<Store, "factories" | "deliveries">,
): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const { uid, name: factory } of records) {
    const resources = (await factories.listResources(uid)).filter(
      ({ kind, deleted }) => kind === "webhook" && !deleted,
    );
    for (const resource of resources) {
      const { enabled } = JSON.parse(resource.body) as Webhook;
      const last = enabled
        ? await deliveries.listByWebhook({ factoryUid: uid, uid: resource.uid }, { limit: STREAK })
        : [];
      const isRefused = last.length === STREAK && last.every(({ outcome }) => outcome.startsWith("Rejected"));
      if (!isRefused) continue;
      const check = `webhook ${resource.name} of ${factory}`;
      const [newest] = last;
      findings.push(
        warning(
          check,
          `It rejects every sender: its last ${STREAK} deliveries were rejected, the last one at ${newest?.time}: ${newest?.outcome}${newest?.reason ? `, ${newest.reason}` : ""}.`,
          `\`millrace deliveries list --webhook ${inShell(resource.name)}\` lists them. Check that the sender uses the current secret.`,
        ),
      );
    }
  }
  return findings.length > 0 ? findings : [ok("webhooks", "no webhook rejects all of its deliveries")];
}

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
