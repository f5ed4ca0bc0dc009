import { preparingServer } from "../given/executing.ts";
import { askAsPython, ozClient } from "../given/other-clients.ts";
import { ADMIN_KEY } from "../given/server.ts";
import type { Run } from "../given/story.ts";

/** Leaves a file and a plan, and stays when it is asked to. */
const AGENT = `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  const { MILLRACE_API_URL: api, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const report = (artifact_type, data) => fetch(\`\${api}/api/v1/agent/runs/\${id}/artifacts\`, {
    method: "POST",
    headers: { authorization: \`Bearer \${token}\` },
    body: JSON.stringify({ artifact_type, data }),
  });
  if (prompt.includes("Leave something.")) {
    mkdirSync("artifacts", { recursive: true });
    writeFileSync("artifacts/report.txt", "the report");
    await report("PLAN", { title: "A plan", content: "First this." });
    await report("PULL_REQUEST", { url: "https://example.com/pull/1" });
    await report("EXTERNAL_REFERENCE", { url: "https://example.com/issue/1" });
  }
  console.log("KEY is " + (process.env.ANTHROPIC_API_KEY ?? "not there"));
  if (prompt.includes("Stay.")) setInterval(() => {}, 1000);`;

const SHOP = {
  "README.md": "The shop.\n",
  ".claude/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Deploys the shop.\n---\nDeploy it.\n",
  ".claude/skills/broken/SKILL.md": "---\nname: [\n---\nDo not.\n",
};

/** A server with what the suites of the public clients ask for: runs, artifacts, schedules, agents, a repository. */
export async function clientStage() {
  const prepared = await preparingServer(AGENT, { shop: SHOP });
  const { server, story, start } = prepared;
  const client = ozClient(server);
  const left = await story.ended(await start({ prompt: "Leave something." }));
  const artifact = (type: string) =>
    left.artifacts?.find(({ artifact_type }) => artifact_type === type)?.data.artifact_uid ?? "";
  return {
    ...prepared,
    client,
    left,
    artifact,
    /** Asks as the clients that npm does not have, of TypeScript and of Python, which get the same answer. */
    async ask<Answer = Record<string, unknown>>(
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
      path: string,
      body?: object,
    ): Promise<Answer> {
      const { status, text } = await askAsPython(server, method, path, body);
      if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
      return text === "" ? (undefined as Answer) : JSON.parse(text);
    },
    /** Follows a link without a key, as clients do. */
    follow: (url: string) => fetch(url),
    asAdmin: (url: string) => fetch(url, { headers: { authorization: `Bearer ${ADMIN_KEY}` } }),
    async working(): Promise<Run> {
      const id = await start({ prompt: "Stay." });
      for (;;) {
        const run = await story.run(id);
        if (run.is_sandbox_running) return run;
        await new Promise((again) => setTimeout(again, 25));
      }
    },
  };
}

export type ClientStage = Awaited<ReturnType<typeof clientStage>>;
