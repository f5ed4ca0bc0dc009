import type { Log } from "../log.ts";
import { isHeldBy, type Pause, type PauseScope, type PauseStore } from "./rules/pause.ts";

/** The pauses in force. What is claimed goes by the store; this answers at once, for the clock and for answers. */
export interface Pauses {
  list(): readonly Pause[];
  isPaused(place: PauseScope): boolean;
  create(pause: Pause): Promise<{ pause: Pause; isNew: boolean }>;
  /** @returns whether there was one */
  end(id: string, at: string): Promise<boolean>;
  /** Reads them again, after something else has changed what they hold. */
  refresh(): Promise<void>;
}

/**
 * @param onChange - called when a pause was made or ended, so that what waited is looked at
 */
export async function openPauses(store: PauseStore, onChange: () => void): Promise<Pauses> {
  let active: readonly Pause[] = await store.list();

  /** Reads all of them: of two changes at once, the later read knows both. */
  async function refresh(): Promise<void> {
    active = await store.list();
    onChange();
  }

  return {
    list: () => active,
    isPaused: (place) => active.some((pause) => isHeldBy(pause, place)),
    async create(pause) {
      const created = await store.create(pause);
      if (created.isNew) await refresh();
      return created;
    },
    async end(id, at) {
      const ended = await store.end(id, at);
      if (ended) await refresh();
      return ended;
    },
    refresh,
  };
}

/** Says at the start what still waits: a pause that someone forgot looks like a server that starts nothing. */
export function warnOfPauses(pauses: readonly Pause[], log: Log): void {
  for (const { id, factoryUid, name, reason, createdBy, createdAt } of pauses) {
    const held = {
      pause: id,
      factory: factoryUid,
      name,
      reason,
      by: createdBy.displayName,
      since: createdAt,
    };
    log.warn(held, "runs are paused until you run `millrace unpause`; `millrace pauses` lists all pauses");
  }
}
