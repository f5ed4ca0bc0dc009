import { inBatches } from "../../concurrency/periodic-jobs.ts";
import type { ExpectedTags } from "../../concurrency/record-tag.ts";
import { parseCron } from "../../definitions/cron.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import type { Principal } from "../../principals/principal.ts";
import { DAY_MS } from "../../time/duration.ts";
import { isTimeZone } from "../../time/instant.ts";
import type { NewRun } from "../run.ts";
import type { AmbientAgentConfig } from "../run-config.ts";

/** What somebody may say of a schedule, at its making and later. */
export interface ScheduleSettings {
  name: string;
  cron: string;
  /** In which the expression is meant. */
  timezone: string;
  /** What each run is asked; empty when its configuration names a skill. */
  prompt: string;
  enabled: boolean;
  agentConfig: AmbientAgentConfig | null;
  /** What each of its runs is marked with. */
  metadata: Record<string, string>;
}

/** Whose runs a schedule starts. */
export interface ScheduleOwner {
  factoryUid: string | null;
  /** The agent that was named; without one, that of its factory runs. */
  agentUid: string | null;
}

/** Starts a run whenever its cron expression is due. */
export interface Schedule extends ScheduleSettings, ScheduleOwner {
  id: string;
  createdBy: Principal;
  updatedBy: Principal;
  createdAt: string;
  updatedAt: string;
  /** When it has started a run last. */
  lastRan: string | null;
  /** Why it could not start one the last time, when it could not. */
  lastSpawnError: string | null;
}

/** Keeps schedules. `find` and `list` read, the rest writes; each call is one transaction. */
export interface ScheduleStore {
  list(): Promise<Schedule[]>;
  find(id: string): Promise<Schedule | undefined>;
  create(schedule: Schedule): Promise<void>;
  /**
   * Changes what is given and leaves the rest. @returns the schedule as it is now, nothing when there is none, or `changed`
   * when it is none of the states that are expected
   */
  update(
    id: string,
    edit: {
      changes: Partial<ScheduleSettings & ScheduleOwner>;
      editor: Principal;
      at: string;
      expected?: ExpectedTags;
    },
  ): Promise<Schedule | "changed" | undefined>;
  /** @returns whether there was one */
  remove(id: string, expected?: ExpectedTags): Promise<boolean | "changed">;
  /** Marks a due time as fired and makes its run, both or neither, once however often it is called. */
  fire(firing: Firing, at: string): Promise<FiringOutcome>;
  /** Forgets due times before an instant, at most `limit`; the newest of each key stays. @returns how many */
  pruneFirings(before: string, limit: number): Promise<number>;
}

/** One due time of whatever fires by the clock, and what it comes to. */
export interface Firing {
  /** What is due: a schedule, or a trigger of an automation. With the due time it is fired once for ever. */
  key: string;
  dueAt: string;
  /** The schedule of the API that is due, as it was read: one that has changed since then does not fire. */
  schedule: { id: string; updatedAt: string } | null;
  /** The run, or why there can be none. */
  result: { run: NewRun } | { error: string };
}

/** `before`: it has fired already. `changed`: its schedule is another by now, or gone. */
export type FiringOutcome = "fired" | "before" | "changed";

/** A clock that is set back by less than this comes to no due time a second time. */
const FIRINGS_KEPT_MS = 7 * DAY_MS;

/** Keeps the due times that have fired from growing for ever. */
export function pruneFirings(
  { store, now }: { store: Pick<ScheduleStore, "pruneFirings">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - FIRINGS_KEPT_MS).toISOString();
  return inBatches((limit) => store.pruneFirings(before, limit), signal);
}

/** When a schedule is due next; never while it is paused. */
export function nextRun(
  { cron, timezone, enabled }: Pick<Schedule, "cron" | "timezone" | "enabled">,
  now: Date,
): string | null {
  return enabled ? (parseCron(cron, timezone).next(now)?.toISOString() ?? null) : null;
}

/** @throws MillraceError `invalid_request` for what is no cron expression or no time zone, or is never due */
export function checkCron({ cron, timezone }: Pick<Schedule, "cron" | "timezone">, now: Date): void {
  if (!isTimeZone(timezone)) {
    throw new MillraceError("invalid_request", `timezone: "${timezone}" is not a known time zone.`, {
      remedy: `Use a name of the IANA time zone database, for example Europe/Berlin.`,
      extra: { field: "timezone" },
    });
  }
  const refuse = (why: string) =>
    new MillraceError("invalid_request", `cron_schedule: "${cron}" is not a valid schedule: ${why}.`, {
      remedy: "Use five fields, for example `0 9 * * 1-5`, or @daily, or @every 30m.",
      extra: { field: "cron_schedule" },
    });
  // Looking for a day that never comes takes long, so it is done this once and not whenever schedules are listed.
  if (!firstDue({ cron, timezone }, now, refuse)) throw refuse("it is never due");
}

function firstDue(
  { cron, timezone }: Pick<Schedule, "cron" | "timezone">,
  now: Date,
  refuse: (why: string) => Error,
): Date | undefined {
  try {
    return parseCron(cron, timezone).next(now);
  } catch (error) {
    throw refuse(errorMessage(error));
  }
}

/** @throws MillraceError `invalid_request` when there is nothing that a run could be asked */
export function checkPrompt({ prompt, agentConfig }: Pick<Schedule, "prompt" | "agentConfig">): void {
  if (prompt.trim() !== "" || agentConfig?.skill_spec || agentConfig?.skills?.length) return;
  throw new MillraceError(
    "invalid_request",
    "prompt: a schedule needs a prompt or agent_config.skill_spec.",
    {
      extra: { field: "prompt" },
    },
  );
}
