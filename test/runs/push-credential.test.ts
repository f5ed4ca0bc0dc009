import { join } from "node:path";
import { expect, test } from "vitest";
import { automationWith, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { aForge } from "../given/forge.ts";
import { APP_ID, githubStandIn, PRIVATE_KEY } from "../given/github-stand-in.ts";
import { preparingServer } from "../given/preparing.ts";

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
  - { provider: webhook, event: received, millrace: { webhooks: [ci] } }`;

/** A server whose forge has an app, or whatever these lines say, and a way to start a run of an automation. */
async function stage(ofForge: (api: string, key: string) => string, millrace = "millrace: { push: true }") {
  const host = await githubStandIn();
  const forge = aForge();
  const key = join(folderWith({ "app.pem": PRIVATE_KEY }), "app.pem");
  forge.settings = `forges: { home: { baseUrl: "${forge.baseUrl}"${ofForge(host.api, key)} } }\n`;
  const { story } = await preparingServer(TELL, {
    forge,
    files: {
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "automations/a.md": automationWith(`${AUTOMATION}\n${millrace}`),
    },
  });
  await story.setSecret("CI_SECRET", "token");
  await story.sync();
  const url = await story.urlOf("ci");
  const run = async () => {
    const ended = await story.endedRunOf(await story.accept(url, "token", "{}"));
    return { ...ended, transcript: await story.transcript(ended.run_id) };
  };
  return { host, run };
}

const withApp = (api: string, key: string) =>
  `, api: "${api}", app: { id: ${APP_ID}, privateKey: { file: "${key}" } }`;

test("a run whose automation says so gets a token for its repository alone, which is shown nowhere", async () => {
  const { host, run } = await stage(withApp);
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

test("a run whose automation does not say so gets none", async () => {
  const { host, run } = await stage(withApp, "millrace: { push: false }");
  expect((await run()).transcript).toContain("begins none");
  expect(host.grants).toEqual([]);
});

test("a forge that has only a token for all its repositories gives none, and the run says what to set", async () => {
  const { run } = await stage(() => "");
  expect(await run()).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "environment_setup_failed",
      message: expect.stringMatching(
        /push to acme\/shop.*GitHub App.*set app: beside the token of forges\.home/,
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
