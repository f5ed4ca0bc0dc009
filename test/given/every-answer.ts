import { newFactory } from "../../src/reconcile/factory.ts";
import {
  askForCost,
  askForOverlap,
  askForReads,
  askForReports,
  NOTIFYING,
  OUTBOUND_FILE,
  outboundSetting,
} from "./ask-for-answers.ts";
import { type ApiAnswer, findOperation } from "./conformance.ts";
import { automationWith, TOKEN_WEBHOOK, withFactoryLines } from "./definition.ts";
import { serverWithSandbox } from "./isolated.ts";
import { limitedServer } from "./limited-server.ts";
import { LOOPBACK_ALLOWED } from "./outbound.ts";
import { freePort } from "./port.ts";
import { ADMIN_KEY, type Server, waitFor } from "./server.ts";
import { serving } from "./serving.ts";
import { storeOf } from "./store.ts";
import { TELLS_USAGE, tellingHarness } from "./telling-harness.ts";
import { doorClient, seenProcess } from "./workers.ts";

const [TOKEN, UNKNOWN] = ["the-token", "01a1fe22-6744-70ce-94a0-348515e54587"] as const;
const OF_RUN = "timeline?limit=2 conversation?limit=2 attachments attachments/a.txt transcript".split(" ");

const [PROMPT, AUTOMATION] = ["agents/boss/agent.md", "automations/a/automation.md"] as const;
const GROUPED = 'millrace: { concurrency: { key: "{{go}}" }, debounce: { quiet: 30s } }\n';
const FILES = {
  ...withFactoryLines(`secrets: [AGENT_SECRET]\nintegrations: [{ type: slack }]\n${NOTIFYING}`),
  [PROMPT]: "---\nagentType: FOREMAN\n---\nYou do the work.\nAll of it.\n",
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  ...OUTBOUND_FILE,
  "skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n",
  [AUTOMATION]: automationWith(`harness: { type: told }
millrace: { budget: { runsPerDay: 1000, tokensPerRun: 1000000 } }
triggers:
  - { provider: webhook, event: received, millrace: { webhooks: [ci] }, filter: { payload: { go: [true] } } }
  - { provider: schedule, event: cron_fired, schedule: { cron: "@daily", name: nightly } }
  - { provider: github, event: push, filter: { branches: [main] } }`),
  "automations/asked/automation.md": automationWith(
    `${GROUPED}triggers:\n  - { provider: factory, event: run_blocked, filter: { automations: { not_in: [asked] } } }`,
  ),
  "automations/cut-off/automation.md": automationWith(
    "enabled: false\nmillrace: { network: none }\ntriggers: [{ provider: github, event: push }]",
  ),
  "runners/r.yaml": "description: Checked and not used.\ninstanceShape: { vcpus: 2, memoryGb: 4 }\n",
};

/** Fails when asked to, or answers with an object; or leaves a file with the token of its run, and stays until that is taken away. */
const AGENT = `
  import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  if (prompt.includes("Report.")) {
    mkdirSync("artifacts");
    writeFileSync("artifacts/report.txt", "done");
    writeFileSync("token", process.env.MILLRACE_RUN_TOKEN);
    while (existsSync("token")) await new Promise((again) => setTimeout(again, 20));
  }
  if (prompt.includes("Answer.")) {
    const { MILLRACE_API_URL, MILLRACE_RUN_ID, MILLRACE_RUN_TOKEN } = process.env;
    const headers = { authorization: "Bearer " + MILLRACE_RUN_TOKEN };
    const body = JSON.stringify({ text: JSON.stringify({ done: true }) });
    await fetch(MILLRACE_API_URL + "/api/v1/agent/runs/" + MILLRACE_RUN_ID + "/answer", { method: "POST", headers, body });
  }
  process.exit(prompt.includes("Fail.") ? 3 : 0);`;

/** Has a server answer on every operation, with as much in the answers as there can be. */
export async function everyAnswer(): Promise<GivenAnswer[]> {
  const listen = `127.0.0.1:${await freePort()}`;
  const { server, story } = await serving(
    FILES,
    { CI_SECRET: TOKEN, AGENT_SECRET: "x".repeat(20) },
    {
      agent: AGENT,
      args: tellingHarness("claude", TELLS_USAGE, {}, outboundSetting(`http://${listen}/`)),
      // Tokens that say who a run is are issued where there is a public URL alone.
      env: { MILLRACE_LISTEN: listen, MILLRACE_PUBLIC_URL: `http://${listen}`, ...LOOPBACK_ALLOWED },
    },
  );
  await restingFactoryOn(server);
  const answers: GivenAnswer[] = [];
  const ask: Ask = async (method, path, body, key = ADMIN_KEY) => {
    const answer = await answerOf(server, { method, path, body, key });
    answers.push(answer);
    return answer.text?.startsWith("{") ? JSON.parse(answer.text) : {};
  };
  const { uid: webhook, url } = await story.webhook("ci");
  await askForRuns(ask, story.ended);
  await askForReports(ask, server, story.ended);
  await askForAgents(ask, () => scheduledRun(story));
  await askForFactory(ask, webhook, await story.accept(url, TOKEN, '{"go":true}'));
  await askForChanges(ask, (path, match) => tagged(server, answers, path, match));
  await askForAdmin(ask);
  await askForWorkers(ask, server);
  await askForDeletions(ask, webhook, await story.accept(url, TOKEN, '{"go":false}'));
  for (let sent = 0; sent <= 30; sent += 1) await story.deliver(url, "wrong", "{}");
  await ask("GET", `/factories/acme/webhooks/${webhook}`);
  return answers.concat(await networkAnswers(), await heldAnswers());
}

type Ask = (method: string, path: string, body?: unknown, key?: string) => Promise<Record<string, string>>;

async function askForRuns(ask: Ask, ended: (id: string) => Promise<unknown>): Promise<void> {
  const { run_id: parent_run_id } = await ask("POST", "/agent/run", { prompt: "Fail." });
  const { run_id = "" } = await ask("POST", "/agent/runs", {
    prompt: "Do it.",
    skill: "acme/shop:skills/review",
    metadata: { ticket: "T-1" },
    parent_run_id,
    attachments: [{ file_name: "a.txt", mime_type: "text/plain", data: "YQ==" }],
    config: {
      budget: { tokensPerRun: 1_000_000 },
      model_id: "m",
      secrets: [{ name: "AGENT_SECRET" }],
      mcp_servers: {
        local: { command: "mcp", args: ["--stdio"], env: { A: "b" } },
        remote: { url: "https://mcp.example.com", headers: { "x-a": "b" } },
      },
      harness_auth_secrets: { claude_auth_secret_name: "OF_ANOTHER_PROGRAM" },
      session_sharing: {},
      inference_providers: {},
      experimental: {},
    },
  });
  await ended(String(parent_run_id));
  await ended(run_id);
  const run = `/agent/runs/${run_id}`;
  await ask("GET", "/agent/runs?limit=1");
  await ask("GET", run);
  await ask("GET", `/agent/runs/${parent_run_id}`);
  await ask("GET", `/agent/runs/${parent_run_id}/timeline`);
  for (const rest of [...OF_RUN, "run-again", "tree"]) await ask("GET", `${run}/${rest}`);
  await ask("POST", `${run}/run-again`);
  const prepared = await ask("POST", "/agent/environments", { name: "prepared", setup_commands: ["true"] });
  const inIt = { prompt: "Do it.", config: { environment_id: prepared.uid } };
  const { run_id: first } = await ask("POST", "/agent/runs", inIt);
  await ended(String(first));
  await ask("GET", `/agent/runs/${first}/timeline`);
  const shaped = { prompt: "Answer.", config: { output_schema: { type: "object" } } };
  const { run_id: answered } = await ask("POST", "/agent/runs", shaped);
  await ended(String(answered));
  await ask("GET", `/agent/runs/${answered}`);
  const told = await ask("POST", "/agent/runs", { prompt: "Tell.", config: { harness: { type: "told" } } });
  await ended(String(told.run_id));
  for (const rest of ["", "/harness-usage", "/steps"]) await ask("GET", `/agent/runs/${told.run_id}${rest}`);
  const { session_id } = await ask("GET", `/agent/runs/${parent_run_id}`);
  await ask("GET", `/agent/sessions/${session_id}/redirect`);
  const conversation = `/agent/conversations/${run_id}`;
  for (const rest of ["", "/redirect"]) await ask("GET", conversation + rest);
  await ask("GET", `${conversation}/redirect`, undefined, "");
  await ask("GET", "/agent/models");
  await ask("GET", `${conversation}/transcript`);
  await ask("POST", `${conversation}/followups`, { message: "Go on." });
  await ask("GET", "/agent");
  await ask("POST", `${run}/followups`, { message: "Go on." });
  const unwantedAt = { prompt: "Do not.", checkout: { ref: "main" } };
  const { run_id: unwanted } = await ask("POST", "/agent/runs", unwantedAt);
  await ask("POST", `/agent/runs/${unwanted}/cancel`);
  await ask("GET", `/agent/runs/${unwanted}`);
  await ask("GET", `/agent/runs/${UNKNOWN}`);
  await ask("POST", "/agent/runs", { promt: "Do it.", title: 7 });
}

async function askForAgents(ask: Ask, scheduledRun: () => Promise<string>): Promise<void> {
  const environment = {
    name: "node",
    docker_image: "node:22",
    github_repos: [{ owner: "acme", repo: "shop" }],
    setup_commands: ["npm ci"],
    secrets: [{ name: "AGENT_SECRET" }],
  };
  const identity = {
    name: "reviewer",
    secrets: [{ name: "AGENT_SECRET" }],
    skills: ["acme/shop:review"],
    prompt: "You review.",
    base_model: "m",
    harness: { type: "claude", auth_secret_name: "AGENT_SECRET" },
    harness_auth_secrets: { codex_auth_secret_name: "AGENT_SECRET" },
    mcp_servers: { docs: { url: "https://mcp.example.com" } },
  };
  for (const [path, body] of [
    ["/agent/environments", environment],
    ["/agent/identities", identity],
  ] as const) {
    const { uid } = await ask("POST", path, body);
    await ask("GET", path);
    await ask("GET", `${path}/${uid}`);
    await ask("PUT", `${path}/${uid}`, { ...body, name: "other" });
    await ask("DELETE", `${path}/${uid}`);
  }
  const schedule = { name: "daily", cron_schedule: "@daily", prompt: "Look.", enabled: true };
  const path = "/agent/schedules";
  const { id } = await ask("POST", path, { ...schedule, agent_config: { model_id: "m" } });
  await ask("GET", path);
  await ask("GET", `${path}/${id}`);
  await ask("PUT", `${path}/${id}`, schedule);
  await ask("POST", `${path}/${id}/pause`);
  await ask("POST", `${path}/${id}/resume`);
  await ask("PUT", `${path}/${id}`, { ...schedule, cron_schedule: "@every 1s" });
  await ask("GET", `/agent/runs/${await scheduledRun()}`);
  await ask("DELETE", `${path}/${id}`);
}

function scheduledRun(story: Awaited<ReturnType<typeof serving>>["story"]): Promise<string> {
  return waitFor(async () => (await story.runs()).find(({ schedule }) => schedule)?.run_id);
}

async function askForFactory(ask: Ask, webhook: string, delivery: string): Promise<void> {
  for (const path of ["/factory", "/factory/acme", "/factories", "/factories/acme"]) await ask("GET", path);
  await askForTasks(ask);
  const { sync } = await ask("POST", "/factories/acme/sync?wait=true");
  const { applied_revision: revision = "" } = sync as unknown as Record<string, string>;
  await ask("POST", "/factories/acme/suspend");
  await ask("POST", "/factories/acme/rollback", { revision });
  await ask("POST", "/factories/acme/resume");
  await ask("GET", "/factories/acme/revisions");
  await ask("GET", "/factories/acme/drift");
  await ask("GET", `/factories/acme/export?revision=${revision}`);
  await ask("POST", `/factories/acme/webhooks/${webhook}/adopt`, { uid: webhook });
  await ask("GET", `/factories/acme/commits/${revision}?wait=1ms`);
  await ask("POST", "/factories/acme/plan", {});
  await ask("POST", "/factories/acme/plan", { changes: [{ path: "webhooks/none.yaml", content: "x: 1" }] });
  const prompt = { path: PROMPT, content: FILES[PROMPT].replace("work", "other work") };
  const others = Object.entries(FILES).filter(([path]) => path !== PROMPT);
  const changed = others.map(([path, content]) => ({ path, content: String(content) }));
  await ask("POST", "/factories/acme/plan", { files: [...changed, prompt] });
  await askForCost(ask, delivery, { path: AUTOMATION, text: FILES[AUTOMATION] });
  await ask("GET", "/factory-files/schemas", undefined, "");
  await ask("GET", "/factory-files/schemas/v1alpha1", undefined, "");
  await ask("GET", "/factory-files/schemas/v1alpha1/webhook.schema.json", undefined, "");
  const files = Object.entries(FILES).map(([path, content]) => ({ path, content: String(content) }));
  await ask("POST", "/factory-files/validate", { files });
  await ask("POST", "/factory-files/validate", { files: files.slice(0, 1) });
  for (const path of [
    "webhooks",
    ...["", "/deliveries", "/traffic"].map((part) => `webhooks/${webhook}${part}`),
    `deliveries/${delivery}`,
    `deliveries/${delivery}/payload`,
    `deliveries/${delivery}/explain`,
    `deliveries/${delivery}/test?automation=a`,
    "automations",
    "automations/a",
  ]) {
    await ask("GET", `/factories/acme/${path}`);
  }
  await ask("POST", `/factories/acme/webhooks/${webhook}/test-deliveries`, { body: { go: false } });
  await ask("POST", `/factories/acme/deliveries/${delivery}/redeliver`);
  const { run_ids } = await ask("GET", `/factories/acme/deliveries/${delivery}`);
  for (const rest of ["delivery", "deliveries"]) await ask("GET", `/agent/runs/${run_ids?.[0]}/${rest}`);
  await ask("POST", "/factories/acme/filter-test", { payload: { go: [true] }, body: { go: false } });
}

type Change = (path: string, change: { method: string; body?: unknown }) => Promise<void>;

/** Everything that changes a definition that the server keeps. */
async function askForChanges(ask: Ask, change: Change): Promise<void> {
  await ask("POST", "/factories", { name: "kept" });
  await ask("GET", "/factories/kept/suggested-secret-name?webhook=hook");
  const { uid } = await ask("POST", "/factories/kept/webhooks", { name: "hook", auth_mode: "url_token" });
  const webhook = `/factories/kept/webhooks/${uid}`;
  await change(webhook, { method: "PATCH", body: { enabled: false } });
  await ask("POST", `${webhook}/rotate-secret`, {});
  const content = String(FILES["automations/a/automation.md"]);
  await ask("PUT", "/factories/kept/automations/a", { content });
  await change("/factories/kept/automations/a", { method: "PUT", body: { content: `${content}More.\n` } });
  await ask("GET", "/factories/kept/files?limit=1");
  await ask("POST", "/factories/kept/files", {
    files: [{ path: "skills/help/SKILL.md", content: "---\nname: help\n---\nHelp.\n" }],
  });
  const file = "/factories/kept/files/skills%2Fhelp%2Fdata.txt";
  await ask("PUT", file, { content: "1" });
  await ask("GET", file);
  await change(file, { method: "PUT", body: { content: "2" } });
  await ask("PUT", "/factories/kept/files/runners%2Fr.yaml", { content: "colour: red\n" });
  for (const path of [file, "/factories/kept/automations/a", webhook])
    await change(path, { method: "DELETE" });
}

async function tagged(
  server: Server,
  answers: GivenAnswer[],
  path: string,
  { method, body }: { method: string; body?: unknown },
): Promise<void> {
  answers.push(await answerOf(server, { method, path, body, key: ADMIN_KEY, headers: { "if-match": "*" } }));
}

async function askForAdmin(ask: Ask): Promise<void> {
  await ask("PUT", "/secrets/ONE_MORE", { value: "value", factories: ["acme"] });
  const { id } = await ask("POST", "/api-keys", { name: "limited", factories: ["acme"] });
  await ask("POST", "/identity-keys", { revoke: true });
  const { id: pause } = await ask("POST", "/pauses", { factory: "acme", automation: "a", reason: "Wait." });
  const { id: ofServer } = await ask("POST", "/pauses", { reason: "Wait." });
  const { run_id: waiting } = await ask("POST", "/agent/runs", { prompt: "Wait." });
  for (const each of ["secrets", "api-keys", "pauses", `agent/runs/${waiting}`]) await ask("GET", `/${each}`);
  const made = ["secrets/ONE_MORE", `api-keys/${id}`, `pauses/${pause}`, `pauses/${ofServer}`];
  for (const each of made) await ask("DELETE", `/${each}`);
  await askForReads(ask);
}

async function askForDeletions(ask: Ask, webhook: string, delivery: string): Promise<void> {
  await ask("DELETE", `/factories/acme/deliveries/${delivery}/payload`);
  await ask("DELETE", `/factories/acme/webhooks/${webhook}/deliveries`);
  const { runs } = await ask("GET", "/agent/runs?state=SUCCEEDED&limit=1");
  const [ended] = runs as unknown as { run_id: string }[];
  await ask("DELETE", `/agent/runs/${ended?.run_id}`);
  // A secret that a factory shares which does not take it at once.
  await ask("PUT", "/secrets/CI_SECRET", { value: TOKEN, shared: true });
  await askForOverlap(ask, "CI_SECRET", TOKEN);
  await ask("POST", "/factories", { name: "short-lived" });
  await ask("GET", "/factories/acme/deletion");
  await ask("DELETE", "/factories/short-lived");
}

/** Asks for everything that there is about tasks. */
async function askForTasks(ask: Ask): Promise<void> {
  const ticket = { ticket_ref: "linear:T-1", ticket_url: "https://linear.example/T-1" };
  const { run_id, task_uid } = await ask("POST", "/factory/acme/runs", { prompt: "Do it.", ...ticket });
  const tasks = "/factory/acme/tasks";
  const task = `${tasks}/${task_uid}`;
  await ask("PATCH", task, { description: "More of it.", stage: "SPEC" });
  await ask("GET", `${tasks}?full_list=true&include_current_run=true`);
  for (const rest of ["", "/runs", "/conversation"]) await ask("GET", `${task}${rest}`);
  await ask("GET", `/factory/acme/task-by-run?run_id=${run_id}`);
  await ask("GET", `/factory/acme/task-by-conversation?conversation_id=${run_id}`);
  await ask("POST", `${task}/cancel`);
  await ask("DELETE", task);
  await ask("POST", tasks, { title: "Once more", conversation_id: run_id });
}

/** Asks for everything that there is about workers. */
async function askForWorkers(ask: Ask, server: Server): Promise<void> {
  const { id, token } = await ask("POST", "/workers", { name: "gpu", labels: ["gpu"], factories: ["acme"] });
  await ask("GET", `/workers/${id}`);
  await seenProcess(server, String(token));
  for (const path of ["/workers", `/workers/${id}`, "/agent/connected-self-hosted-workers"])
    await ask("GET", path);
  await ask("POST", `/workers/${id}/drain`);
  await ask("DELETE", `/workers/${id}/drain`);
  await ask("DELETE", `/workers/${id}`);
  await askForWorkerAtWork(ask, server);
}

/** A worker shows the runs that it executes. */
async function askForWorkerAtWork(ask: Ask, server: Server): Promise<void> {
  const { id, token } = await ask("POST", "/workers", { name: "at-work" });
  const { run_id } = await ask("POST", "/agent/runs", { prompt: "x", config: { worker_host: "at-work" } });
  const worker = await doorClient(server, { token: String(token) });
  await worker.claim();
  await ask("GET", `/workers/${id}`);
  await ask("POST", `/agent/runs/${run_id}/cancel`);
  await ask("DELETE", `/workers/${id}`);
}

/** Asks its proxy for a host that it may reach, and for one that it may not. */
const asking = (host: string) => `
  import { get } from "node:http";
  const through = (url) => new Promise((done) => {
    const headers = { host: new URL(url).host };
    get({ port: 3128, path: url, headers }, (answer) => answer.resume().on("end", done)).on("error", done);
  });
  await through("http://${host}/healthz");
  await through("http://refused.example/");`;

/** The answer of a server that is asked what a run has reached, with as much in it as there can be. */
async function networkAnswers(): Promise<GivenAnswer[]> {
  const listen = `127.0.0.1:${await freePort()}`;
  const network = { allow: [listen] };
  const { server, run } = await serverWithSandbox("bwrap", asking(listen), {
    files: withFactoryLines(`millrace: { repositories: optional, network: ${JSON.stringify(network)} }\n`),
    env: { MILLRACE_LISTEN: listen },
  });
  const { run_id } = await run();
  const path = `/agent/runs/${run_id}/network`;
  return [await answerOf(server, { method: "GET", path, body: undefined, key: ADMIN_KEY })];
}

/** The answers of a server with a run that the provider of its model holds. */
async function heldAnswers(): Promise<GivenAnswer[]> {
  const { server, held, holds } = await limitedServer();
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it." });
  await held(run_id);
  const [hold] = await holds();
  const answers: GivenAnswer[] = [];
  for (const [method, path] of [
    ["GET", "/holds"],
    ["GET", "/inbox"],
    ["DELETE", `/holds/${hold?.id}`],
  ] as const) {
    answers.push(await answerOf(server, { method, path, body: undefined, key: ADMIN_KEY }));
  }
  return answers;
}

/** Puts a factory on record that no source of the server's start serves, as one of an earlier start. */
async function restingFactoryOn(server: Server): Promise<void> {
  const { factories } = await storeOf(server);
  const source = { sourceKey: "earlier", name: "earlier", description: { path: "/srv/earlier" } };
  await factories.create(
    newFactory({ ...source, mode: "folder" } as Parameters<typeof newFactory>[0], new Date()),
  );
}

/** An answer of the API with the request that it was given to. */
export interface GivenAnswer extends ApiAnswer {
  operationId: string;
  method: string;
  path: string;
}

/** A request to an operation of the API's description. */
export interface Asked {
  method: string;
  path: string;
  body: unknown;
  key: string;
  headers?: Record<string, string>;
}

/** Asks it, and answers with what the description is held against. @throws Error when no operation is asked */
async function answerOf(
  server: Server,
  { method, path, body, key, headers = {} }: Asked,
): Promise<GivenAnswer> {
  const placed = findOperation(method, `/api/v1${path}`);
  if (!placed) throw new Error(`no operation is ${method} ${path}`);
  const response = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const contentType = response.headers.get("content-type");
  const isStream = contentType === "text/event-stream";
  if (isStream) await response.body?.cancel();
  return {
    operationId: placed.operation.operationId,
    method,
    path: `/api/v1${path}`,
    status: response.status,
    contentType,
    text: isStream ? undefined : await response.text(),
  };
}
