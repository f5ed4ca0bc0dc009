import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withFactoryLines } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { LOOPBACK_ALLOWED, receiver, SIGNING_SECRET, TOLD_AGENT } from "../given/outbound.ts";
import { startServer, waitFor } from "../given/server.ts";

const notifying = (url: string, secretName: string) =>
  `millrace:
  repositories: optional
  notify: [{ name: t, kind: webhook, url: "${url}", secretName: ${secretName}, events: [run.failed] }]
`;

interface Listed {
  notifications: { factory: string; state: string }[];
  notification_targets: { id: string; name: string; factory: string | null; address: string }[];
}

/** Two factories whose definitions have targets of their own, and a target of the settings. */
async function twoFactories() {
  const [own, others, ops] = [await receiver(), await receiver(), await receiver()];
  const acme = withFactoryLines(notifying(own.url, "ACME_NOTIFY"));
  const beta = withFactoryLines(notifying(others.url, "ACME_NOTIFY"));
  beta["factory.yaml"] = String(beta["factory.yaml"]).replace("name: acme", "name: beta");
  const settings = {
    notifications: [
      {
        name: "ops",
        kind: "webhook",
        url: `${ops.url}/a-secret-path`,
        secret: { env: "OPS" },
        events: ["run.failed"],
      },
    ],
  };
  const config = join(folderWith({ "millrace.yaml": JSON.stringify(settings) }), "millrace.yaml");
  const server = await startServer({
    sources: [folderWith(acme), folderWith(beta)],
    agent: TOLD_AGENT,
    args: ["--config", config],
    env: { ...LOOPBACK_ALLOWED, OPS: SIGNING_SECRET },
  });
  await waitFor(async () => {
    const { factories } = await server.api<{ factories: { name: string }[] }>("GET", "/factories");
    return ["acme", "beta"].every((name) => factories.some((factory) => factory.name === name));
  });
  await server.api("PUT", "/secrets/ACME_NOTIFY", { value: SIGNING_SECRET, factories: ["acme"] });
  return { server, own, others, ops };
}

describe("the targets of a definition", () => {
  test("get nothing of other factories, and are not signed with a secret of others", async () => {
    const { server, own, others, ops } = await twoFactories();
    for (const factory of ["acme", "beta"])
      await server.api("POST", "/agent/runs", { prompt: "PLEASE-FAIL", factory });
    await waitFor(async () => ops.requests.length === 2);
    await waitFor(async () => own.requests.length === 1);
    await waitFor(async () => server.log().includes("has no value that the factory may use"));
    expect(own.requests[0]?.json.data.factory.name).toBe("acme");
    expect(others.requests).toEqual([]);
  });

  test("and what went to them are all that a key of their factory sees", async () => {
    const { server, ops } = await twoFactories();
    for (const factory of ["acme", "beta"])
      await server.api("POST", "/agent/runs", { prompt: "PLEASE-FAIL", factory });
    await waitFor(async () => ops.requests.length === 2);
    const key = await server.api<{ key: string }>("POST", "/api-keys", {
      name: "limited",
      role: "operator",
      factories: ["acme"],
    });
    const ask = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${key.key}` };
      const answer = await server.fetch(`/api/v1${path}`, { method, headers });
      return { status: answer.status, json: (await answer.json()) as Listed };
    };
    const targets = (await ask("GET", "/notification-targets")).json.notification_targets;
    expect(targets.map(({ factory, name }) => [factory, name])).toEqual([["acme", "t"]]);
    expect((await ask("GET", "/notifications")).json.notifications.map(({ factory }) => factory)).toEqual([
      "acme",
    ]);
    expect((await ask("POST", "/notification-targets/settings.ops/test")).status).toBe(404);
    expect((await ask("POST", `/notification-targets/${targets[0]?.id}/test`)).status).toBe(200);
    const all = await server.api<Listed>("GET", "/notification-targets");
    expect(all.notification_targets.find(({ name }) => name === "ops")?.address).toBe(
      new URL(ops.url).origin,
    );
    expect(JSON.stringify(all)).not.toContain("a-secret-path");
  });
});
