import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, automationWith, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { managedBy, serveManaged } from "../../given/managed.ts";
import type { Server } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";

type Models = components["schemas"];

const FILES = {
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
  "automations/nightly.md": automationWith(`secrets: [DEPLOY_TOKEN]
triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: "@daily" } }]`),
};

async function usersOf(server: Server, key?: string) {
  const { body } = await ask<Models["SecretList"]>(
    server,
    "GET",
    "/secrets",
    key === undefined ? {} : { key },
  );
  return Object.fromEntries(
    body.secrets.map(({ name, used_by }) => [
      name,
      used_by.map((user) => `${user.kind} ${user.factory}/${user.name}`).sort(),
    ]),
  );
}

async function served() {
  const secrets = { CI_SECRET: "the-token", DEPLOY_TOKEN: "another", SPARE: "x" };
  const two = await twoFactories(FILES, { secrets });
  const { server } = two;
  await server.api("POST", "/agent/environments", { name: "builds", secrets: [{ name: "DEPLOY_TOKEN" }] });
  await server.api("POST", "/agent/identities", { name: "helper", secrets: [{ name: "DEPLOY_TOKEN" }] });
  return two;
}

test("each secret names the webhooks, automations, environments and agents that use it", async () => {
  const { server } = await served();
  expect(await usersOf(server)).toEqual({
    CI_SECRET: ["webhook acme/ci", "webhook other/ci"],
    DEPLOY_TOKEN: [
      "agent null/helper",
      "automation acme/nightly",
      "automation other/nightly",
      "environment null/builds",
    ],
    SPARE: [],
  });
});

test("a key of one factory sees only what its factory uses", async () => {
  const { server, acme } = await served();
  expect(await usersOf(server, await aKey(server, { factories: [acme] }))).toEqual({
    CI_SECRET: ["webhook acme/ci"],
    DEPLOY_TOKEN: ["automation acme/nightly"],
    SPARE: [],
  });
});

test("a secret that is used is not deleted, and the answer says by what it is used", async () => {
  const { server } = await served();
  const { status, body } = await ask(server, "DELETE", "/secrets/DEPLOY_TOKEN");
  expect(status).toBe(409);
  expect(body.detail).toContain('automation "nightly"');
  expect((await ask(server, "DELETE", "/secrets/SPARE")).status).toBe(204);
});

const kept = sharedByFile(serveManaged);

describe("a secret that factories share", () => {
  test("is rotated by keys that reach all of them, and by no other", async () => {
    const { server, create } = kept();
    const { uid: own } = await server.api<{ uid: string }>("GET", "/factories/default");
    await server.api("POST", "/factories", { name: "sharing" });
    const factories = ["default", "sharing"];
    await server.api("PUT", "/secrets/OF_TWO_FACTORIES", { value: "of-two-factories", factories });
    const { uid } = await create({ name: "shares", secret_name: "OF_TWO_FACTORIES" });
    await managedBy(server, "sharing").create({ name: "too", secret_name: "OF_TWO_FACTORIES" });
    const path = `/factories/default/webhooks/${uid}/rotate-secret`;
    const limited = await aKey(server, { role: "admin", factories: [own] });
    expect((await ask(server, "POST", path, { key: limited })).status).toBe(403);
    expect((await ask(server, "POST", path)).status).toBe(200);
  });

  test("is not rotated by naming it in an edit that the rotation waits for", async () => {
    const { server, create, call, tagOf } = kept();
    const { uid: own } = await server.api<{ uid: string }>("GET", "/factories/default");
    await server.api("POST", "/factories", { name: "robbed" });
    const robbed = managedBy(server, "robbed");
    const { secret_name } = await robbed.create({ name: "robbed" });
    const key = await aKey(server, { role: "admin", factories: [own] });
    const { uid } = await create({ name: "robber" });
    const file = "/files/webhooks%2Frobber.yaml";
    const body = { content: `authMode: token\nsecretName: ${secret_name}\n` };
    const headers = { "if-match": await tagOf(file) };
    await Promise.all([
      call("PUT", file, { key, headers, body }),
      call("POST", `/webhooks/${uid}/rotate-secret`, { key }),
      call("POST", `/webhooks/${uid}/rotate-secret`, { key }),
    ]);
    const webhooks = await robbed.webhooks();
    expect(webhooks.map(({ has_newer_secret }) => has_newer_secret)).toEqual([false]);
  });
});
