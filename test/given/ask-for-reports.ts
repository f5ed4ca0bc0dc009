import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Server, waitFor } from "./server.ts";
import type { Run } from "./story.ts";

type Ask = (method: string, path: string, body?: unknown, key?: string) => Promise<Record<string, string>>;

async function reporting(ask: Ask, server: Server) {
  const { run_id = "" } = await ask("POST", "/agent/runs", { prompt: "Report." });
  const file = join(server.dataDir, "workspaces", run_id, "token");
  const token = await waitFor(() => (existsSync(file) && readFileSync(file, "utf8")) || undefined);
  const run = `/agent/runs/${run_id}`;
  const { run_id: child } = await ask("POST", "/agent/runs", { prompt: "Fail.", parent_run_id: run_id });
  await ask("POST", `${run}/wait`, { mode: "any", timeout_seconds: 60, hold_seconds: 20 }, token);
  await ask("POST", `${run}/wait`, { run_ids: [child], hold_seconds: 20 }, token);
  const question = { message: "Which one?", choices: ["This one", "None"], urgency: "high" };
  await ask("POST", `${run}/blocked`, question, token);
  await ask("GET", run);
  await waitFor(async () => {
    const { runs } = await ask("GET", "/agent/runs?source=ORCHESTRATION&limit=1");
    return runs?.[0];
  });
  return { run_id, run, file, token };
}

/** Has an agent report all that it can, and a person read it. */
export async function askForReports(
  ask: Ask,
  server: Server,
  ended: (id: string) => Promise<Run>,
): Promise<void> {
  await ask("POST", `${(await reporting(ask, server)).run}/dismiss`, { reason: "None." });
  const { run_id, run, file, token } = await reporting(ask, server);
  const plan = { title: "A plan", content: "First this.", url: "https://example.com/plan", branch: "main" };
  await ask("POST", `${run}/artifacts`, { artifact_type: "PLAN", data: plan }, token);
  const used = { prompt: "Use a model.", parent_run_id: run_id, config: { harness: { type: "told" } } };
  await ended((await ask("POST", "/agent/runs", used)).run_id ?? "");
  const pull = { url: "https://github.com/acme/shop/pull/1", branch: "fix" };
  await ask("POST", `${run}/artifacts`, { artifact_type: "PULL_REQUEST", data: pull }, token);
  await ask("POST", `${run}/artifact-files`, { name: "a/b.txt", data: "YQ==" }, token);
  await ask("POST", `${run}/answer`, { text: "Done." }, token);
  await ask("POST", `${run}/status`, { text: "Testing." }, token);
  await ask("GET", `${run}/note`, undefined, token);
  await ask("PUT", `${run}/note`, { text: "Known.", append: true }, token);
  await ask("GET", `${run}/note`);
  await ask("GET", `${run}/agents`, undefined, token);
  await ask("POST", `${run}/oidc-token`, { audience: "vault.example.com" }, token);
  await ask("POST", `${run}/followups`, { message: "This one." });
  rmSync(file);
  const { artifacts = [] } = await ended(run_id);
  const left = artifacts.find(({ artifact_type }) => artifact_type === "FILE");
  await ask("GET", `/agent/artifacts/${left?.data.artifact_uid}`);
  await ask("GET", `/agent/artifacts/${left?.data.artifact_uid}/download`);
  const { attachments } = await ask("GET", `${run}/handoff/attachments`);
  const [{ download_url = "" } = {}] = attachments as unknown as { download_url?: string }[];
  await ask("GET", download_url.slice(download_url.indexOf("/agent/")), undefined, "");
}
