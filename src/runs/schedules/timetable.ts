import { parseCron } from "../../definitions/cron.ts";
import type { Automation, ScheduleTrigger } from "../../definitions/definition.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Pauses } from "../pauses.ts";
import type { PauseScope } from "../rules/pause.ts";
import type { RunSchedule } from "../run-source.ts";
import type { RunFactory } from "../start/requested-run.ts";
import type { Schedule, ScheduleStore } from "./schedule.ts";

/** Something that fires by the clock: a schedule of the API, or a schedule trigger of an automation. */
export interface TimetableEntry {
  /** The same for as long as it is the same schedule or trigger. */
  key: string;
  /** Its last change, in milliseconds: due times up to then are none of its own. */
  since: number;
  missed: Automation["missed"];
  /** When it fires, and what its runs are told and found by. */
  schedule: Required<RunSchedule> & { id: string };
  /** The schedule of the API that it follows; nothing for one that an automation has of its own. */
  followed: Schedule | null;
  /**
   * Whether its definition was read from its source since the start. What is in the store may have been deleted there
   * while the server was down.
   */
  isCurrent(): boolean;
  /** Nothing for a schedule of the API, which starts a run of its own. */
  automation?: { factory: RunFactory; automation: Automation };
}

/**
 * Everything that fires by the clock now. What is paused, disabled or of a suspended factory is not in it, and neither
 * is what has no definition any more. Due times that pass during a pause are missed ones: `missed` says what becomes of them.
 */
export function timetable(
  factories: readonly Factory[],
  schedules: readonly Schedule[],
  { isPaused }: Pick<Pauses, "isPaused">,
): TimetableEntry[] {
  const suspended = new Set(factories.filter(isSuspended).map(({ record }) => record.uid));
  const enabled = schedules.filter(
    ({ enabled, factoryUid }) => enabled && !(factoryUid !== null && suspended.has(factoryUid)),
  );
  const entries = [
    ...enabled.map(entryOf),
    ...factories.filter((factory) => !isSuspended(factory)).flatMap((factory) => entriesOf(factory, enabled)),
  ];
  // An automation may name one schedule in two triggers, and is one listener all the same.
  const distinct = new Map(entries.map((entry) => [entry.key, entry]));
  return [...distinct.values()].filter((entry) => !isPaused(placeOf(entry)));
}

function placeOf({ automation, followed }: TimetableEntry): PauseScope {
  if (!automation) return { factoryUid: followed?.factoryUid ?? null, automationUid: null, webhookUid: null };
  const { uid, active } = automation.factory;
  const automationUid = active.uidOf("automation", automation.automation.name) ?? null;
  return { factoryUid: uid, automationUid, webhookUid: null };
}

/** The schedules of the API that automations of a factory can follow: its own, and those of no factory. */
export function followableBy(factoryUid: string, schedules: readonly Schedule[]): Schedule[] {
  return schedules.filter((schedule) => schedule.factoryUid === null || schedule.factoryUid === factoryUid);
}

function isSuspended({ record }: Factory): boolean {
  return record.sync.status === "suspended";
}

/** Its time may be missed: who looks after it by the API can start a run there and then. */
function entryOf(schedule: Schedule): TimetableEntry {
  const { id, name, cron, timezone, updatedAt } = schedule;
  return {
    key: id,
    since: Date.parse(updatedAt),
    missed: "skip",
    schedule: { id, name, cron, timezone },
    followed: schedule,
    isCurrent: () => true,
  };
}

function entriesOf(source: Factory, schedules: readonly Schedule[]): TimetableEntry[] {
  const { uid } = source.record;
  const { active } = source;
  if (!active) return [];
  const factory = { uid, active };
  const isCurrent = () => source.wasRead;
  const reached = followableBy(uid, schedules);
  return active.definition.automations
    .filter(({ enabled }) => enabled)
    .flatMap((automation) =>
      automation.triggers
        .filter((trigger) => trigger.provider === "schedule")
        .flatMap((trigger) => triggerEntries(trigger, { factory, automation }, reached, isCurrent)),
    );
}

function triggerEntries(
  trigger: ScheduleTrigger,
  of: NonNullable<TimetableEntry["automation"]>,
  schedules: readonly Schedule[],
  isCurrent: () => boolean,
): TimetableEntry[] {
  const { factory, automation } = of;
  const resource = factory.active.resources.find(
    ({ kind, name, deleted }) => kind === "automation" && name === automation.name && !deleted,
  );
  if (!resource) return [];
  const since = Date.parse(resource.updatedAt);
  const common = { missed: automation.missed, automation: of, isCurrent };
  const followed = schedules
    .filter(({ id }) => trigger.scheduleIds.includes(id))
    .map((schedule): TimetableEntry => {
      const entry = entryOf(schedule);
      return {
        ...entry,
        ...common,
        key: `${resource.uid}@${schedule.id}`,
        since: Math.max(since, entry.since),
      };
    });
  if (trigger.cron === undefined) return followed;
  const { cron, name } = trigger;
  const id = name === undefined ? resource.uid : `${resource.uid}:${name}`;
  const { timezone = "UTC" } = automation;
  const schedule = { id, name: name ?? automation.name, cron, timezone };
  return [...followed, { ...common, key: id, since, schedule, followed: null }];
}

export interface NextFiresDeps {
  schedules: Pick<ScheduleStore, "list">;
  pauses: Pick<Pauses, "isPaused">;
  now: () => Date;
}

/** When the schedules of a factory's automations are due next, by name: the earliest of each. What is paused is not due. */
export async function nextFires(
  factory: Factory,
  { schedules, pauses, now }: NextFiresDeps,
): Promise<ReadonlyMap<string, Date>> {
  const fires = new Map<string, Date>();
  const at = now();
  for (const { automation, schedule } of timetable([factory], await schedules.list(), pauses)) {
    if (!automation) continue;
    const { name } = automation.automation;
    const due = nextDue(schedule, at);
    const earlier = fires.get(name);
    if (due && (!earlier || due < earlier)) fires.set(name, due);
  }
  return fires;
}

/** To find that a day never comes takes a fifth of a second, and lists are asked for often. */
const known = new Map<string, { from: number; next: Date | undefined }>();
const MAX_KNOWN = 2_000;

/** The first due time after an instant. It stays the same until then. */
function nextDue({ cron, timezone }: TimetableEntry["schedule"], at: Date): Date | undefined {
  const key = `${cron} ${timezone}`;
  const before = known.get(key);
  const isKnown = before && at.getTime() >= before.from && (!before.next || at < before.next);
  if (isKnown) return before.next;
  const next = parseCron(cron, timezone).next(at);
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(key, { from: at.getTime(), next });
  return next;
}
