import { parseCron } from "../definitions/cron.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import type { Pauses } from "../runs/pauses.ts";
import type { ScheduleStore } from "./schedule.ts";
import { type TimetableEntry, timetable } from "./timetable.ts";

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
