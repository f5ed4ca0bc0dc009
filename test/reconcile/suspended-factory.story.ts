import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { waitFor } from "../given/server.ts";
import { syncedFactory } from "../given/synced-factory.ts";

describe("a rollback", () => {
  test("reaches a commit that a forced push has taken out of the branch", async () => {
    const { repository, first, server, story } = await syncedFactory();
    const lost = repository.push({ "factory.yaml": `${FACTORY["factory.yaml"]}description: lost\n` });
    await story.sync();
    repository.reset(first);
    repository.push({ "a.txt": "3" }, { force: true });
    await story.sync();
    await server.api("POST", "/factories/acme/rollback", { revision: lost });
    expect((await story.factory()).sync).toMatchObject({ status: "suspended", applied_revision: lost });
  });
});

test("a suspended factory is suspended after a restart too, and serves what it holds", async () => {
  const { repository, first, start, server } = await syncedFactory();
  await server.api("POST", "/factories/acme/suspend");
  await server.api("POST", "/factories/acme/suspend");
  await server.stop();
  const second = repository.push({ "a.txt": "2" });
  const again = await start();
  expect((await again.story.sync()).sync).toMatchObject({ status: "suspended", applied_revision: first });
  expect((await again.server.fetch("/readyz")).status).toBe(200);
  await again.server.api("POST", "/factories/acme/resume");
  await again.server.api("POST", "/factories/acme/resume");
  await waitFor(async () => (await again.story.factory()).sync.applied_revision === second);
});
