import type { Factory } from "../reconcile/running-factory.ts";
import { detail, line, type NotificationContent } from "./content.ts";
import type { Cause, CauseRun, Series } from "./notification.ts";

/** What fails as one: an automation, else a schedule, else an agent of a factory. */
export function runSeries({ factoryUid, run }: Cause): Series {
  const { automationUid, scheduleId, agentUid } = run ?? {};
  return { kind: "run", subject: automationUid ?? scheduleId ?? `${factoryUid ?? ""}/${agentUid ?? ""}` };
}

/** Says of a run that it needs a person, or that it failed. */
export function tellOfRun(
  { subject, at }: Cause,
  run: CauseRun,
  event: "run.blocked" | "run.failed",
  factory: Factory | undefined,
  publicUrl: string,
): NotificationContent {
  const { uid, name } = factory?.record ?? {};
  const title = line(run.title);
  const nameOf = (kind: "automation" | "agent", of: string | null) =>
    factory?.active?.resources.find((each) => each.kind === kind && each.uid === of)?.name ?? null;
  const automation = nameOf("automation", run.automationUid);
  const what = event === "run.blocked" ? "A run is waiting for an answer" : "A run failed";
  const of = [automation && `automation ${automation}`, name && `factory ${name}`].filter(Boolean).join(", ");
  return {
    event,
    at,
    summary: of === "" ? what : `${what} (${of})`,
    url: `${publicUrl}/runs/${subject}`,
    factory: uid === undefined || name === undefined ? null : { uid, name },
    run: { id: subject, title, state: run.state, automation, agent: nameOf("agent", run.agentUid) },
    ...(run.message === null ? {} : { detail: detail(run.message) }),
  };
}
