import { expect } from "vitest";
import type { components } from "../../src/client/api-types.ts";
import { ask, makeKey } from "./ask.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "./definition.ts";
import { ADMIN_KEY, run, type Server, waitFor } from "./server.ts";
import { serving, twoFactories } from "./serving.ts";
import { type Run, storyOf } from "./story.ts";

type Models = components["schemas"];

const TOKEN = "the-token";

/** Ends as its prompt says, or not at all. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  if (prompt.includes("Stay.")) setInterval(() => {}, 1000);
  else process.exit(prompt.includes("Fail.") ? 1 : 0);`;

/** The titles of the runs, in the order in which they were made. */
export const TITLES = [
  "plain",
  "failing",
  "of acme",
  "of other",
  "reviewing",
  "auditing",
  "tuned",
  "child",
  "grandchild",
  "by a robot",
  "by the command line",
  "report",
  "working",
  "waiting",
  "cancelled",
] as const;
export type Title = (typeof TITLES)[number];

export interface VariedRuns {
  server: Server;
  acme: string;
  other: string;
  environment: string;
  run(title: Title): Run;
}

/** A server with runs that differ in everything that a list can be filtered by, and that change no more. */
export async function variedRuns(): Promise<VariedRuns> {
  const files = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/report.md": automationOn(["ci"]) };
  // One worker: what comes after the run that stays has to wait.
  const env = { MILLRACE_RUN_CONCURRENCY: "1" };
  const { server, acme, other } = await twoFactories(files, {
    secrets: { CI_SECRET: TOKEN },
    agent: AGENT,
    env,
  });
  const story = storyOf(server);
  const { agents } = await server.api<Models["ListAgentIdentitiesResponse"]>("GET", "/agent/identities");
  const bossOf = (factory: string) => agents.find(({ factory_uid }) => factory_uid === factory)?.uid;
  const { uid: environment } = await server.api<Models["CloudEnvironment"]>("POST", "/agent/environments", {
    name: "node",
  });

  const start = async (title: Title, body: object = {}, options: Parameters<typeof ask>[3] = {}) => {
    const answer = await ask<{ run_id: string }>(server, "POST", "/agent/runs", {
      ...options,
      body: { title, prompt: "Do it.", ...body },
    });
    return answer.body.run_id;
  };
  const finish = async (...request: Parameters<typeof start>) => {
    const id = await start(...request);
    await story.ended(id);
    return id;
  };

  const plain = await finish("plain", { prompt: "Say hello to the moon." });
  await finish("failing", { prompt: "Fail." });
  await finish("of acme", { agent_identity_uid: bossOf(acme), metadata: { team: "red", kind: "fix" } });
  await finish("of other", { agent_identity_uid: bossOf(other), metadata: { team: "red" } });
  await finish("reviewing", { skill: "acme/shop:skills/review" });
  await finish("auditing", { skill: "acme/shop:audit" });
  const config = { name: "tuned-agent", model_id: "big-model", environment_id: environment };
  await finish("tuned", { config });
  const child = await finish("child", { parent_run_id: plain });
  await finish("grandchild", { parent_run_id: child });
  const { key } = await makeKey(server, { name: "robot", kind: "agent", role: "operator" });
  await finish("by a robot", {}, { key });
  await finish("by the command line", {}, { headers: { "millrace-client": "cli" } });
  await deliver(server, acme);
  const working = await start("working", { prompt: "Stay." });
  await waitFor(async () => (await story.run(working)).state === "INPROGRESS");
  await start("waiting");
  await server.api("POST", `/agent/runs/${await start("cancelled")}/cancel`);

  const runs = new Map((await story.runs()).map((run) => [run.title, run]));
  const run = (title: Title) => {
    const found = runs.get(title);
    if (!found) throw new Error(`there is no run "${title}"`);
    return found;
  };
  return { server, acme, other, environment, run };
}

/** Has a delivery start the run "report", and waits for its end. */
async function deliver(server: Server, factory: string): Promise<void> {
  const story = storyOf(server);
  const { webhooks } = await server.api<Models["WebhookList"]>("GET", `/factories/${factory}/webhooks`);
  await story.accept(webhooks[0]?.url ?? "", TOKEN, "{}");
  await waitFor(async () => {
    const report = (await story.runs()).find(({ title }) => title === "report");
    return report && (await story.ended(report.run_id));
  });
}

/** A server with a run that has all that filters look at, its parent, and one that a delivery has started. */
export async function serverWithRuns() {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
  const { server, story } = await serving(files, { CI_SECRET: "x" });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const list = (...args: string[]) => run(["runs", "list", ...args], env);
  const create = (body: object) => server.api<{ run_id: string }>("POST", "/agent/runs", body);
  const environment = await server.api<{ uid: string }>("POST", "/agent/environments", { name: "web" });
  await server.api("POST", "/agent/environments", { name: "unused" });
  const parent = (await create({ prompt: "Begin." })).run_id;
  const { run_id } = await create({
    prompt: "Find the invoice.",
    title: "zebra",
    skill: "acme/skills:review",
    config: { name: "nightly", model_id: "small", environment_id: environment.uid },
    metadata: { team: "shop", stage: "one" },
    parent_run_id: parent,
  });
  const delivered = await story.endedRunOf(
    await story.accept((await story.webhook("ci")).url, "x", '{"go":true}'),
  );
  await story.ended(parent);
  return { server, list, parent, run: await story.ended(run_id), delivered };
}

/** The ids that the command shows. */
export async function listedBy(
  { list }: Pick<Awaited<ReturnType<typeof serverWithRuns>>, "list">,
  ...args: string[]
): Promise<string[]> {
  const { code, printed, said } = await list(...args, "--json");
  expect([code, said]).toEqual([0, ""]);
  return (JSON.parse(printed) as Run[]).map(({ run_id }) => run_id);
}
