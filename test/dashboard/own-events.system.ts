import { afterEach, expect, test } from "vitest";
import { lookAt, openBrowser, signedIn, type Visitor } from "../given/browser.ts";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { waitFor } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const visitors: Visitor[] = [];
afterEach(() => {
  expect(visitors.splice(0).flatMap(({ misdeeds }) => misdeeds)).toEqual([]);
});

/** Its runs fail, and each failure starts the next one. */
const AGAIN = automationWith(`triggers:
  - { provider: webhook, event: received, millrace: { webhooks: [ci] } }
  - { provider: factory, event: run_ended, filter: { automations: [again], states: [FAILED] } }
`);

test("the page of an automation says that events start it and that a limit has ended that, and the run's timeline says which", async () => {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/again.md": AGAIN };
  const { server, story } = await serving(files, { CI_SECRET: "the-token" }, { agent: "process.exit(3)" });
  await story.accept(await story.urlOf("ci"), "the-token", "{}");
  const last = await waitFor(async () => {
    const [newest] = await story.runs();
    const timeline = newest ? await story.timeline(newest.run_id) : [];
    return timeline.some(({ event_type }) => event_type === "trigger_refused") ? newest : undefined;
  });
  const visitor = await signedIn(await openBrowser(), server);
  visitors.push(visitor);
  const { page } = visitor;
  await page.goto("/factories/acme/automations/again");
  await page.getByRole("heading", { name: "Started by the end of a run" }).waitFor();
  await page.getByText("Refused starts, 24 hours").waitFor();
  await page.getByText("1 (limit on automations that start each other)").waitFor();
  await page.getByText("To test this filter, add a test with an event").waitFor();
  await lookAt(page, "automation-of-events");

  await page.goto(`/runs/${last.run_id}`);
  await page.getByRole("list", { name: "Origin" }).getByRole("link", { name: "Ended run" }).waitFor();
  expect(await page.getByRole("note").getByText("ended as FAILED").count()).toBe(0);
  await page.getByRole("tab", { name: "Trace" }).click();
  await page.getByRole("heading", { name: "Timeline" }).click();
  const refused = page.getByRole("listitem").filter({ hasText: "Did not start an automation" });
  await refused.getByText("again").waitFor();
  await refused.getByText(/already started 3 runs/).waitFor();
});
