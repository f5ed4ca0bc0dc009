import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "./server.mjs";

export const TOKEN = "bench-token";

const FILES = {
  "factory.yaml":
    "schemaVersion: v1alpha1\nname: bench\nrepositories: [{ owner: a, name: b }]\nagentDefaults: { harness: { type: command, model: none } }\nmillrace: { repositories: optional }\n",
  "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nYou do the work.\n",
  "webhooks/plain.yaml": "secretName: BENCH_SECRET\n",
  "webhooks/runs.yaml": "secretName: BENCH_SECRET\n",
  "automations/run.md":
    "---\ntriggers:\n  - provider: webhook\n    event: received\n    millrace: { webhooks: [runs] }\n    filter: { payload: { go: [true] } }\n---\nDo something about it.\n",
};

/**
 * A server with a webhook that nothing listens to, and one whose every delivery starts a run; runs only wait.
 * @param files what the definition has beside these
 * @param secrets what the definition names beside the secret of its webhooks
 * @param program another build of the server
 * @param committed whether they are committed to a repository, as a server on PostgreSQL needs them
 * @param data the name of its data folder, for one of several servers
 */
export async function startGate(
  folder,
  env = {},
  { files = {}, secrets = {}, program, committed = false, data = "data" } = {},
) {
  const source = join(folder, "factory");
  for (const [path, content] of Object.entries({ ...FILES, ...files })) {
    mkdirSync(join(source, path, ".."), { recursive: true });
    writeFileSync(join(source, path), content);
  }
  if (committed && !existsSync(join(source, ".git"))) commitAll(source);
  const server = await startServer([committed ? `git:${source}` : source], {
    dataDir: join(folder, data),
    program,
    env: {
      MILLRACE_AGENT_COMMAND: "sleep 86400",
      MILLRACE_RUN_CONCURRENCY: "1",
      MILLRACE_DRAIN_TIMEOUT: "1s",
      MILLRACE_DELIVERIES_PER_MINUTE: "100000000",
      // So that the refused ones of this address do not keep out the others.
      MILLRACE_FAILED_AUTH_PER_MINUTE: "100000000",
      ...env,
    },
  });
  for (const [name, value] of Object.entries({ BENCH_SECRET: TOKEN, ...secrets }))
    await server.api("PUT", `/secrets/${name}`, { value });
  const { factories } = await server.api("GET", "/factories");
  await server.api("POST", `/factories/${factories[0].uid}/sync?wait=true`);
  const { webhooks } = await server.api("GET", "/factories/bench/webhooks");
  const urlOf = (name) => webhooks.find((webhook) => webhook.name === name).url;
  /** Resolves when the list of runs shows all that were started. */
  const listed = async () => {
    while (!/^millrace_run_list_lag_seconds 0$/m.test(await server.metrics())) await sleep(50);
  };
  return { ...server, listed, urlOf, plain: urlOf("plain"), runs: urlOf("runs") };
}

function commitAll(folder) {
  const git = (...args) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("add", ".");
  git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-m", "Define the benchmark");
}
