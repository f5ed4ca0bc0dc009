import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { repositoryWith } from "../given/repository.ts";
import { startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

const TOKEN = "the-token-of-the-ci-webhook";
const AUTOMATION = automationOn(["ci"], { status: ["failed"] }, "Report the failed build.");

/** Shows what it was given. */
const AGENT = `
  import { readFileSync } from "node:fs";
  process.stdout.write("prompt: " + readFileSync(process.env.MILLRACE_PROMPT_FILE, "utf8"));
  process.stdout.write("stdin: " + readFileSync(0, "utf8"));
  process.stdout.write("payload: " + readFileSync(process.env.MILLRACE_PAYLOAD_FILE, "utf8"));
`;

test("a commit becomes a webhook, a delivery becomes a run, and a broken commit changes nothing", async () => {
  const repository = repositoryWith(FACTORY);
  const server = await startServer({
    sources: [repository.url],
    agent: AGENT,
    env: { MILLRACE_POLL_INTERVAL: "300ms" },
  });
  const story = storyOf(server);
  await waitFor(async () => (await server.fetch("/readyz")).ok);

  // A webhook whose secret does not exist yet is a problem at its line, and nothing of the commit applies.
  const first = repository.push({
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/report/automation.md": AUTOMATION,
  });
  const refused = await waitFor(async () => {
    const factory = await story.factory();
    return factory.sync.attempted_revision === first ? factory : undefined;
  });
  expect(refused.sync.status).toBe("failed");
  expect(refused.sync.problems.filter(({ severity }) => severity === "error")).toEqual([
    expect.objectContaining({ code: "FF_INVALID_REFERENCE", path: "webhooks/ci.yaml", line: 1, column: 13 }),
  ]);
  expect(refused.sync.applied_revision).not.toBe(first);
  await expect(story.webhook("ci")).rejects.toThrow("no webhook");

  // Once the secret is set, the same commit applies without being pushed again.
  await story.setSecret("CI_SECRET", TOKEN);
  await waitFor(async () => (await story.factory()).sync.applied_revision === first);
  const { uid, url } = await story.webhook("ci");
  expect(url).toBe(`${server.url}/webhooks/w/${uid}`);
  expect(uid).toMatch(/^[A-Za-z0-9]{22}$/);

  // An authenticated delivery starts a run, whose agent has the body byte for byte.
  const body = '{ "status":"failed",\n  "n": 1.0, "umlaut": "\u00fc\\u00fc" }\n';
  const deliveryId = await story.accept(url, TOKEN, body);
  const run = await story.endedRunOf(deliveryId);
  expect(run).toMatchObject({
    state: "SUCCEEDED",
    source: "CUSTOM_WEBHOOK",
    delivery_id: deliveryId,
    webhook_uid: uid,
  });
  expect(run.creator).toMatchObject({ type: "service_account", display_name: "boss" });
  expect((await story.attachment(run.run_id, "event-payload.json")).toString()).toBe(body);
  const transcript = await story.transcript(run.run_id);
  expect(transcript).toContain(`payload: ${body}`);
  expect(transcript.match(/You do the work\.\n\nReport the failed build\.\n\n---\n/g)).toHaveLength(2);
  expect(transcript).toContain(`the delivery ${deliveryId} to the webhook "ci"`);
  expect(transcript).toContain("untrusted context");

  // The same body again is a duplicate: the same answer, and nothing starts.
  expect(await story.accept(url, TOKEN, body)).toBe(deliveryId);
  const [duplicate, original] = await story.deliveries(uid);
  expect(duplicate).toMatchObject({
    outcome: "Duplicate",
    duplicate_of: deliveryId,
    body_differs: false,
    run_ids: [],
  });
  expect(original).toMatchObject({ outcome: "Accepted", delivery_id: deliveryId, run_ids: [run.run_id] });
  expect(await story.runs()).toHaveLength(1);

  // What the filter does not want is accepted and starts nothing; what does not belong is refused.
  const quiet = await story.delivery(await story.accept(url, TOKEN, '{"status":"passed"}'));
  expect(quiet).toMatchObject({ outcome: "Accepted", run_ids: [], payload: { status: "passed" } });
  expect((await story.deliver(url, "wrong", "{}")).status).toBe(401);

  // A broken commit is shown with file and line, and changes nothing.
  const broken = repository.push({
    "automations/report/automation.md": AUTOMATION.replace("triggers:", "trigers:"),
  });
  const failed = await waitFor(async () => {
    const factory = await story.factory();
    return factory.sync.attempted_revision === broken ? factory : undefined;
  });
  expect(failed.sync).toMatchObject({ status: "failed", applied_revision: first });
  expect(failed.sync.problems).toContainEqual(
    expect.objectContaining({
      code: "FF_UNKNOWN_FIELD",
      path: "automations/report/automation.md",
      line: 2,
      column: 1,
    }),
  );
  expect((await story.endedRunOf(await story.accept(url, TOKEN, '{"status":"failed","n":2}'))).state).toBe(
    "SUCCEEDED",
  );

  // Its fix applies.
  const fixed = repository.push({
    "automations/report/automation.md": AUTOMATION.replace("failed build", "bad build"),
  });
  await waitFor(async () => (await story.factory()).sync.applied_revision === fixed);
  const second = await story.endedRunOf(await story.accept(url, TOKEN, '{"status":"failed","n":3}'));
  expect(second.prompt).toContain("Report the bad build.");

  // A deletion answers 404, and a revert brings the URL back.
  const deletion = repository.push({}, { remove: ["webhooks/ci.yaml"] });
  await waitFor(async () => (await story.factory()).sync.applied_revision === deletion);
  expect((await story.deliver(url, TOKEN, '{"status":"failed","n":4}')).status).toBe(404);
  expect((await story.factory()).sync).toMatchObject({
    status: "synced",
    problems: expect.arrayContaining([
      expect.objectContaining({ severity: "warning", code: "FF_INVALID_REFERENCE" }),
    ]),
  });
  expect(await server.api("GET", `/factories/acme/webhooks/${uid}`)).toMatchObject({ status: "deleted" });
  const revert = repository.revert();
  await waitFor(async () => (await story.factory()).sync.applied_revision === revert);
  expect((await story.webhook("ci")).uid).toBe(uid);
  expect((await story.endedRunOf(await story.accept(url, TOKEN, '{"status":"failed","n":5}'))).state).toBe(
    "SUCCEEDED",
  );

  expect(await server.stop()).toBe(0);
  expect(server.log()).not.toContain(TOKEN);
});
