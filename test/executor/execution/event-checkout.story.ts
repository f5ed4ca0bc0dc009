import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { automationWith } from "../../given/definition.ts";
import { preparingServer } from "../../given/executing.ts";
import { githubExample } from "../../given/github.ts";

/** Tells where the clone of its workspace is, and commits in it. */
const COMMIT = `
  import { execFileSync } from "node:child_process";
  import { readFileSync } from "node:fs";
  const git = (...args) => execFileSync("git", args, { cwd: "shop", encoding: "utf8" }).trim();
  console.log("branch=" + git("branch", "--show-current"), "subject=" + git("log", "-1", "--format=%s"));
  git("commit", "--quiet", "--allow-empty", "--message=Work");
  console.log("event=" + JSON.parse(readFileSync("agent.json", "utf8")).event);
  console.log(/The sender's name for the event is \\w+\\./.exec(readFileSync("prompt.md", "utf8"))?.[0]);
  console.log("author=" + git("log", "-1", "--format=%an <%ae>"), "parent=" + git("rev-parse", "HEAD~1"));`;

/** A server whose automation GitHub's pull requests and pushes start. */
async function stage() {
  const started = await preparingServer(COMMIT, {
    files: {
      "webhooks/github.yaml": "authMode: signature\nsignatureScheme: github\nsecretName: HUB\n",
      "automations/a.md": automationWith(`triggers:
  - { provider: github, event: pull_request_opened, filter: { repos: [acme/shop, acme/other] } }
  - { provider: github, event: push, filter: { repos: [acme/shop] } }`),
    },
  });
  const { story, repository } = started;
  await story.setSecret("HUB", "s");
  await story.sync();
  const url = await story.urlOf("github");
  /** Sends an event. @returns how its run ended, with what it wrote */
  const send = async (event: string, payload: object) => {
    const body = JSON.stringify(payload);
    const signature = `sha256=${createHmac("sha256", "s").update(body).digest("hex")}`;
    const headers = { "x-hub-signature-256": signature, "x-github-event": event };
    const answer = await fetch(url, { method: "POST", headers, body });
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    const run = await story.endedRunOf(delivery_id);
    return { ...run, transcript: await story.transcript(run.run_id) };
  };
  const main = repository.git("rev-parse", "HEAD");
  const pullRequest = (sha: string, { ref = "fix", into = "acme/shop", from = "acme/shop" } = {}) => {
    const head = { sha, ref, repo: { full_name: from } };
    const changes = { number: 7, repository: { full_name: into }, pull_request: { number: 7, head } };
    return githubExample("pull_request", "opened", changes).payload;
  };
  return { ...started, send, main, pullRequest };
}

describe("a run of an event is checked out", () => {
  test("at the head of its pull request, on a branch on which the agent can commit", async () => {
    const { send, repository, pullRequest, main } = await stage();
    // The head of a pull request from a fork is in no branch of the repository.
    const head = repository.push({ "fix.txt": "1" }, { message: "Fix it", branch: "gone" });
    repository.git("push", "--quiet", "origin", `${head}:refs/pull/7/head`, ":refs/heads/gone");
    repository.reset(main);
    const { state, transcript } = await send("pull_request", pullRequest(head));
    expect(transcript).toContain("branch=fix subject=Fix it");
    expect(transcript).toMatch(new RegExp(`author=\\S+ <\\S+@millrace\\.invalid> parent=${head}`));
    expect(transcript).toContain(`shop is at commit ${head.slice(0, 12)} of refs/pull/7/head`);
    expect(state).toBe("SUCCEEDED");
  });

  test("at the head of a pull request from a fork, on a branch of its number and not of the fork's name", async () => {
    const { send, repository, pullRequest, main } = await stage();
    const head = repository.push({ "harm.txt": "1" }, { message: "Harm", branch: "gone" });
    repository.git("push", "--quiet", "origin", `${head}:refs/pull/7/head`, ":refs/heads/gone");
    repository.reset(main);
    const ofFork = pullRequest(head, { ref: "main", from: "stranger/shop" });
    const { transcript } = await send("pull_request", ofFork);
    expect(transcript).toContain("branch=pull/7 subject=Harm");
  });

  test("at the commit that was pushed, also when the branch has gone on since", async () => {
    const { send, repository } = await stage();
    const pushed = repository.push({ a: "1" }, { message: "Pushed" });
    repository.push({ a: "2" }, { message: "Later" });
    const payload = {
      ref: "refs/heads/main",
      after: pushed,
      repository: { full_name: "acme/shop" },
      commits: [],
    };
    const { transcript } = await send("push", payload);
    expect(transcript).toContain("branch=main subject=Pushed");
    expect(transcript).toContain("event=push\nThe sender's name for the event is push.\n");
  });

  test("at what the ref has now when the commit of the event was taken away, which it says", async () => {
    const { send, repository, main } = await stage();
    repository.git("push", "--quiet", "origin", `${main}:refs/heads/main`);
    const lost = "1".repeat(40);
    const payload = {
      ref: "refs/heads/main",
      after: lost,
      repository: { full_name: "acme/shop" },
      commits: [],
    };
    const { transcript } = await send("push", payload);
    expect(transcript).toContain(`commit ${lost.slice(0, 12)} of the event no longer exists there`);
    expect(transcript).toContain("branch=main subject=Begin");
  });

  test("on its default branch when the event is of another repository, which it says", async () => {
    const { send, pullRequest } = await stage();
    const { transcript } = await send("pull_request", pullRequest("1".repeat(40), { into: "acme/other" }));
    expect(transcript).toContain("the event is from acme/other, which is not one of this run's repositories");
    expect(transcript).toContain("branch=main subject=Begin");
  });
});

test("a run whose pull request has no head any more says which ref is missing, and starts no agent", async () => {
  const { send, pullRequest } = await stage();
  expect(await send("pull_request", pullRequest("1".repeat(40)))).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "environment_setup_failed",
      message: expect.stringContaining("refs/pull/7/head"),
    },
  });
});
