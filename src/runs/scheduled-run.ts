import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { Factory } from "../reconcile/factories.ts";
import { type IdentityStore, withoutCredentials } from "./agent-identity.ts";
import { automationTemplate, foremanOf, type RunAgent, requestedRun } from "./new-run.ts";
import type { NewRun } from "./run.ts";
import type { Schedule } from "./schedule.ts";
import type { TimetableEntry } from "./timetable.ts";

export interface ScheduledRunParts {
  factories: () => readonly Factory[];
  identities: Pick<IdentityStore, "find">;
}

/**
 * The run of something that is due.
 * @throws MillraceError when there is nobody to take it, or it asks for what its agent has not
 */
export async function scheduledRun(
  entry: TimetableEntry,
  due: Date,
  parts: ScheduledRunParts,
): Promise<NewRun> {
  const { id, name, cron } = entry.schedule;
  const common = { source: "SCHEDULED_AGENT", scheduleId: id, schedule: { name, cron } } as const;
  if (entry.automation) {
    const { factory, automation } = entry.automation;
    const prompt = withEnvelope(automation.prompt, entry, due);
    const template = automationTemplate(factory, automation);
    return { ...template, ...common, id: newUuid(), webhookUid: null, prompt, attachments: [] };
  }
  if (!entry.followed) throw new Error("what is due is neither a schedule nor an automation's");
  return { ...(await runOfSchedule(entry.followed, entry, due, parts)), ...common };
}

/** Acts as its agent; one of no factory and no agent acts as whoever has made the schedule. */
async function runOfSchedule(schedule: Schedule, entry: TimetableEntry, due: Date, parts: ScheduledRunParts) {
  const { name, prompt, agentConfig, createdBy, metadata } = schedule;
  const agent = await agentOf(schedule, parts);
  const request = {
    title: name,
    prompt: withEnvelope(prompt, entry, due),
    metadata,
    ...(agentConfig === null ? {} : { config: agentConfig }),
  };
  const run = requestedRun(request, createdBy, "SCHEDULED_AGENT", agent);
  return { ...run, creator: run.executor };
}

/** @throws MillraceError when the agent or its factory is not there any more */
async function agentOf(
  { factoryUid, agentUid }: Schedule,
  { factories, identities }: ScheduledRunParts,
): Promise<RunAgent | undefined> {
  if (factoryUid !== null) {
    const served = factories().find(({ record }) => record.uid === factoryUid)?.served;
    if (!served) throw gone("Its factory is not on this server, or has no definition in force.");
    const named = served.definition.agents.find(({ name }) => served.uidOf("agent", name) === agentUid)?.name;
    if (agentUid !== null && named === undefined)
      throw gone(`Its agent ${agentUid} is not in its factory any more.`);
    return { factory: { uid: factoryUid, served }, agent: named ?? foremanOf(served.definition) };
  }
  if (agentUid === null) return undefined;
  const identity = await identities.find(agentUid);
  if (!identity) throw gone(`Its agent ${agentUid} has been deleted.`);
  return { identity: withoutCredentials(identity, factories()) };
}

function gone(message: string): MillraceError {
  return new MillraceError("resource_not_found", message, {
    remedy: "Make another schedule that names an agent of `millrace agents list`.",
  });
}

/** What a run is told about the schedule that started it. */
function withEnvelope(prompt: string, { schedule: { name, cron } }: TimetableEntry, due: Date): string {
  const envelope = [
    "---",
    `This run was started by the schedule "${name}" (${cron}, in UTC), which was due at ${due.toISOString()}.`,
  ].join("\n");
  return prompt === "" ? envelope : `${prompt}\n\n${envelope}`;
}
