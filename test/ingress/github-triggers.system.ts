import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationWith, FACTORY, load, signatureWebhook, TOKEN_WEBHOOK } from "../given/definition.ts";
import { writeFiles } from "../given/folder.ts";
import { type GithubExample, githubExample } from "../given/github.ts";
import { hmacOf, post, SIGNING_SECRET } from "../given/sender.ts";
import { serving } from "../given/serving.ts";
import type { Run } from "../given/story.ts";

const on = (...triggers: string[]) =>
  automationWith(`triggers:\n${triggers.map((one) => `  - { ${one} }\n`).join("")}`);
const LABELED = "provider: github, event: issue_labeled";
const WEBHOOK = signatureWebhook("github", "HOOK_SECRET");

const FILES = {
  ...FACTORY,
  "webhooks/github.yaml": WEBHOOK,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/every.md": on(LABELED),
  "automations/go.md": on(`${LABELED}, filter: { labels: [go], repos: [acme/shop] }`),
  "automations/stop.md": on(`${LABELED}, filter: { labels: { not_in: [go] } }`),
  "automations/both.md": on(
    LABELED,
    "provider: webhook, event: received, millrace: { webhooks: [github, ci] }",
  ),
  "automations/off.md": on(LABELED).replace("---\n", "---\nenabled: false\n"),
  "automations/push.md": on("provider: github, event: push"),
};

const stage = sharedByFile(() => serving(FILES, { HOOK_SECRET: SIGNING_SECRET, CI_SECRET: "the-token" }));
const labeled = (label: string) =>
  githubExample("issues", "labeled", {
    label: { name: label },
    repository: { full_name: "acme/shop" },
    nonce: Math.random(),
  });

async function deliver(
  { event, payload }: GithubExample,
  headers: Record<string, string> = { "x-github-event": event },
) {
  const { story } = stage();
  const body = JSON.stringify(payload);
  const signature = `sha256=${hmacOf(body)}`;
  const answer = await post(await story.urlOf("github"), body, {
    "x-hub-signature-256": signature,
    ...headers,
  });
  const { delivery_id: id } = (await answer.json()) as { delivery_id: string };
  return id;
}

async function runsOf(id: string): Promise<Run[]> {
  const { story } = stage();
  return Promise.all((await story.delivery(id)).run_ids.map(story.run));
}

const sourcesOf = async (id: string) =>
  Object.fromEntries((await runsOf(id)).map(({ agent_config, source }) => [agent_config.name, source]));

describe("a delivery of GitHub", () => {
  test("starts the automations that listen to its event, each once, with its body and what it is", async () => {
    const { story } = stage();
    const example = labeled("go");
    const id = await deliver(example);
    expect(await sourcesOf(id)).toEqual({
      every: "GITHUB_WEBHOOK",
      go: "GITHUB_WEBHOOK",
      both: "GITHUB_WEBHOOK",
    });
    const [run] = await runsOf(id);
    expect(run).toMatchObject({
      creator: { type: "service_account", display_name: "boss" },
      webhook_uid: (await story.webhook("github")).uid,
    });
    expect(run?.prompt).toMatch(/^Do something about it\.\n\n---\n.*to the webhook "github"/);
    const attached = await story.attachment(run?.run_id ?? "", "event-payload.json");
    expect(JSON.parse(attached.toString())).toEqual(example.payload);
    expect((await story.delivery(id)).event).toBe("issues");
  });

  test("is held against the filter", async () => {
    expect(await sourcesOf(await deliver(labeled("stop")))).toEqual({
      every: "GITHUB_WEBHOOK",
      stop: "GITHUB_WEBHOOK",
      both: "GITHUB_WEBHOOK",
    });
  });

  test("of another event, or without its header, is one of the webhook and no more", async () => {
    const { event, payload } = labeled("go");
    const only = { both: "CUSTOM_WEBHOOK" };
    expect(await sourcesOf(await deliver({ event: "pull_request", payload }))).toEqual(only);
    const again = { event, payload: { ...payload, nonce: 1 } };
    expect(await sourcesOf(await deliver(again, {}))).toEqual(only);
  });

  test("that is not signed by GitHub's scheme feeds no trigger of GitHub", async () => {
    const { story } = stage();
    const body = JSON.stringify(labeled("go").payload);
    const id = await story.accept(await story.urlOf("ci"), "the-token", body, { "x-github-event": "issues" });
    expect(await sourcesOf(id)).toEqual({ both: "CUSTOM_WEBHOOK" });
    expect((await story.delivery(id)).event).toBeUndefined();
  });

  test("is matched by its event when it is redelivered, and explained by it", async () => {
    const { server } = stage();
    const id = await deliver(labeled("go"));
    const path = `/factories/acme/deliveries/${id}`;
    const again = await server.api<{ delivery_id: string; event: string }>("POST", `${path}/redeliver`);
    expect(again.event).toBe("issues");
    expect(Object.keys(await sourcesOf(again.delivery_id)).sort()).toEqual(["both", "every", "go"]);
    const { automations } = await server.api<{
      automations: {
        name: string;
        result: string;
        triggers: { checks: { field: string; reason: string }[] }[];
      }[];
    }>("GET", `${path}/explain`);
    const results = automations.filter(({ result }) => result === "Would trigger").map(({ name }) => name);
    expect(results.sort()).toEqual(["both", "every", "go"]);
    const told = (name: string) => automations.find((each) => each.name === name)?.triggers[0]?.checks.at(-1);
    expect(told("stop")).toMatchObject({ field: "labels", reason: 'expected none of "go", found "go"' });
    expect(told("push")?.reason).toBe("expected push (push), found issues with the action labeled");
  });

  test("can be tried out by a test delivery that names an event", async () => {
    const { server, story } = stage();
    const send = (uid: string, body: object) =>
      server.fetch(`/api/v1/factories/acme/webhooks/${uid}/test-deliveries`, {
        method: "POST",
        headers: { authorization: "Bearer test-admin-key-0123456789" },
        body: JSON.stringify(body),
      });
    const { uid } = await story.webhook("github");
    const answer = await send(uid, { event: "issues", body: labeled("go").payload });
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    expect(Object.keys(await sourcesOf(delivery_id))).toContain("go");
    const refused = await send((await story.webhook("ci")).uid, { event: "issues" });
    expect([refused.status, await refused.json()]).toMatchObject([400, { field: "event" }]);
  });
});

test("a webhook of GitHub that is disabled feeds nothing, and the rest goes on", async () => {
  const { source, story } = await serving(FILES, { HOOK_SECRET: SIGNING_SECRET, CI_SECRET: "the-token" });
  const url = await story.urlOf("github");
  writeFiles(source, { "webhooks/github.yaml": `${WEBHOOK}enabled: false\n` });
  const { sync } = await story.sync();
  expect(sync.problems.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/provider github: never fires without an enabled webhook.*\(6 places\)/),
  );
  expect((await post(url, "{}", { "x-github-event": "push" })).status).toBe(404);
});

describe("a definition with triggers of GitHub", () => {
  const notices = async (files: typeof FILES | Record<string, string>) =>
    (await load({ ...FACTORY, ...files })).problems.map(
      ({ severity, path, line, message }) => `${severity} ${path}:${line} ${message}`,
    );
  const about = (all: string[]) => all.filter((text) => /github|GitHub/.test(text));

  test("is warned when there is no webhook to feed them", async () => {
    expect(about(await notices({ "automations/a.md": on(LABELED) }))).toEqual([
      expect.stringMatching(
        /^warning automations\/a\.md:3 a trigger of the provider github: never fires without/,
      ),
    ]);
    expect(about(await notices({ "automations/a.md": on(LABELED), "webhooks/g.yaml": WEBHOOK }))).toEqual([]);
  });

  test("is warned which filter keys GitHub does not answer", async () => {
    const filter = "filter: { paths: [src], labels: [bug], authors: null }";
    const files = {
      "webhooks/g.yaml": WEBHOOK,
      "automations/a.md": on(`provider: github, event: pull_request_opened, ${filter}`),
      "automations/b.md": on(
        `provider: github, event: check_suite_completed, ${filter.replace("paths: [src], ", "")}`,
      ),
    };
    expect(about(await notices(files))).toEqual([
      expect.stringMatching(
        /^warning automations\/a\.md:3 paths: GitHub's deliveries of pull_request_opened do not contain it/,
      ),
      expect.stringMatching(
        /^warning automations\/b\.md:3 labels: GitHub's deliveries of check_suite_completed do not/,
      ),
    ]);
  });
});
