import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { temporaryFolder, writeFiles } from "../given/folder.ts";
import { serveOverHttp } from "../given/git-http.ts";
import { repositoryWith, runGit } from "../given/repository.ts";
import { startServer, waitFor } from "../given/server.ts";
import { sshHost } from "../given/sshd.ts";
import { storyOf } from "../given/story.ts";

const SECRET = "a-secret-of-git-hosts";
const FILES = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

/** A private repository behind git's own HTTP server, whose pushes are told by hooks and by nothing else. */
async function stage() {
  const repository = repositoryWith(FILES);
  const host = await serveOverHttp(repository.url, "the-token");
  const server = await startServer({
    sources: [host.url],
    env: { MILLRACE_GIT_TOKEN: "the-token", MILLRACE_HOOK_SECRET: SECRET, MILLRACE_POLL_INTERVAL: "1h" },
  });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  await waitFor(async () => (await story.factory()).sync.status === "synced");
  const hook = async () => {
    const body = JSON.stringify({ ref: "refs/heads/main" });
    const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
    const headers = { "x-hub-signature-256": signature, "x-github-event": "push" };
    return (await fetch(`${server.url}/hooks/git/acme`, { method: "POST", headers, body })).status;
  };
  const becomes = (commit: string, status = "synced") =>
    waitFor(async () => {
      const { sync } = await story.factory();
      return sync.attempted_revision === commit && sync.status === status ? sync : undefined;
    });
  return { repository, server, story, hook, becomes };
}

test("a webhook is deleted by a push, and has its URL back with a revert", async () => {
  const { repository, server, story, hook, becomes } = await stage();
  const { url } = await story.webhook("ci");
  const gone = repository.push({}, { remove: ["webhooks/ci.yaml"] });
  await hook();
  await becomes(gone);
  expect((await story.deliver(url, "x", "1")).status).toBe(404);
  const back = repository.revert();
  await hook();
  await becomes(back);
  expect(await story.urlOf("ci")).toBe(url);
  const { revisions } = await server.api<{ revisions: object[] }>("GET", "/factories/acme/revisions?limit=1");
  expect(revisions).toMatchObject([{ revision: back, asked_by: { reason: "hook", principal: null } }]);
  expect((await story.deliver(url, "x", "1")).status).toBe(202);
});

test("a broken revision is reported and changes nothing, and its fix is applied", async () => {
  const { repository, story, hook, becomes } = await stage();
  const { url } = await story.webhook("ci");
  const broken = repository.push({ "webhooks/ci.yaml": "secretname: CI_SECRET\n" });
  await hook();
  const { problems } = await becomes(broken, "failed");
  expect(problems).toContainEqual(expect.objectContaining({ path: "webhooks/ci.yaml", line: 1 }));
  expect((await story.deliver(url, "x", "1")).status).toBe(202);
  const mended = repository.push({ ...FILES, "automations/a.md": automationOn(["ci"]) });
  await hook();
  await becomes(mended);
  const delivery = await story.accept(url, "x", "2");
  expect((await story.delivery(delivery)).run_ids).toHaveLength(1);
});

test("a forced push is followed, back to an earlier commit too", async () => {
  const { repository, story, hook, becomes } = await stage();
  const first = repository.git("rev-parse", "HEAD");
  const second = repository.push({ "webhooks/more.yaml": TOKEN_WEBHOOK });
  await hook();
  await becomes(second);
  const { url } = await story.webhook("more");
  repository.reset(first);
  repository.git("push", "--quiet", "--force", "origin", "HEAD:refs/heads/main");
  await hook();
  await becomes(first);
  expect((await story.deliver(url, "x", "1")).status).toBe(404);
});

test("two people who push concurrently end with the tip applied, and nothing ever goes back", async () => {
  const { repository, server, hook, becomes } = await stage();
  const other = `${temporaryFolder()}/clone`;
  runGit(temporaryFolder(), "clone", "--quiet", repository.url, other);
  for (let round = 0; round < 4; round += 1) {
    repository.git("pull", "--quiet", "--rebase", "origin", "main");
    repository.push({ [`one-${round}.txt`]: String(round) });
    const told = hook();
    runGit(other, "pull", "--quiet", "--rebase", "origin", "main");
    writeFiles(other, { [`two-${round}.txt`]: String(round) });
    runGit(other, "add", "--all");
    runGit(other, "commit", "--quiet", "--message=Push too");
    runGit(other, "push", "--quiet", "origin", "HEAD:refs/heads/main");
    expect([await told, await hook()]).toEqual([202, 202]);
  }
  await becomes(runGit(repository.url, "rev-parse", "main"));
  const { revisions } = await server.api<{ revisions: { revision: string; outcome: string }[] }>(
    "GET",
    "/factories/acme/revisions?limit=100",
  );
  const applied = revisions.filter(({ outcome }) => outcome === "applied").map(({ revision }) => revision);
  const order = runGit(repository.url, "rev-list", "--topo-order", "main").split("\n");
  expect(applied.map((revision) => order.indexOf(revision))).toEqual(
    [...applied.map((revision) => order.indexOf(revision))].sort((a, b) => a - b),
  );
  expect(applied[0]).toBe(order[0]);
});

test("a repository over ssh is followed with a deploy key, which may be removed and changed while the server runs", async () => {
  const repository = repositoryWith(FILES);
  const host = await sshHost();
  const key = join(temporaryFolder(), "key");
  writeFileSync(key, readFileSync(host.deployKey), { mode: 0o600 });
  const server = await startServer({
    sources: [host.urlOf(repository.url)],
    env: {
      MILLRACE_GIT_SSH_KEY_FILE: key,
      MILLRACE_GIT_KNOWN_HOSTS_FILE: host.knownHosts,
      MILLRACE_POLL_INTERVAL: "1h",
    },
  });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "x");
  await story.sync();
  const url = await story.urlOf("ci");

  host.authorize(host.strangerKey);
  const tip = repository.push({ "webhooks/more.yaml": TOKEN_WEBHOOK });
  const refused = (await story.sync()).sync;
  expect(refused).toMatchObject({ status: "failed", problems: [{ code: "GIT_AUTHENTICATION_FAILED" }] });
  expect((await story.deliver(url, "x", "1")).status).toBe(202);

  writeFileSync(key, readFileSync(host.strangerKey), { mode: 0o600 });
  expect((await story.sync()).sync).toMatchObject({ status: "synced", applied_revision: tip });
  expect((await story.deliver(await story.urlOf("more"), "x", "2")).status).toBe(202);
});
