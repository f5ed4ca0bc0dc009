import { newUid } from "../../src/id.ts";
import type { FactoryRecord } from "../../src/reconcile/factory.ts";
import { AT, aStore } from "./store.ts";

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

/** A store with factories of these uids: runs of others are cancelled. */
export async function aStoreOf(...uids: string[]): ReturnType<typeof aStore> {
  const store = await aStore();
  for (const uid of uids) await store.factories.create({ ...aFactory(uid), uid });
  return store;
}
