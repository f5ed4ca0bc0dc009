import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { github, hmac, hookedServer, MAIN, SECRET } from "../../given/push-hook.ts";
import { LOOPBACK_PROXY } from "../../given/server.ts";

const shared = sharedByFile(() => hookedServer());

describe("a push syncs the source when it is reported by", () => {
  const bitbucket = JSON.stringify({ push: { changes: [{ new: { type: "branch", name: "main" } }] } });
  const dataCenter = JSON.stringify({ changes: [{ ref: { id: "refs/heads/main" } }] });
  const form = new URLSearchParams({ payload: MAIN }).toString();
  test.each<[string, string, Record<string, string>]>([
    ["GitHub", MAIN, github(MAIN)],
    ["GitHub, as a form", form, { ...github(form), "content-type": "application/x-www-form-urlencoded" }],
    ["GitLab with a token", MAIN, { "x-gitlab-token": SECRET, "x-gitlab-event": "Push Hook" }],
    [
      "Gitea, which signs as GitHub does too",
      MAIN,
      { ...github(MAIN), "x-gitea-signature": hmac(MAIN), "x-gitea-event": "push" },
    ],
    ["Forgejo", MAIN, { "x-forgejo-signature": hmac(MAIN), "x-forgejo-event": "push" }],
    ["Bitbucket", bitbucket, { "x-hub-signature": `sha256=${hmac(bitbucket)}`, "x-event-key": "repo:push" }],
    [
      "Bitbucket Data Center",
      dataCenter,
      { "x-hub-signature": `sha256=${hmac(dataCenter)}`, "x-event-key": "repo:refs_changed" },
    ],
    ["a script", MAIN, { "x-millrace-signature": `sha256=${hmac(MAIN)}` }],
    ["a script that says nothing", "", { "x-millrace-signature": `sha256=${hmac("")}` }],
  ])("%s", async (_, body, headers) => {
    const { push, hook, isApplied } = shared();
    const commit = push();
    const answer = await hook(headers, body);
    expect([answer.status, await answer.json()]).toEqual([202, { status: "accepted" }]);
    await isApplied(commit);
  });

  test("GitLab with a signing secret", async () => {
    const key = Buffer.from("0123456789abcdef0123456789abcdef");
    const { push, hook, isApplied } = await hookedServer({
      MILLRACE_HOOK_SECRET: `whsec_${key.toString("base64")}`,
    });
    const time = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac("sha256", key).update(`an-id.${time}.${MAIN}`).digest("base64");
    const commit = push();
    const answer = await hook({
      "webhook-id": "an-id",
      "webhook-timestamp": time,
      "webhook-signature": `v1,${signature}`,
      "x-gitlab-event": "Push Hook",
    });
    expect(answer.status).toBe(202);
    await isApplied(commit);
  });
});

test("an event that is not a push, or is for another branch, is answered with 200 and starts no sync", async () => {
  const { story, push, hook } = shared();
  const before = (await story.factory()).sync.applied_revision;
  push();
  const other = JSON.stringify({ ref: "refs/heads/feature" });
  for (const [body, event] of [
    [other, "push"],
    [JSON.stringify({ ref: "refs/tags/main" }), "push"],
    [MAIN, "ping"],
  ] as const) {
    const answer = await hook({ ...github(body), "x-github-event": event }, body);
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: "ignored" }]);
  }
  expect((await story.factory()).sync.applied_revision).toBe(before);
  await story.sync();
});

test("the commands of the documentation report a push", async () => {
  const { server, push, isApplied } = shared();
  const page = readFileSync(new URL("../../../docs/revisions.md", import.meta.url), "utf8");
  const [, commands = ""] = /```sh\n(body=.*?)```/s.exec(page) ?? [];
  const commit = push();
  const script = commands.replace("https://millrace.example.com", server.url);
  const { stdout } = await promisify(execFile)("sh", ["-c", script], {
    env: { PATH: process.env.PATH, HOOK_SECRET: SECRET },
  });
  expect(JSON.parse(stdout)).toEqual({ status: "accepted" });
  await isApplied(commit);
});

describe("a sender that does not prove to know the secret", () => {
  test("gets the same answer, whether there is such a factory or not", async () => {
    const { server, hook } = shared();
    const signed = github(MAIN, "another secret");
    const told = async (answer: Response) => {
      const { instance: _, trace_id: __, ...rest } = (await answer.json()) as Record<string, unknown>;
      return [answer.status, rest];
    };
    const refused = await told(await hook(signed));
    expect(refused).toMatchObject([401, { detail: "The push hook could not be authenticated." }]);
    expect(await told(await hook(signed, MAIN, "nobody"))).toEqual(refused);
    expect(await told(await hook(github(MAIN), MAIN, "nobody"))).toEqual(refused);
    expect(await told(await hook({}))).toEqual(refused);
    expect(await told(await hook(github(`${MAIN} `)))).toEqual(refused);
    expect(await told(await hook({ "x-hub-signature": `sha1=${hmac(MAIN)}` }))).toEqual(refused);
    expect(server.log()).toContain("a push hook was refused");
    expect(server.log()).not.toContain(SECRET);
  });

  test("is blocked after a number of failures, with a body of any size; one that knows the secret is accepted from another address", async () => {
    const { hook, server } = await hookedServer({
      MILLRACE_HOOK_SECRET: SECRET,
      MILLRACE_FAILED_AUTH_PER_MINUTE: "3",
      ...LOOPBACK_PROXY,
    });
    const large = await hook(github("x"), "x".repeat(5 * 1024 * 1024 + 1));
    expect(large.status).toBe(413);
    for (let count = 0; count < 2; count += 1) expect((await hook({})).status).toBe(401);
    const kept = await hook(github(MAIN));
    expect([kept.status, Number(kept.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect((await hook({ ...github(MAIN), "x-forwarded-for": "192.0.2.1" })).status).toBe(202);
    const get = await fetch(`${server.url}/hooks/git/acme`);
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  });
});
