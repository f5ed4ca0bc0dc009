import { describe, expect, test } from "vitest";
import { aKey, ask } from "../given/ask.ts";
import { FACTORY } from "../given/definition.ts";
import { type Server, waitFor } from "../given/server.ts";
import { syncedFactory } from "../given/serving.ts";

interface History {
  revisions: {
    revision: string;
    outcome: string;
    asked_by: { reason: string; principal: { display_name: string } | null };
    changes: { action: string; kind: string; name: string }[];
    problems: { message: string }[];
    is_in_force: boolean;
  }[];
}

const historyOf = (server: Server) => server.api<History>("GET", "/factories/acme/revisions");

describe("a rollback", () => {
  test("brings a webhook back at its old URL, and is fought neither by git nor by a restart", async () => {
    const { repository, first, start, server, story } = await syncedFactory();
    const { url } = await story.webhook("ci");
    const second = repository.push({ "a.txt": "2" }, { remove: ["webhooks/ci.yaml"] });
    expect((await story.sync()).sync.applied_revision).toBe(second);
    expect((await story.deliver(url, "x", "{}")).status).toBe(404);

    const operator = await aKey(server, { role: "operator" });
    const answer = await ask(server, "POST", "/factories/acme/rollback", {
      key: operator,
      body: { revision: first.slice(0, 8) },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.sync).toMatchObject({ status: "suspended", applied_revision: first });
    expect((await story.deliver(url, "x", "{}")).status).toBe(202);
    const third = repository.push({ "a.txt": "3" });
    expect((await story.sync()).sync).toMatchObject({ status: "suspended", applied_revision: first });
    await server.stop();

    const again = await start();
    expect((await again.story.sync()).sync).toMatchObject({ status: "suspended", applied_revision: first });
    expect((await again.story.deliver(url.replace(server.url, again.server.url), "x", "[]")).status).toBe(
      202,
    );
    await again.server.api("POST", "/factories/acme/resume");
    await waitFor(async () => (await again.story.factory()).sync.applied_revision === third);
    const revisions = (await historyOf(again.server)).revisions.slice(0, 3);
    expect(
      revisions.map(({ revision, asked_by, is_in_force }) => [revision, asked_by.reason, is_in_force]),
    ).toEqual([
      [third, "resume", true],
      [first, "rollback", false],
      [second, "sync", false],
    ]);
    expect(revisions[1]?.asked_by.principal?.display_name).toMatch(/^key/);
    expect(revisions[1]?.changes).toContainEqual(expect.objectContaining({ action: "create", name: "ci" }));
  });

  test("that cannot be says why, and leaves all as it was", async () => {
    const { repository, first, server, story } = await syncedFactory();
    const rollback = async (revision: string) => {
      const { status, body } = await ask(server, "POST", "/factories/acme/rollback", { body: { revision } });
      return [status, body.detail];
    };
    const broken = repository.push({ "factory.yaml": "name: [" });
    await story.sync();
    const second = repository.push(FACTORY, { remove: ["webhooks/ci.yaml"] });
    await story.sync();
    await server.api("DELETE", "/secrets/CI_SECRET");
    expect(await rollback("f".repeat(40))).toEqual([
      404,
      expect.stringContaining("No applied revision starts with"),
    ]);
    expect(await rollback(broken)).toEqual([409, expect.stringContaining("never applied")]);
    expect(await rollback(first)).toEqual([
      409,
      expect.stringMatching(/webhooks\/ci\.yaml:\d+:\d+: there is no secret/),
    ]);
    expect(await rollback("main")).toEqual([400, expect.stringContaining("revision")]);
    expect((await story.sync()).sync).toMatchObject({
      status: "synced",
      attempted_revision: second,
      applied_revision: second,
    });
    const [newest] = (await historyOf(server)).revisions;
    expect(newest).toMatchObject({ revision: first, outcome: "failed", asked_by: { reason: "rollback" } });
  });
});
