import { expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { aPostgresDatabase } from "../given/postgres.ts";
import { failToStart, waitFor } from "../given/server.ts";
import { serversOn, severalServers } from "../given/several-servers.ts";

test("servers that start at the same moment on an empty database all serve", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { servers, urlAt } = await severalServers(3);
    for (const each of servers) {
      const answer = await each.story.deliver(urlAt(each), "ci-secret", JSON.stringify(each.server.url));
      expect(answer.status).toBe(202);
    }
    await Promise.all(servers.map(({ server }) => server.stop()));
  }
}, 120_000);

test("servers that start at the same moment without a source serve one factory, which each of them can edit", async () => {
  const { start } = await serversOn(await aPostgresDatabase(), []);
  const servers = await Promise.all([start(), start(), start()]);
  const uids = new Set<string>();
  for (const [at, { server }] of servers.entries()) {
    const { factories } = await server.api<{ factories: { uid: string; name: string }[] }>(
      "GET",
      "/factories",
    );
    expect(factories.map(({ name }) => name)).toEqual(["default"]);
    const uid = factories[0]?.uid ?? "";
    uids.add(uid);
    await server.api("POST", `/factories/${uid}/webhooks`, { name: `w${at}` });
  }
  expect(uids.size).toBe(1);
  for (const { server } of servers) {
    await waitFor(async () => {
      const path = `/factories/${[...uids][0]}/webhooks`;
      const { webhooks } = await server.api<{ webhooks: { name: string }[] }>("GET", path);
      return webhooks.length === 3;
    });
  }
});

test("a folder is not served from a database that other servers can share", async () => {
  const folder = folderWith(FACTORY);
  const env = {
    MILLRACE_DATABASE_URL: await aPostgresDatabase(),
    MILLRACE_MASTER_KEY: "a-master-key-for-tests",
  };
  const { code, said } = await failToStart([folder], env);
  expect(code).toBe(2);
  expect(said).toContain(`The source ${folder} is a folder`);
  expect(said).toContain(`git:${folder}`);
});
