import { newUid } from "../id.ts";
import type { FactorySpec } from "./factories.ts";
import type { FactoryRecord } from "./factory.ts";

/** A factory as it is before anything of its source was looked at. */
export function newFactory(spec: FactorySpec, now: Date): FactoryRecord {
  return {
    uid: spec.uid ?? newUid(),
    sourceKey: spec.sourceKey,
    name: spec.name,
    mode: spec.mode,
    source: spec.description,
    sync: {
      status: "pending",
      attemptedRevision: null,
      attemptedAt: null,
      appliedRevision: null,
      appliedAt: null,
      problems: [],
    },
    createdAt: now.toISOString(),
  };
}
