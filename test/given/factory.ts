import { newUid } from "../../src/id.ts";
import type { FactoryRecord } from "../../src/reconcile/factory.ts";
import { AT } from "./store.ts";

/** A factory of a folder that nothing was ever applied to. */
export function aFactory(name = "a"): FactoryRecord {
  return {
    uid: newUid(),
    sourceKey: `folder:/${name}`,
    name,
    mode: "folder",
    source: { path: `/${name}` },
    sync: {
      status: "pending",
      attemptedRevision: null,
      attemptedAt: null,
      appliedRevision: null,
      appliedAt: null,
      problems: [],
    },
    createdAt: AT,
  };
}
