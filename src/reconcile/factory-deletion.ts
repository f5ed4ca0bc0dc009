import type { StoredResource } from "../definitions/changes/plan.ts";

/** What a factory has that goes with it. */
export interface FactoryContents {
  /** Those in force. */
  webhooks: StoredResource[];
  automations: StoredResource[];
  waitingRuns: number;
  workingRuns: number;
  /** Schedules of the API that belong to it. */
  schedules: number;
}

/** Takes factories out of the store. `find` reads, the rest writes; each call is one transaction. */
export interface FactoryDeletionStore {
  findContents(factoryUid: string): Promise<FactoryContents>;
  /**
   * Forgets a factory, its resources and its history, cancels its runs that wait and asks for the end of those that work.
   * What has ended, and deliveries, stay until retention takes them.
   * @returns the runs that waited or work, or nothing when there is no such factory
   */
  remove(factoryUid: string, at: string): Promise<{ runs: string[] } | undefined>;
}
