import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLog } from "../../src/log.ts";
import type { Factory } from "../../src/reconcile/running-factory.ts";
import { openPauses } from "../../src/runs/pauses.ts";
import type { Run } from "../../src/runs/run.ts";
import { createDueRuns, type FireDeps } from "../../src/runs/schedules/fire-due.ts";
import type { Schedule } from "../../src/runs/schedules/schedule.ts";
import { automationWith, FACTORY } from "./definition.ts";
import { type Files, temporaryFolder } from "./folder.ts";
import { aQuery, aStore } from "./store.ts";

/** The day of every time that these stories tell. */
export const at = (time: string) => `2026-11-21T${time.length === 5 ? `${time}:00` : time}.000Z`;

/** A factory with an automation that has these schedule triggers. */
export function onSchedule(triggers: string, rest = ""): Files {
  return { ...FACTORY, "automations/a.md": automationWith(`triggers: [${triggers}]\n${rest}`) };
}

export const every = (cron: string, name?: string) =>
  `{ provider: schedule, event: cron_fired, schedule: { cron: "${cron}"${name ? `, name: ${name}` : ""} } }`;

/** What fires by the clock, over a store and under a clock that the test sets. */
export async function clockwork(first: Factory[] = [], { path }: { path?: string } = {}) {
  const store = await aStore(path);
  let clock = at("00:00");
  const world = {
    store,
    factories: first,
    /** What the store's `fire` is for the process that is looked at. */
    fire: store.schedules.fire as FireDeps["store"]["fire"],
    due: undefined as unknown as ReturnType<typeof createDueRuns>,
    /** What is paused; {@link clockwork} has it looked at when it changes. */
    pauses: await openPauses(store.pauses, () => world.due?.changed()),
    /** Starts anew, as after a restart: what was in memory is gone. */
    restart() {
      world.due = createDueRuns({
        store: { list: store.schedules.list, fire: (...call) => world.fire(...call) },
        factories: () => world.factories,
        identities: store.identities,
        keys: store.keys,
        pauses: world.pauses,
        onRuns: () => {},
        log: createLog("silent"),
        now: () => new Date(clock),
      });
    },
    /** Sets the clock, and has it looked at. @returns the milliseconds to sleep */
    look(time: string) {
      clock = at(time);
      return world.due.look();
    },
    /** Brings other definitions into force. */
    serve(...factories: Factory[]) {
      world.factories = factories;
      world.due.changed();
    },
    async runs(): Promise<Run[]> {
      const { runs } = await store.runs.list(
        aQuery({}, { limit: 500, sort: "created_at", descending: false }),
      );
      return runs.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    /** When the runs that there are were due, by the clock of the day. */
    async fired(): Promise<string[]> {
      return (await world.runs()).map(({ prompt }) => /due at .*T(.{8})/.exec(prompt)?.[1] ?? "");
    },
  };
  world.restart();
  return world;
}

/** A schedule of the API that is due every hour. */
export function aSchedule(changes: Partial<Schedule> = {}): Schedule {
  const somebody = { uid: "ann", type: "user", displayName: "Ann" } as const;
  const made = changes.createdAt ?? at("00:00");
  return {
    id: "01a1fe22-6744-70ce-94a0-348515e54587",
    name: "hourly",
    cron: "@hourly",
    timezone: "UTC",
    prompt: "Look.",
    enabled: true,
    agentConfig: null,
    factoryUid: null,
    agentUid: null,
    createdBy: somebody,
    updatedBy: somebody,
    createdAt: made,
    updatedAt: made,
    lastRan: null,
    lastSpawnError: null,
    metadata: {},
    ...changes,
  };
}

const PRELOADED = fileURLToPath(new URL("./shifted-clock.cjs", import.meta.url));

/** A clock that somebody sets while a server runs by it. */
export interface Clock {
  /** What the server is started with. */
  env: Record<string, string>;
  /** Moves the clock to so many milliseconds from the true time. */
  set(shift: number): void;
}

export function movableClock(): Clock {
  const file = join(temporaryFolder("millrace-clock"), "shift");
  const clock = {
    env: { NODE_OPTIONS: `--require ${PRELOADED}`, CLOCK_SHIFT_FILE: file },
    set(shift: number) {
      // The file is replaced as a whole, so that nobody reads half a number.
      writeFileSync(`${file}.new`, String(shift));
      renameSync(`${file}.new`, file);
    },
  };
  clock.set(0);
  return clock;
}
