import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { automationWith, FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { run } from "../../given/server.ts";

const FOLDER = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "webhooks/github.yaml": signatureWebhook("github", "HOOK_SECRET"),
  "automations/a.md": automationWith(
    "triggers:\n  - { provider: webhook, event: received, filter: { payload: { go: [true] } }, millrace: { webhooks: [ci] } }\n" +
      "  - { provider: github, event: push, filter: { branches: [main] } }\n",
  ),
  "automations/reviewed.md": automationWith(
    "triggers: [{ provider: factory, event: work_item_stage_changed, filter: { stages: [REVIEW] } }]",
  ),
  "moved.json": '{"event": "work_item_stage_changed", "from": "IMPLEMENT", "to": "REVIEW"}',
  "filter.yaml": "go: [true]\n",
  "yes.json": '{"go": true}',
  "no.json": '{"go": false}',
  "push.json": '{"ref": "refs/heads/main", "repository": {"full_name": "acme/shop"}}',
};

/** Without a server, and without a key for one. */
const tryOut = (...args: string[]) => {
  const folder = folderWith(FOLDER);
  const paths = args.map((arg) => (arg.includes(".") ? join(folder, arg) : arg));
  return run(["filter", "test", "--dir", folder, ...paths], { MILLRACE_SERVER: "http://127.0.0.1:1" });
};

describe("filter test without a server", () => {
  test("tests a body with a filter, and ends with 1 if it would not trigger", async () => {
    const yes = await tryOut("--filter", "filter.yaml", "--body", "yes.json");
    expect(yes).toMatchObject({ code: 0, said: "", printed: expect.stringMatching(/^Would trigger\n/) });
    const no = await tryOut("--filter", "filter.yaml", "--body", "no.json");
    expect(no).toMatchObject({ code: 1, printed: expect.stringMatching(/^Would not trigger\n.*✗ go/s) });
  });

  test("tests a body against the triggers of an automation in the folder", async () => {
    expect((await tryOut("--automation", "a", "--body", "yes.json")).code).toBe(0);
    expect((await tryOut("--automation", "a", "--body", "no.json")).code).toBe(1);
    const pushed = await tryOut("--automation", "a", "--event", "push", "--body", "push.json");
    expect(pushed).toMatchObject({ code: 0, printed: expect.stringContaining("branches") });
    expect((await tryOut("--automation", "nobody", "--body", "yes.json")).code).toBe(5);
  });

  test("tests an event of the factory, as a run finds it in its file", async () => {
    const moved = await tryOut("--automation", "reviewed", "--body", "moved.json");
    expect(moved).toMatchObject({ code: 0, printed: expect.stringContaining("✓ stages") });
    expect((await tryOut("--automation", "reviewed", "--body", "yes.json")).code).toBe(1);
  });

  test("reports options that do not go together", async () => {
    const asked = await tryOut("--filter", "filter.yaml", "--delivery", "0199abcd");
    expect(asked).toMatchObject({ code: 2, said: expect.stringContaining("omit --dir") });
  });
});
