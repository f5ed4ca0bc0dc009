import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { readSettingsFile } from "../src/cli/settings.ts";
import type { components } from "../src/client/api-types.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { loadDefinition } from "../src/definitions/loading/load.ts";
import { DEFINITION_SCHEMAS, readSchema } from "../src/definitions/loading/validate.ts";
import { readFolder } from "../src/git/folder.ts";
import { folderWith } from "./given/folder.ts";
import { type GithubExample, githubExample } from "./given/github.ts";
import { hmacOf, post, SIGNING_SECRET } from "./given/sender.ts";
import { startServer } from "./given/server.ts";
import { storyOf } from "./given/story.ts";

const EXAMPLES = fileURLToPath(new URL("../examples/", import.meta.url));

describe("every example", () => {
  test.each(readdirSync(EXAMPLES))("%s is valid, without warnings", async (name) => {
    const { problems } = await loadDefinition(await readFolder(`${EXAMPLES}${name}`), name);
    expect(problems.filter(({ severity }) => severity !== "notice")).toEqual([]);
  });
});

test("the example for Alertmanager starts its run, from the body that Alertmanager sends", async () => {
  const server = await startServer({ sources: [`${EXAMPLES}alertmanager`] });
  const story = storyOf(server);
  await story.setSecret("ALERTMANAGER_WEBHOOK_SECRET", "x");
  await story.setSecret("PROMETHEUS_URL", "http://prometheus");
  await story.sync();
  const { url } = await story.webhook("alertmanager");
  const titlesOf = async (status: string, ...alerts: Record<string, string>[]) => {
    const body = JSON.stringify({
      version: "4",
      status,
      groupKey: Math.random(),
      alerts: alerts.map((labels) => ({ status, labels })),
    });
    const { run_ids } = await story.delivery(await story.accept(url, "x", body));
    return Promise.all(run_ids.map(async (id) => (await story.run(id)).title));
  };
  expect(await titlesOf("firing", { severity: "warning" }, { severity: "critical" })).toEqual([
    "investigate",
  ]);
  expect(await titlesOf("firing", { severity: "warning" })).toEqual([]);
  expect(await titlesOf("firing", { severity: "critical", drill: "yes" })).toEqual([]);
  expect(await titlesOf("resolved", { severity: "critical" })).toEqual(["note-resolved"]);
});

test("the example for GitHub starts its runs, from the deliveries that GitHub sends", async () => {
  const server = await startServer({ sources: [`${EXAMPLES}github`] });
  const story = storyOf(server);
  await story.setSecret("GITHUB_WEBHOOK_SECRET", SIGNING_SECRET);
  await story.sync();
  const { url } = await story.webhook("github");
  const { automations } = await server.api<components["schemas"]["AutomationList"]>(
    "GET",
    "/factories/github/automations",
  );
  const nameOf = (uid?: string) => automations.find((automation) => automation.uid === uid)?.name;
  const startedBy = async ({ event, payload }: GithubExample) => {
    const body = JSON.stringify({ ...payload, repository: { full_name: "acme/shop" } });
    const signature = `sha256=${hmacOf(body)}`;
    const answer = await post(url, body, { "x-hub-signature-256": signature, "x-github-event": event });
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    const { run_ids } = await story.delivery(delivery_id);
    return Promise.all(run_ids.map(async (id) => nameOf((await story.run(id)).automation_id)));
  };
  const opened = (base: string) =>
    githubExample("pull_request", "opened", { pull_request: { base: { ref: base }, labels: [] } });
  expect(await startedBy(githubExample("issues", "opened"))).toEqual(["triage"]);
  expect(await startedBy(githubExample("issues", "labeled", { label: { name: "triage" } }))).toEqual([
    "triage",
  ]);
  expect(await startedBy(githubExample("issues", "labeled", { label: { name: "bug" } }))).toEqual([]);
  expect(await startedBy(opened("main"))).toEqual(["review"]);
  expect(await startedBy(opened("feature"))).toEqual([]);
  const failed = { workflow_run: { conclusion: "failure", head_branch: "main" } };
  expect(await startedBy(githubExample("workflow_run", "completed", failed))).toEqual(["repair"]);
  expect(await startedBy(githubExample("push"))).toEqual([]);
});

test("the settings file that docs/configuration.md shows is a valid one", async () => {
  const page = readFileSync(new URL("../docs/configuration.md", import.meta.url), "utf8");
  const example = /^```yaml millrace\.yaml\n(.*?)^```$/ms.exec(page)?.[1] ?? "";
  const file = join(folderWith({ "millrace.yaml": example }), "millrace.yaml");
  const config = loadConfig({ flags: {}, env: {}, file: await readSettingsFile(file) }).config;
  expect(Object.keys(config.harnesses)).toEqual(["claude"]);
  expect(config).toMatchObject({
    publicUrl: "https://millrace.example.com",
    retention: { deliveries: "30d" },
  });
  expect(config.factories).toHaveLength(3);
});

test("the published bundle is enough to check a file with", () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(JSON.parse(readSchema("v1alpha1.bundle.json")), "bundle");
  const check = ajv.getSchema("automation.schema.json");
  const trigger = { provider: "webhook", event: "received", millrace: { webhooks: ["ci"] } };
  expect(check?.({ triggers: [trigger] }), JSON.stringify(check?.errors)).toBe(true);
  expect(check?.({ triggers: [{ ...trigger, event: "sent" }] })).toBe(false);
});

describe("every published schema", () => {
  test.each(
    [...DEFINITION_SCHEMAS, "common"]
      .map((name) => `v1alpha1/${name}.schema.json`)
      .concat("millrace.schema.json"),
  )("%s is a JSON Schema 2020-12", (name) => {
    const schema = JSON.parse(readSchema(name));
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    const ajv = new Ajv2020();
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
  });
});
