import { join } from "node:path";
import { expect, test } from "vitest";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import {
  automationOn,
  automationWith,
  FACTORY,
  signatureWebhook,
  TOKEN_WEBHOOK,
} from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const TOKEN = "the-token";
const FILES = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "webhooks/hub.yaml": signatureWebhook("github", "HUB_SECRET"),
  "automations/failed/automation.md": automationOn(["ci"], { status: ["failed"] }),
  "automations/pushed/automation.md": automationWith("triggers: [{ provider: github, event: push }]"),
};

const stage = sharedByFile(async () => {
  const { server, story } = await serving(FILES, { CI_SECRET: TOKEN, HUB_SECRET: "hub-secret-hub-secret" });
  const { url } = await story.webhook("ci");
  const id = await story.accept(url, TOKEN, '{"status":"failed","number":12345678901234567890}');
  const path = (more: string) => `/factories/acme/deliveries/${id}/test?${more}`;
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return { server, story, url, id, path, cli: (...args: string[]) => run(["deliveries", ...args], env) };
});

interface DeliveryTest {
  path: string;
  content: string;
  fires: boolean;
}

test("a delivery becomes a test that expects what happens now, with its payload and without its token", async () => {
  const { server, path } = stage();
  const made = await server.api<DeliveryTest>("GET", path("automation=failed&name=red"));
  expect(made).toMatchObject({ path: "automations/failed/tests/red.yaml", fires: true });
  expect(made.content).toMatch(
    /^description: ".* starts a run\."\nwebhook: "ci"\nfires: true\npayload:\n {2}\{\n {4}"status": "failed",\n {4}"number": 12345678901234567890\n {2}\}\n$/,
  );
  expect(made.content).not.toContain(TOKEN);
  const other = await server.api<DeliveryTest>("GET", path("automation=pushed"));
  expect(other).toMatchObject({ path: "automations/pushed/tests/delivery.yaml", fires: false });
});

test("the event of GitHub is the only header in a test", async () => {
  const { server } = stage();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed } = await run(["webhooks", "send", "hub", "--event", "push", "--json"], env);
  const { delivery_id } = JSON.parse(printed);
  const made = await server.api<DeliveryTest>(
    "GET",
    `/factories/acme/deliveries/${delivery_id}/test?automation=pushed`,
  );
  expect(made.content).toContain('webhook: "hub"\nevent: "push"\nfires: ');
  expect(made.content).not.toMatch(/sha256=|signature/i);
});

test("the test that is made passes when it is part of the definition, and fails when its expectation is turned round", async () => {
  const { server, path } = stage();
  const { content, path: at } = await server.api<DeliveryTest>("GET", path("automation=failed"));
  const problemsWith = async (text: string) => {
    const files = Object.entries({ ...FILES, [at]: text }).map(([file, body]) => ({
      path: file,
      content: body,
    }));
    const { problems } = await server.api<{ problems: { path: string }[] }>("POST", "/factories/acme/plan", {
      files,
    });
    return problems.filter((problem) => problem.path === at);
  };
  expect(await problemsWith(content)).toEqual([]);
  expect(await problemsWith(content.replace("fires: true", "fires: false"))).toHaveLength(1);
});

test("what cannot become a test is refused with the reason", async () => {
  const { server, story, url, path } = stage();
  expect((await ask(server, "GET", path("automation=nobody"))).status).toBe(404);
  expect((await ask(server, "GET", path("automation=failed&name=../x"))).status).toBe(400);
  const large = await story.accept(url, TOKEN, JSON.stringify({ text: "x".repeat(262_100) }));
  const refused = await ask(server, "GET", `/factories/acme/deliveries/${large}/test?automation=failed`);
  expect(refused.body).toMatchObject({ status: 409, detail: expect.stringContaining("larger than 256 KB") });
  const limited = await aKey(server, { role: "admin", factories: [] });
  expect((await ask(server, "GET", path("automation=failed"), { key: limited })).status).toBe(404);
});

test("the command prints the test, or writes it into a definition and does not replace a file", async () => {
  const { cli, id } = stage();
  const shown = await cli("make-test", id.slice(0, 20), "--automation", "failed");
  expect(shown.printed).toMatch(/^# automations\/failed\/tests\/delivery\.yaml\ndescription: /);
  const folder = folderWith(FILES);
  const write = (...more: string[]) =>
    cli("make-test", id, "--automation", "failed", "--name", "red", "--output", folder, ...more);
  const file = join(folder, "automations/failed/tests/red.yaml");
  expect(await write()).toMatchObject({ code: 0, printed: `wrote ${file}\n` });
  expect((await write()).code).toBe(6);
  expect((await write("--force")).code).toBe(0);
  const env = { MILLRACE_SERVER: "", MILLRACE_API_KEY: "" };
  expect((await run(["validate", folder], env)).code).toBe(0);
});
