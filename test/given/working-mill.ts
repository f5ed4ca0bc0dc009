import { automationOn, automationWith, FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "./definition.ts";
import { type Files, folderWith, writeFiles } from "./folder.ts";
import { listeningTo } from "./managed.ts";
import { type Repository, repositoryWith } from "./repository.ts";
import { type Server, startServer, waitFor } from "./server.ts";
import { AMPLE_BUDGETS } from "./serving.ts";
import { type Factory, type Run, storyOf } from "./story.ts";

/** Works for a moment, or does as its prompt says: fail, ask a person, or stay until it is ended. */
const AGENT = `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  const { MILLRACE_API_URL, MILLRACE_RUN_ID, MILLRACE_RUN_TOKEN, MILLRACE_TURN } = process.env;
  console.log("\\u001b[1mReading\\u001b[0m the request of turn " + MILLRACE_TURN);
  if (prompt.includes("Stay.")) {
    for (let step = 1; ; step += 1) {
      console.log("step " + step + " \\u001b[32mdone\\u001b[0m");
      await new Promise((next) => setTimeout(next, 100));
    }
  }
  if (prompt.includes("Ask.")) {
    await fetch(MILLRACE_API_URL + "/api/v1/agent/runs/" + MILLRACE_RUN_ID + "/blocked", {
      method: "POST",
      headers: { authorization: "Bearer " + MILLRACE_RUN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ message: "The migration drops a column that has data. Shall I go on?" }),
    });
    process.exit(0);
  }
  if (prompt.includes("Count.")) {
    let text = "";
    for (let line = 1; line <= 30_000; line += 1) text += "line " + line + "\\n";
    await new Promise((written) => process.stdout.write(text, written));
    process.exit(0);
  }
  if (prompt.includes("Fail.")) {
    console.error("\\u001b[31merror\\u001b[0m src/cart.ts:14 does not compile");
    process.exit(2);
  }
  console.log("The build failed in \\u001b[33mtest/cart.test.ts\\u001b[0m: expected 3, received 2");
  console.log("\\u001b[31mred over\\ntwo lines\\u001b[0m and \\u001b[38;5;208morange\\u001b[0m");
  console.log("<script>globalThis.broken = true</script>");
  mkdirSync("artifacts", { recursive: true });
  writeFileSync("artifacts/report.md", "# What was wrong\\n");
  console.log("\\u001b[32mWrote\\u001b[0m artifacts/report.md");`;

const REPOSITORY_FILES: Files = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "webhooks/payments.yaml": signatureWebhook("stripe", "STRIPE_SECRET"),
  "webhooks/forms.yaml": "authMode: url_token\nsecretName: FORM_TOKEN\n",
  "automations/fix-build/automation.md": automationOn(
    ["ci"],
    { status: ["failed"], repository: { exists: true } },
    "Find out why the build failed, and mend it.",
  ),
  "automations/nightly/automation.md": automationWith(`triggers:
  - { provider: schedule, event: cron_fired, schedule: { cron: "@daily", name: nightly } }`),
  "runners/large.yaml": `description: For builds that need room.
setupCommands: [npm ci]
platform: { os: linux, linux: { dockerImage: "node:20" } }
instanceShape: { vcpus: 4, memoryGb: 16 }
`,
};

/** What an outsider sends who means no good. */
export const HOSTILE_PAYLOAD = {
  status: "failed",
  repository: "<script>globalThis.broken = true</script>",
  title: '"><img src=x onerror="globalThis.broken = true">',
};

export interface WorkingMill {
  server: Server;
  story: ReturnType<typeof storyOf>;
  repository: Repository;
  webhookUid: string;
  webhookUrl: string;
  /** Webhooks of the factory team, which the server keeps itself: one that is in use, and one that awaits its secret. */
  kept: { builds: string; payments: string };
  runs: { done: Run; failed: Run; blocked: Run };
}

/**
 * A server in the middle of its work: the factory acme from a repository, with deliveries of every outcome and runs of
 * several, the factory shop from a folder whose last change is wrong, and the factory team, which the server keeps itself.
 */
export async function workingMill(env: Record<string, string> = {}): Promise<WorkingMill> {
  const repository = repositoryWith(REPOSITORY_FILES);
  const shop = folderWith({
    ...FACTORY,
    "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "shop"),
    "webhooks/orders.yaml": "secretName: ORDERS_SECRET\n",
  });
  const server = await startServer({
    sources: [repository.url, shop],
    agent: AGENT,
    env: { ...AMPLE_BUDGETS, MILLRACE_RUN_CONCURRENCY: "4", ...env },
  });
  const story = storyOf(server);
  const setSecret = (name: string, value = `value-of-${name}`) =>
    server.api("PUT", `/secrets/${name}`, { value, shared: true });
  for (const name of ["CI_SECRET", "FORM_TOKEN", "ORDERS_SECRET"]) await setSecret(name);
  await setSecret("STRIPE_SECRET", "whsec_test");
  // Until their definitions are valid, factories are named after their sources.
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  for (const { uid } of factories) await server.api("POST", `/factories/${uid}/sync?wait=true`);
  repository.push(
    { "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nYou mend builds.\n" },
    { message: "Say what the boss does" },
  );
  await server.api("POST", "/factories/acme/sync?wait=true");
  writeFiles(shop, {
    "automations/broken.md": "---\ntriggers: [{ provider: webhook, event: arrived }]\n---\nDo it.\n",
  });
  await server.api("POST", "/factories/shop/sync?wait=true");
  const { webhookUid, webhookUrl } = await deliverOfEveryKind(server, story);
  return {
    server,
    story,
    repository,
    webhookUid,
    webhookUrl,
    kept: await keepTeam(server, story),
    runs: await runOfEveryKind(server, story),
  };
}

async function deliverOfEveryKind(server: Server, story: ReturnType<typeof storyOf>) {
  const { webhooks } = await server.api<{ webhooks: { name: string; uid: string; url: string }[] }>(
    "GET",
    "/factories/acme/webhooks",
  );
  const { uid = "", url = "" } = webhooks.find(({ name }) => name === "ci") ?? {};
  const token = "value-of-CI_SECRET";
  await story.accept(
    url,
    token,
    JSON.stringify({ status: "passed", repository: "acme/shop", duration_seconds: 41 }),
  );
  await story.accept(
    url,
    token,
    JSON.stringify({ status: "passed", repository: "acme/shop", duration_seconds: 41 }),
  );
  await story.deliver(url, "wrong", "{}");
  await story.deliver(url, token, "no json");
  await story.accept(url, token, JSON.stringify(HOSTILE_PAYLOAD));
  return { webhookUid: uid, webhookUrl: url };
}

async function keepTeam(server: Server, story: ReturnType<typeof storyOf>) {
  await server.api("POST", "/factories", { name: "team" });
  const create = (body: object) =>
    server.api<{ uid: string; url: string; secret: string }>("POST", "/factories/team/webhooks", body);
  const builds = await create({ name: "builds", delivery_id_header: "X-Build-Id" });
  const payments = await create({
    name: "payments",
    auth_mode: "signature",
    signature_scheme: "stripe",
  });
  await create({ name: "forms", auth_mode: "url_token", enabled: false });
  const content = listeningTo("builds", "Say what has been built.");
  await server.api("PUT", "/factories/team/automations/announce", { content });
  for (const build of [41, 42])
    await story.accept(
      builds.url,
      builds.secret,
      JSON.stringify({ build, branch: "main", status: "passed" }),
    );
  await story.deliver(builds.url, "wrong", "{}");
  return { builds: builds.uid, payments: payments.uid };
}

async function runOfEveryKind(server: Server, story: ReturnType<typeof storyOf>) {
  const start = async (title: string, prompt: string) => {
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { title, prompt });
    return run_id;
  };
  const done = await start("Mend the failing cart test", "Mend it.");
  const failed = await start("Upgrade the compiler", "Fail.");
  const blocked = await start("Drop the unused column", "Ask.");
  await waitFor(async () => ((await story.run(blocked)).state === "BLOCKED" ? true : undefined));
  return {
    done: await story.ended(done),
    failed: await story.ended(failed),
    blocked: await story.run(blocked),
  };
}
