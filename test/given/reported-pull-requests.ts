import { signatureWebhook } from "./definition.ts";
import { folderWith } from "./folder.ts";
import { githubExample } from "./github.ts";
import { hmacOf, post } from "./sender.ts";
import { twoFactories } from "./serving.ts";
import { storyOf } from "./story.ts";

const SECRET = "the secret of the webhook";
const REPOSITORY = "acme/shop";
export const pullUrl = (number: number) => `https://github.com/${REPOSITORY}/pull/${number}`;

/** Reports the pull requests that its prompt names, and says what claude says of a model that cost a dollar. */
const AGENT = `
import { readFileSync } from "node:fs";
const { MILLRACE_API_URL, MILLRACE_RUN_ID, MILLRACE_RUN_TOKEN } = process.env;
for (const [url] of readFileSync("prompt.md", "utf8").matchAll(/https:\\S+/g)) {
  const answer = await fetch(MILLRACE_API_URL + "/api/v1/agent/runs/" + MILLRACE_RUN_ID + "/artifacts", {
    method: "POST",
    headers: { authorization: "Bearer " + MILLRACE_RUN_TOKEN, "content-type": "application/json" },
    body: JSON.stringify({ artifact_type: "PULL_REQUEST", data: { url, branch: "fix", title: "Reported" } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
const used = { inputTokens: 5, outputTokens: 2, cacheReadInputTokens: 0 };
const modelUsage = { opus: { ...used, costUSD: 1 }, strange: used };
console.log(JSON.stringify({ type: "result", subtype: "success", result: "Done.", modelUsage }));`;

function settings(): string[] {
  const command = [process.execPath, `${folderWith({ "agent.mjs": AGENT })}/agent.mjs`];
  const text = JSON.stringify({ harnesses: { told: { command, output: "claude" } } });
  return ["--config", `${folderWith({ "m.yaml": text })}/m.yaml`];
}

const PERSON = { login: "ann", type: "User" };
const BOT = { login: "agent[bot]", type: "Bot" };

/** In "acme", a run has reported the pull requests 1 and 2, and a later one 1 again. */
export async function reportedPullRequests() {
  const { server, acme } = await twoFactories(
    { "webhooks/github.yaml": signatureWebhook("github", "GITHUB_SECRET") },
    { secrets: { GITHUB_SECRET: SECRET }, args: settings() },
  );
  const story = storyOf(server);
  const { agents } = await server.api<{ agents: { uid: string; factory: string }[] }>(
    "GET",
    "/activity/agents",
  );
  const boss = agents.find(({ factory }) => factory === "acme")?.uid ?? "";
  const run = async (prompt: string) => {
    const config = { harness: { type: "told" } };
    const request = { prompt, config, agent_identity_uid: boss };
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", request);
    return story.ended(run_id);
  };
  const first = await run(`Open ${pullUrl(1)}/files and ${pullUrl(2)}`);
  const second = await run(`Mend ${pullUrl(1)} again`);
  const { webhooks } = await server.api<{ webhooks: { url: string }[] }>("GET", "/factories/acme/webhooks");
  /** The time of the forge, so long after the first run was created. */
  const at = (ms: number) => new Date(Date.parse(first.created_at) + ms).toISOString();

  /** Delivers what GitHub has published of an event, with changes, as it signs it. @returns the status */
  async function tell(event: string, action: string, changes: object): Promise<number> {
    const { payload } = githubExample(event, action, {
      ...changes,
      repository: { full_name: REPOSITORY },
    });
    const body = JSON.stringify(payload);
    const headers = { "x-github-event": event, "x-hub-signature-256": `sha256=${hmacOf(body, SECRET)}` };
    return (await post(webhooks[0]?.url ?? "", body, headers)).status;
  }

  /** A pull request that was opened when the first run was created, as it was so many milliseconds later. */
  function pull(number: number, updated: number, changes: object = {}) {
    return {
      number,
      html_url: pullUrl(number),
      title: `Pull request ${number}`,
      user: BOT,
      state: "open",
      draft: false,
      created_at: at(0),
      updated_at: at(updated),
      merged_at: null,
      closed_at: null,
      ...{ additions: 70, deletions: 50, changed_files: 3, commits: 2 },
      ...changes,
    };
  }

  const merged = (number: number, ms: number) =>
    pull(number, ms, { state: "closed", merged_at: at(ms), closed_at: at(ms) });

  return { server, story, acme, boss, first, second, at, tell, pull, merged, PERSON, BOT };
}
