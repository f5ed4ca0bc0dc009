import { automationTitle } from "../../definitions/automation-title.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { KeyStore, Principal } from "../../principals/principal.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { type IdentityStore, withoutCredentials } from "../agents/agent-identity.ts";
import type { NewRun } from "../run.ts";
import { scheduleWords } from "../run-source.ts";
import { automationTemplate } from "../start/automation-run.ts";
import { foremanOf, type RunAgent, requestedRun } from "../start/requested-run.ts";
import type { Schedule } from "./schedule.ts";
import type { TimetableEntry } from "./timetable.ts";

export interface ScheduledRunDeps {
  factories: () => readonly Factory[];
  identities: Pick<IdentityStore, "find">;
  keys: Pick<KeyStore, "list">;
}

/**
 * The run of something that is due.
 * @throws MillraceError when there is nobody to take it, or it asks for what its agent has not
 */
export async function scheduledRun(
  entry: TimetableEntry,
  due: Date,
  deps: ScheduledRunDeps,
): Promise<NewRun> {
  const { id, ...schedule } = entry.schedule;
  const common = { source: "SCHEDULED_AGENT", scheduleId: id, schedule } as const;
  if (entry.automation) {
    const { factory, automation } = entry.automation;
    const prompt = withEnvelope(automation.prompt, entry, due);
    const template = automationTemplate(factory, automation);
    const title = automationTitle(automation)(undefined);
    return { ...template, ...common, id: newUuid(), title, webhookUid: null, prompt, attachments: [] };
  }
  if (!entry.followed) throw new Error("the due entry is neither a schedule nor an automation's schedule");
  return { ...(await runOfSchedule(entry.followed, entry, due, deps)), ...common };
}

/** Acts as its agent; one of no factory and no agent acts as whoever has made the schedule. */
async function runOfSchedule(schedule: Schedule, entry: TimetableEntry, due: Date, deps: ScheduledRunDeps) {
  const { name, prompt, agentConfig, createdBy, metadata } = schedule;
  const agent = await agentOf(schedule, deps);
  const request = {
    title: name,
    prompt: withEnvelope(prompt, entry, due),
    metadata,
    ...(agentConfig === null ? {} : { config: agentConfig }),
  };
  const run = requestedRun(request, createdBy, "SCHEDULED_AGENT", agent);
  return { ...run, creator: run.executor };
}

/** @throws MillraceError when the agent or its factory is not there any more, or the schedule may have none of them */
async function agentOf(
  { factoryUid, agentUid, createdBy }: Schedule,
  { factories, identities, keys }: ScheduledRunDeps,
): Promise<RunAgent | undefined> {
  if (factoryUid !== null) {
    const active = factories().find(({ record }) => record.uid === factoryUid)?.active;
    if (!active)
      throw gone("The schedule's factory does not exist on this server, or has no applied definition.");
    const named = active.definition.agents.find(({ name }) => active.uidOf("agent", name) === agentUid)?.name;
    if (agentUid !== null && named === undefined)
      throw gone(`The schedule's agent ${agentUid} no longer exists in its factory.`);
    return { factory: { uid: factoryUid, active }, agent: named ?? foremanOf(active.definition) };
  }
  if (agentUid === null) {
    if (await hasLimitedKeysOnly(createdBy, keys)) throw limited(createdBy);
    return undefined;
  }
  const identity = await identities.find(agentUid);
  if (!identity) throw gone(`The schedule's agent ${agentUid} was deleted.`);
  return { identity: withoutCredentials(identity, factories()) };
}

/** Such schedules were taken once. What runs of no factory can reach is not for whoever has a key for some factories. */
async function hasLimitedKeysOnly({ uid }: Principal, keys: ScheduledRunDeps["keys"]): Promise<boolean> {
  const own = (await keys.list()).filter(({ principal }) => principal.uid === uid);
  return own.length > 0 && own.every(({ factories }) => factories !== null);
}

function limited({ displayName }: Principal): MillraceError {
  return new MillraceError(
    "not_authorized",
    `The schedule belongs to no factory, and the key of its creator, ${displayName}, is limited to some factories.`,
    { remedy: "Delete it, and create a new schedule with an agent that `millrace agents list` shows." },
  );
}

function gone(message: string): MillraceError {
  return new MillraceError("resource_not_found", message, {
    remedy: "Create a new schedule with an agent that `millrace agents list` shows.",
  });
}

/** What a run is told about the schedule that started it. */
function withEnvelope(prompt: string, { schedule }: TimetableEntry, due: Date): string {
  const envelope = [
    "---",
    `This run was started by the schedule ${scheduleWords(schedule)}, which was due at ${due.toISOString()}.`,
  ].join("\n");
  return prompt === "" ? envelope : `${prompt}\n\n${envelope}`;
}
