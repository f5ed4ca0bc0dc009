import { expect, test } from "vitest";
import type { AgentIdentity } from "../../../src/runs/agents/agent-identity.ts";
import { AT, aStore, LATER } from "../../given/store.ts";

const anIdentity = (changes: Partial<AgentIdentity>): AgentIdentity => ({
  uid: "helper",
  name: "helper",
  description: null,
  secrets: [],
  skills: [],
  config: {},
  createdAt: AT,
  updatedAt: AT,
  ...changes,
});

test("with an identity go the keys that act as it, and no others", async () => {
  const { identities, keys } = await aStore();
  await identities.create(anIdentity({ uid: "helper", name: "helper" }));
  for (const uid of ["helper", "somebody"]) {
    await keys.create({
      id: `key of ${uid}`,
      principal: { uid, type: "service_account", displayName: uid },
      name: uid,
      kind: "agent",
      role: "operator",
      factories: null,
      prefix: "mr_x",
      hash: uid,
      fromSettings: false,
      createdAt: AT,
      expiresAt: null,
    });
  }
  expect(await identities.remove("helper", LATER)).toBe(true);
  expect((await keys.findByHash("helper"))?.revokedAt).toBe(LATER);
  expect((await keys.findByHash("somebody"))?.revokedAt).toBeNull();
  expect(await identities.find("helper")).toBeUndefined();
  expect(await identities.remove("helper", LATER)).toBe(false);
});

test("something other than an identity retains its keys when its deletion is requested", async () => {
  const { identities, keys } = await aStore();
  await keys.create({
    id: "key",
    principal: { uid: "ann", type: "user", displayName: "Ann" },
    name: "Ann",
    kind: "personal",
    role: "admin",
    factories: null,
    prefix: "mr_x",
    hash: "ann",
    fromSettings: false,
    createdAt: AT,
    expiresAt: null,
  });
  expect(await identities.remove("ann", LATER)).toBe(false);
  expect((await keys.findByHash("ann"))?.revokedAt).toBeNull();
});
