import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";
import { freePort } from "../given/port.ts";
import { pullRequestStage } from "../given/pull-requests.ts";

const filtered = (...kinds: string[]): Files => ({
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/report/automation.md": automationOn(["ci"], { kind: kinds }),
});

/** A factory that has taken six deliveries of the kind old, and forty-one of the kind new. */
const shared = sharedByFile(async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const stage = await pullRequestStage({
    files: filtered("old"),
    reachedAt: `http://${listen}`,
    settings: { publicUrl: "https://millrace.example.com", deliveriesPerMinute: 1_000 },
    env: { MILLRACE_LISTEN: listen },
  });
  const { story, server } = stage;
  await story.setSecret("CI_SECRET", "token");
  await story.sync();
  const { pathname } = new URL(await story.urlOf("ci"));
  for (let n = 0; n < 47; n += 1) {
    await story.accept(server.url + pathname, "token", JSON.stringify({ n, kind: n < 6 ? "old" : "new" }));
  }
  return stage;
});

describe("a pull request on GitHub gets a check", () => {
  test("that says what merging it changes, and which runs it would have started", async () => {
    const { pull, tellOfPull, checked } = shared();
    const head = pull(1, filtered("new"));
    expect(await tellOfPull(1)).toMatchObject({ code: 202, status: "accepted" });
    const run = await checked(head);
    expect(run).toMatchObject({
      name: "millrace/factory-config",
      conclusion: "success",
      details_url: "https://millrace.example.com/",
    });
    expect(run.title).toContain("0 to create, 1 to update, 0 to delete");
    expect(run.summary).toContain("**update** automation `report`");
    expect(run.summary).toContain("41 runs instead of 6");
  });
});
