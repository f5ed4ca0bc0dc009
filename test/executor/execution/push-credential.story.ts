import { join } from "node:path";
import { expect, test } from "vitest";
import { automationWith, signatureWebhook, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { preparingServer } from "../../given/executing.ts";
import { folderWith } from "../../given/folder.ts";
import { githubExample } from "../../given/github.ts";
import { APP_ID, githubStandIn, PRIVATE_KEY } from "../../given/github-stand-in.ts";
import { aForge } from "../../given/repository.ts";
import { hmacOf, post, SIGNING_SECRET } from "../../given/sender.ts";

const TELL = `
  import { readFileSync, readdirSync } from "node:fs";
  const token = process.env.GITHUB_ACCESS_TOKEN ?? "none";
  const ofProcesses = readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map((pid) => {
    try { return readFileSync("/proc/" + pid + "/cmdline", "latin1"); } catch { return ""; }
  });
  const files = readdirSync(".", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const written = files.map((entry) => readFileSync(entry.parentPath + "/" + entry.name, "latin1"));
  console.log("begins " + token.slice(0, 4) + " length " + token.length);
  console.log("whole " + token);
  console.log("in arguments " + ofProcesses.join().includes(token) + " in files " + written.join().includes(token));`;

const AUTOMATION = `triggers:
  - { provider: webhook, event: received, millrace: { webhooks: [ci] } }
  - { provider: github, event: pull_request_opened }`;

/** A server whose forge has an app, or whatever these lines say, and a way to start a run of an automation. */
async function stage(ofForge: (api: string, key: string) => string, millrace = "millrace: { push: true }") {
  const host = await githubStandIn();
  const forge = aForge();
  const key = join(folderWith({ "app.pem": PRIVATE_KEY }), "app.pem");
  forge.settings = `forges: { home: { baseUrl: "${forge.baseUrl}"${ofForge(host.api, key)} } }\n`;
  const { story, repository } = await preparingServer(TELL, {
    forge,
    files: {
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "webhooks/github.yaml": signatureWebhook("github", "HUB"),
      "automations/a.md": automationWith(`${AUTOMATION}\n${millrace}`),
    },
  });
  await story.setSecret("CI_SECRET", "token");
  await story.setSecret("HUB", SIGNING_SECRET);
  await story.sync();
  const url = await story.urlOf("ci");
  const endOf = async (deliveryId: string) => {
    const ended = await story.endedRunOf(deliveryId);
    return { ...ended, transcript: await story.transcript(ended.run_id) };
  };
  const run = async () => endOf(await story.accept(url, "token", "{}"));
  /** Opens a pull request whose head is in a repository. */
  const runOfPull = async (from: string) => {
    const sha = repository.git("rev-parse", "HEAD");
    repository.git("push", "--quiet", "origin", `${sha}:refs/pull/7/head`);
    const head = { sha, ref: "main", repo: { full_name: from } };
    const changes = { repository: { full_name: "acme/shop" }, pull_request: { number: 7, head } };
    const body = JSON.stringify(githubExample("pull_request", "opened", changes).payload);
    const headers = { "x-hub-signature-256": `sha256=${hmacOf(body)}`, "x-github-event": "pull_request" };
    const answer = await post(await story.urlOf("github"), body, headers);
    return endOf(((await answer.json()) as { delivery_id: string }).delivery_id);
  };
  const warnings = async () =>
    (await story.factory()).sync.problems.map(({ path, message }) => [path, message]);
  return { host, run, runOfPull, warnings };
}

const withApp = (api: string, key: string) =>
  `, api: "${api}", app: { id: ${APP_ID}, privateKey: { file: "${key}" } }`;

test("a run whose automation says so gets a token for its repository alone, which is shown nowhere", async () => {
  const { host, run, warnings } = await stage(withApp);
  expect(await warnings()).toEqual([]);
  const { state, transcript } = await run();
  expect(host.grants).toEqual([
    { repositories: ["shop"], permissions: { contents: "write", pull_requests: "write" } },
  ]);
  const [token = ""] = host.tokens;
  expect(transcript).toContain(`begins ghs_ length ${token.length}`);
  expect(transcript).toContain("in arguments false in files false");
  expect(transcript).not.toContain(token);
  expect(state).toBe("SUCCEEDED");
});

test("a run of a pull request from a fork gets no token, and says so; one of the repository itself has it", async () => {
  const { host, runOfPull } = await stage(withApp);
  const { state, transcript } = await runOfPull("stranger/shop");
  expect(transcript).toContain("this turn has no push token: its event comes from a fork of acme/shop");
  expect(transcript).toContain("begins none");
  expect([state, host.grants]).toEqual(["SUCCEEDED", []]);
  expect((await runOfPull("acme/shop")).transcript).toContain("begins ghs_");
});

test("an automation with an environment causes no warning: its runs push to the repositories of that", async () => {
  const keys = `millrace: { push: true }\nenvironmentId: "chosen-for-the-runs-of-a"`;
  const { warnings } = await stage(() => "", keys);
  expect(await warnings()).toEqual([]);
});

test("a run whose automation does not say so gets none", async () => {
  const { host, run } = await stage(withApp, "millrace: { push: false }");
  expect((await run()).transcript).toContain("begins none");
  expect(host.grants).toEqual([]);
});

test("a forge that has only a token for all its repositories gives none, and the run says what to set", async () => {
  const { run, warnings } = await stage(() => "");
  expect(await warnings()).toEqual([
    ["automations/a.md", expect.stringMatching(/forge of acme\/shop has no GitHub App.*set app:/)],
  ]);
  expect(await run()).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "environment_setup_failed",
      message: expect.stringMatching(
        /push to acme\/shop.*GitHub App.*set app: next to the token of forges\.home/,
      ),
    },
  });
});

test("an app that may not write there ends the run with what GitHub says, without its key", async () => {
  const { host, run } = await stage(withApp);
  host.instead = (response) =>
    response
      .writeHead(422, { "content-type": "application/json" })
      .end(JSON.stringify({ message: "The permissions requested are not granted to this installation." }));
  const { state, status_message } = await run();
  expect([state, status_message?.error_code]).toEqual(["FAILED", "environment_setup_failed"]);
  expect(status_message?.message).toMatch(/push to acme\/shop.*permissions requested are not granted/);
  expect(status_message?.message).not.toContain("PRIVATE KEY");
});
