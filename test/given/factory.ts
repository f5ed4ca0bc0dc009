import { expect } from "vitest";
import { newUid, newUuid } from "../../src/id.ts";
import type { Application, Applied, FactoryRecord, FactoryStore } from "../../src/reconcile/factory.ts";
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
    generation: 0,
  };
}

/** A store with factories of these uids: runs of others are cancelled. */
export async function aStoreOf(...uids: string[]): ReturnType<typeof aStore> {
  const store = await aStore();
  for (const uid of uids) await store.factories.create({ ...aFactory(uid), uid });
  return store;
}

/** What applying a definition without resources writes; planned on a factory that nothing was ever applied to. */
export function anApplication(revision: string, changes: Partial<Application> = {}): Application {
  return {
    id: newUuid(),
    revision: { id: revision, author: "Ann", message: "Change" },
    at: AT,
    problems: [],
    expects: 0,
    factoryName: "acme",
    changes: [],
    newUids: {},
    credentials: [],
    reason: "poll",
    principal: null,
    suspends: false,
    alias: undefined,
    ...changes,
  };
}

/** Applies what was planned on whatever is in force. */
export async function applyTo(
  factories: FactoryStore,
  uid: string,
  application: Omit<Application, "expects">,
): Promise<Applied | "files moved"> {
  const expects = (await factories.findDefinition(uid))?.generation ?? 0;
  return factories.apply(uid, { ...application, expects });
}

/** What applying ends with that was done. */
export const APPLIED = { generation: expect.any(Number) };
