import { silentLog } from "../../src/log.ts";
import type { FactoriesDeps } from "../../src/reconcile/factories.ts";

/** What reconciling asks of the rest of a server, where a test is about something else. */
export const quietReconcile = {
  hasHarness: () => true,
  redirectsKey: () => false,
  hasPrice: () => true,
  host: { sandbox: "none", os: "linux", arch: "x86_64" },
  forgesOf: async () => ({ has: () => true, canPush: () => true }),
  mayUseWorkerEnvironment: async () => true,
  listScheduleIds: async () => new Set<string>(),
  listWorkers: async () => [],
  lastDelivered: async () => ({}),
  findNarrowed: async () => [],
  log: silentLog,
  onActive: () => {},
  onReconciled: () => {},
} satisfies Partial<FactoriesDeps>;
