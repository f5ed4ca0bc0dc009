import { expect, test } from "vitest";
import { withFactoryLines } from "../given/definition.ts";
import { writeFiles } from "../given/folder.ts";
import { LOOPBACK_ALLOWED, receiver, SIGNING_SECRET } from "../given/receiver.ts";
import { waitFor } from "../given/server.ts";
import { aWaitingFamily } from "../given/waiting-family.ts";

test("a run that waits for other runs causes no notification, and one that fails does", async () => {
  const target = await receiver();
  const { wait, touch, resting, source, start, story, parent } = await aWaitingFamily(["one"], {
    env: LOOPBACK_ALLOWED,
  });
  const notify = `{kind: webhook, url: "${target.url}", secretName: NOTIFY, events: [run.blocked, run.failed]}`;
  await story.setSecret("NOTIFY", SIGNING_SECRET);
  writeFiles(source, withFactoryLines(`millrace: { repositories: optional, notify: [${notify}] }\n`));
  await story.sync();
  await wait();
  touch("exit");
  await resting();
  touch("one");
  expect(await story.ended(parent)).toMatchObject({ state: "SUCCEEDED" });
  // Changes are told in their order: what the wait had led to would have come before this.
  touch("start", JSON.stringify({ code: 3 }));
  const failing = await start({ prompt: "Parent." });
  expect(await story.ended(failing)).toMatchObject({ state: "FAILED" });
  const request = await waitFor(async () => target.requests[0]);
  expect(request.json).toMatchObject({ type: "run.failed", data: { run: { id: failing } } });
});
