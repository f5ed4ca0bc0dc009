import { describe, expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK, withFactoryLines } from "../given/definition.ts";
import { repositoryWith } from "../given/repository.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../given/server.ts";
import { type Factory, storyOf } from "../given/story.ts";

const guarded = (guard?: string) =>
  guard === undefined ? FACTORY : withFactoryLines(`millrace: { pruneGuard: ${guard} }\n`);

/** A factory with three webhooks in force, a, b and c. */
async function stage(guard?: string) {
  const repository = repositoryWith({
    ...guarded(guard),
    "webhooks/a.yaml": TOKEN_WEBHOOK,
    "webhooks/b.yaml": TOKEN_WEBHOOK,
    "webhooks/c.yaml": TOKEN_WEBHOOK,
  });
  const server = await startServer({ sources: [repository.url], env: { MILLRACE_POLL_INTERVAL: "1h" } });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  await waitFor(async () => (await story.factory()).sync.status === "synced");
  const remove = (names: string[], message?: string, files = {}) =>
    repository.push(files, {
      remove: names.map((name) => `webhooks/${name}.yaml`),
      ...(message ? { message } : {}),
    });
  const plan = (ref: string) =>
    server.api<{ applicable: boolean; warnings: { code: string; blocking: boolean; path: string }[] }>(
      "POST",
      "/factories/acme/plan",
      { ref },
    );
  const millrace = (...args: string[]) =>
    run(args, { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY });
  return { repository, server, story, remove, plan, millrace };
}

/** What the status says of the guard, without the rest. */
const saidOf = ({ sync }: Factory) =>
  sync.problems
    .filter(({ code }) => code === "PRUNE_GUARD")
    .map(({ severity, message }) => `${severity}: ${message.replace(/ at \S+Z/, " at T")}`);

describe("the prune guard", () => {
  test("warns in the plan, in the status and in the history, and applies, unless it is set otherwise", async () => {
    const { server, story, remove, plan } = await stage();
    await story.accept((await story.webhook("a")).url, "x", "{}");
    const commit = remove(["a", "b"]);
    const expected = [
      { code: "deletes_most_webhooks", blocking: false, path: "webhooks/a.yaml" },
      { code: "deletes_used_webhook", blocking: false, path: "webhooks/a.yaml" },
    ];
    const planned = await plan("main");
    expect(planned.applicable).toBe(true);
    expect(planned.warnings.filter(({ code }) => code.startsWith("deletes_"))).toMatchObject(expected);
    const factory = await story.sync();
    expect(factory.sync).toMatchObject({ status: "synced", applied_revision: commit });
    expect(saidOf(factory)).toEqual([
      'warning: this deletes 2 of 3 webhooks: "a", "b"',
      'warning: this deletes the webhook "a", whose last delivery was received at T: its senders get 404',
    ]);
    const { revisions } = await server.api<{ revisions: { problems: { code: string }[] }[] }>(
      "GET",
      "/factories/acme/revisions?limit=1",
    );
    expect(revisions[0]?.problems.filter(({ code }) => code === "PRUNE_GUARD")).toHaveLength(2);
  });

  test("does not report a webhook that is not in use, and reports nothing when it is off", async () => {
    const { story, remove } = await stage();
    remove(["c"]);
    expect(saidOf(await story.sync())).toEqual([]);
    const off = await stage("off");
    off.remove(["a", "b", "c"]);
    const factory = await off.story.sync();
    expect([factory.sync.status, saidOf(factory)]).toEqual(["synced", []]);
  });

  test("set to block applies nothing until someone confirms the deletions", async () => {
    const { story, remove, plan, millrace } = await stage("block");
    const { url } = await story.webhook("a");
    const before = (await story.factory()).sync.applied_revision;
    const commit = remove(["a", "b"]);
    expect((await plan("main")).applicable).toBe(false);
    const failed = await story.sync();
    expect(failed.sync).toMatchObject({
      status: "failed",
      attempted_revision: commit,
      applied_revision: before,
    });
    expect(saidOf(failed)).toEqual([expect.stringContaining("millrace sync --allow-deletes")]);
    expect((await story.deliver(url, "x", "{}")).status).toBe(202);
    expect((await millrace("sync")).code).toBe(1);

    const ofAnother = await millrace("sync", "--allow-deletes", "--revision", before ?? "");
    expect([ofAnother.code, ofAnother.printed]).toEqual([1, expect.stringContaining(commit.slice(0, 12))]);
    expect((await story.deliver(url, "x", "[1]")).status).toBe(202);
    expect((await millrace("sync", "--revision", commit)).code).toBe(2);

    const allowed = await millrace("sync", "--allow-deletes", "--revision", commit.slice(0, 8).toUpperCase());
    expect([allowed.code, allowed.printed]).toEqual([0, expect.stringMatching(/status: +synced/)]);
    expect((await story.deliver(url, "x", "[]")).status).toBe(404);
  });

  test("accepts a trailer of any commit since the applied one, and of no earlier one", async () => {
    const { repository, story, remove, plan } = await stage("block");
    const trailer = "\n\nMillrace-Allow-Deletes: true";
    const first = remove(["a", "b"], `Tidy up${trailer}`);
    const second = repository.push({ "a.txt": "2" });
    expect((await plan(first)).applicable).toBe(true);
    expect((await story.sync()).sync).toMatchObject({ status: "synced", applied_revision: second });
    remove(["c"]);
    expect((await story.sync()).sync.status).toBe("failed");
    const last = repository.push({}, { message: `Mean it${trailer}` });
    expect((await story.sync()).sync).toMatchObject({ status: "synced", applied_revision: last });
  });

  test("asks for a trailer that names the active revision, and accepts no other revision in it", async () => {
    const { repository, story, remove } = await stage("block");
    const first = (await story.factory()).sync.applied_revision ?? "";
    const trailer = (value: string) => `Tidy up\n\nMillrace-Allow-Deletes: ${value}`;
    const failed = remove(["a", "b"], trailer("0123456789ab"));
    expect(saidOf(await story.sync())).toEqual([
      expect.stringContaining(`Millrace-Allow-Deletes: ${first.slice(0, 12)}`),
    ]);
    expect((await story.factory()).sync).toMatchObject({ status: "failed", attempted_revision: failed });
    const meant = repository.push({}, { message: trailer(first.slice(0, 12)) });
    expect((await story.sync()).sync).toMatchObject({ status: "synced", applied_revision: meant });
    remove(["c"], trailer(first.slice(0, 12)));
    expect((await story.sync()).sync.status).toBe("failed");
  });

  test("does not count once more when history was rewritten", async () => {
    const { repository, story, remove } = await stage("block");
    remove(["a", "b"], "Tidy up\n\nMillrace-Allow-Deletes: true");
    expect((await story.sync()).sync.status).toBe("synced");
    const old = repository.git("rev-parse", "HEAD~1");
    const back = repository.push({ "webhooks/a.yaml": TOKEN_WEBHOOK, "webhooks/b.yaml": TOKEN_WEBHOOK });
    expect((await story.sync()).sync).toMatchObject({ status: "synced", applied_revision: back });
    await story.accept((await story.webhook("a")).url, "x", "{}");
    repository.git("reset", "--quiet", "--hard", old);
    repository.push(
      {},
      {
        remove: ["webhooks/a.yaml", "webhooks/b.yaml"],
        message: "Tidy up\n\nMillrace-Allow-Deletes: true",
        force: true,
      },
    );
    expect((await story.sync()).sync).toMatchObject({ status: "failed", applied_revision: back });
  });

  test("is not bypassed by the commit that turns it off", async () => {
    const { repository, story, remove } = await stage("block");
    remove(["a", "b"], "Turn it off", guarded("off"));
    expect((await story.sync()).sync.status).toBe("failed");
    repository.revert();
    repository.push(guarded("off"));
    expect((await story.sync()).sync.status).toBe("synced");
    remove(["a", "b"]);
    expect((await story.sync()).sync.status).toBe("synced");
  });

  test("lets a rollback delete what it lacks", async () => {
    const { repository, server, story } = await stage("block");
    const first = (await story.factory()).sync.applied_revision;
    const more = ["d", "e", "f", "g"].map((name) => [`webhooks/${name}.yaml`, TOKEN_WEBHOOK] as const);
    repository.push(Object.fromEntries(more));
    await story.sync();
    await story.accept((await story.webhook("d")).url, "x", "{}");
    await server.api("POST", "/factories/acme/rollback", { revision: first });
    const { sync } = await story.factory();
    expect(sync).toMatchObject({ status: "suspended", applied_revision: first });
  });
});
