import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { post } from "./sender.ts";
import { type Server, waitFor } from "./server.ts";
import type { Run } from "./story.ts";

/** Lines of a factory.yaml with a target that nothing listens at. */
export const NOTIFYING = `millrace:
  repositories: optional
  notify: [{ name: ops, kind: webhook, url: "http://127.0.0.1:1/", secretName: AGENT_SECRET, events: [run.failed] }]
`;

// biome-ignore lint/suspicious/noExplicitAny: what comes is held to its description elsewhere
type Ask = (method: string, path: string, body?: object) => Promise<any>;

const READ = `/secrets /audit-log /events /whoami /settings /servers /deliveries /factories/acme/runners /activity?factory=acme
  /activity/history?range=30d /activity/factories /activity/webhooks?details=true /activity/automations
  /activity/agents /usage?group_by=automation /usage?group_by=model /usage/runs /notifications?state=failed&event=test
  /factory/acme/metrics?group_by_period=week /factory/acme/metrics/run-breakdown?group_by=status&group_by_period=month
  /factory/acme/costs/breakdown?group_by=model&group_by_period=month /factory/acme/costs/per-pr?group_by_period=month
  /factory/acme/costs/per-pr/by-size?group_by_period=month /factory/acme/costs/per-pr/top /factory/acme/pull-requests`;

/** What there is to read of the whole server, a test of a notification included. */
export async function askForReads(ask: Ask): Promise<void> {
  const { notification_targets: targets } = await ask("GET", "/notification-targets");
  const { id } = await ask("POST", `/notification-targets/${targets[0].id}/test`);
  await ask("GET", `/notifications/${id}`);
  await askForOutbound(ask);
  const config = { worker_host: "a-pool" };
  const { run_id } = await ask("POST", "/agent/runs", { prompt: "Wait for a worker.", config });
  await ask("GET", "/workers/demand");
  await ask("POST", `/agent/runs/${run_id}/cancel`);
  for (const path of READ.split(/\s+/)) await ask("GET", path);
}

/** Plans that start other runs of an automation, whose last run has told what it cost. */
export async function askForCost(
  ask: Ask,
  delivery: string,
  { path, text }: { path: string; text: string },
): Promise<void> {
  const { run_ids } = await ask("GET", `/factories/acme/deliveries/${delivery}`);
  await ask("GET", `/agent/runs/${run_ids?.[0]}?wait=60s`);
  for (const [from, to] of [
    ["go: [true]", "go: [false]"],
    ["millrace: {", "millrace: { debounce: { quiet: 1s },"],
  ] as const) {
    await ask("POST", "/factories/acme/plan", { changes: [{ path, content: text.replace(from, to) }] });
  }
}

/** An outbound webhook that nothing listens at, as a file. */
const WHAT = { events: ["run.ended"], filter: { type: ["run.ended"] } };
export const OUTBOUND_FILE = {
  "outbound/ops.yaml": JSON.stringify({ ...WHAT, url: "http://127.0.0.1:1/", secretName: "OUTBOUND_SECRET" }),
};
/** One that leads to a server that refuses what it gets, with an answer. */
export const outboundSetting = (url: string) => ({
  outbound: [{ ...WHAT, url, name: "all", secret: { env: "HOME" } }],
});

/** Asks for everything that there is about outbound webhooks. */
async function askForOutbound(ask: Ask): Promise<void> {
  const ofFactory = "/factories/acme/outbound";
  for (const [list, name] of [
    [ofFactory, "ops"],
    ["/outbound", "all"],
  ]) {
    await ask("GET", `${list}`);
    const { id } = await ask("POST", `${list}/${name}/test`);
    await ask("GET", `${list}/${name}`);
    await ask("GET", `${list}/${name}/deliveries?state=failed&event=test`);
    await ask("POST", `${list}/${name}/deliveries/${id}/redeliver`);
    await ask("GET", `${list}/${name}/deliveries/${id}`);
    await ask("POST", `${list}/${name}/explain`, { event: "definition.applied", subject: "acme" });
  }
  await ask("POST", `${ofFactory}/ops/rotate-secret`);
}

/** Rotates the secret of a webhook that other factories share, and has a sender use the previous one. */
export async function askForOverlap(ask: Ask, secretName: string, secret: string): Promise<void> {
  const webhooks = "/factories/kept/webhooks";
  const { uid, url } = await ask("POST", webhooks, { name: "ci", secret_name: secretName });
  await ask("POST", `${webhooks}/${uid}/rotate-secret`, { overlap: "1h" });
  await post(url, "{}", { authorization: `Bearer ${secret}` });
  await ask("GET", `${webhooks}/${uid}`);
  await ask("POST", `${webhooks}/${uid}/end-overlap`);
}

type ReportAsk = (
  method: string,
  path: string,
  body?: unknown,
  key?: string,
) => Promise<Record<string, string>>;

async function reporting(ask: ReportAsk, server: Server) {
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
  ask: ReportAsk,
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
