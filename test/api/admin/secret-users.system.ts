import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { automationOn, automationWith, TOKEN_WEBHOOK } from "../../given/definition.ts";
import type { Server } from "../../given/server.ts";
import { twoFactories } from "../../given/two-factories.ts";

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
