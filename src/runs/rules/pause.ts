import type { Principal } from "../../principals/principal.ts";

/** What a pause holds: one automation, one webhook, one factory or, where all three are null, the server. */
export interface PauseScope {
  factoryUid: string | null;
  webhookUid: string | null;
  automationUid: string | null;
}

/** A wish that runs wait: deliveries are recorded and matched as ever, and the runs that they start stay queued. */
export interface Pause extends PauseScope {
  id: string;
  /** The name of the webhook or automation; null for a factory, which is found by its uid, and for the server. */
  name: string | null;
  reason: string | null;
  createdBy: Principal;
  createdAt: string;
}

/** Keeps pauses. `find` and `list` read, the rest writes; each call is one transaction. */
export interface PauseStore {
  list(): Promise<Pause[]>;
  /** @returns the pause, or the one that already holds the same thing; `isNew` tells which */
  create(pause: Pause): Promise<{ pause: Pause; isNew: boolean }>;
  /** @returns whether there was one */
  end(id: string, at: string): Promise<boolean>;
}

/**
 * Whether a pause holds what has this place: everything, what is of its factory, of its automation or of its webhook. A
 * uid counts as that of its kind, and of its factory alone.
 */
export function isHeldBy(pause: PauseScope, place: PauseScope): boolean {
  if (pause.factoryUid !== null && pause.factoryUid !== place.factoryUid) return false;
  if (pause.automationUid !== null) return pause.automationUid === place.automationUid;
  if (pause.webhookUid !== null) return pause.webhookUid === place.webhookUid;
  return true;
}
