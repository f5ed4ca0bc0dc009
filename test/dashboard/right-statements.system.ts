import { describe, expect, test } from "vitest";
import { aKey, ask } from "../given/ask.ts";
import { DESK, hasNoBarrier, PHONE, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { waitFor } from "../given/server.ts";
import { workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const mill = await workingMill();
  return { mill, server: mill.server };
});

const visit = visitorsTo(shared);

describe.each([DESK, PHONE])("at $width pixels", (size) => {
  const open = (path: string, key?: string) => visit({ path, viewport: size, ...(key ? { key } : {}) });

  test("a new automation has nothing chosen, and its hint is no text", async () => {
    const page = await open("/factories/team/new-automation");
    await page.getByLabel("builds", { exact: true }).waitFor();
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
    const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
    await prompt.getByText("Describe what the agent should do.").waitFor();
    await page.getByText(/expected at least 1 entry/).waitFor();
    await hasNoBarrier(page);
    await page.getByLabel("builds", { exact: true }).check();
    await prompt.fill("Mine.");
    await page.getByText("No errors").waitFor();
    await page.getByRole("button", { name: "Text" }).click();
    const text = page.getByRole("textbox", { name: "automations/new/automation.md" });
    await text.getByText("Mine.").waitFor();
    expect(await text.innerText()).not.toContain("Describe what");
    await page.getByRole("button", { name: "Discard" }).click();
  });

  test("the overview gives the reason that is recorded for refusals", async () => {
    const { mill } = shared();
    for (let n = 0; n < 3; n += 1) await mill.story.deliver(mill.webhookUrl, "wrong", `{"n":${n}}`);
    const { body } = await ask<{ deliveries: { reason: string }[] }>(
      mill.server,
      "GET",
      `/factories/acme/webhooks/${mill.webhookUid}/deliveries?limit=1`,
    );
    const page = await open("/");
    const needs = page.getByRole("region", { name: "Needs attention" });
    await needs.getByText(body.deliveries[0]?.reason ?? "no reason").waitFor();
    await hasNoBarrier(page);
  });

  test("the audit log names the agent of a run, and leads to the run", async () => {
    const { mill } = shared();
    const page = await open("/audit-log");
    const row = page.getByRole("row").filter({ hasText: "the agent of run" }).first();
    await row.getByText("reportBlocked").or(row.getByRole("link")).first().waitFor();
    await row
      .getByRole("link", { name: mill.runs.blocked.run_id.slice(0, 8) })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: "Drop the unused column" }).waitFor();
  });

  test("a message to a queued run is said to be added to its prompt", async () => {
    const { server, story } = shared().mill;
    const { id } = await server.api<{ id: string }>("POST", "/pauses", { reason: "to wait" });
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Wait." });
    const page = await open(`/runs/${run_id}?tab=conversation`);
    await page.getByText("Added to the prompt that the agent receives when it starts.").waitFor();
    await hasNoBarrier(page);
    await server.api("DELETE", `/pauses/${id}`);
    await waitFor(async () => (await story.runs()).every(({ state }) => state !== "QUEUED") || undefined);
  });

  test("the fields of More filters stand beside each other", async () => {
    const page = await open("/runs");
    await page.getByText("More filters").click();
    const fields = page.locator("details input");
    await fields.first().waitFor();
    const boxes = await Promise.all((await fields.all()).map((field) => field.boundingBox()));
    const overlaps = boxes.flatMap((a, at) =>
      boxes
        .slice(at + 1)
        .filter(
          (b) =>
            a &&
            b &&
            a.x < b.x + b.width &&
            b.x < a.x + a.width &&
            a.y < b.y + b.height &&
            b.y < a.y + a.height,
        ),
    );
    expect(overlaps).toEqual([]);
    await hasNoBarrier(page);
  });

  test("a key can expire, and a viewer is offered none", async () => {
    const page = await open("/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill(`short at ${size.width}`);
    await page.getByLabel("Expires").selectOption("in 30 days");
    await hasNoBarrier(page);
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "I have copied it" }).click();
    const row = page.getByRole("row").filter({ hasText: `short at ${size.width}` });
    await row.getByText(/expires in (29|30) days/).waitFor();
    await hasNoBarrier(page);
    const viewer = await open("/keys", await aKey(shared().server, { role: "viewer" }));
    await viewer.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    expect(await viewer.getByRole("button", { name: "Create key" }).count()).toBe(0);
  });

  test("the frame names the version, and leads to the documentation", async () => {
    const page = await open("/");
    if (size.width < 860) await page.getByRole("button", { name: "More" }).click();
    await page.getByText(/^millrace \d+\.\d+\.\d+/).waitFor();
    const docs = await page.getByRole("link", { name: "Documentation" }).getAttribute("href");
    await hasNoBarrier(page);
    expect((await page.request.get(docs ?? "")).status()).toBe(200);
  });

  test("the problems of a revision are listed once", async () => {
    const page = await open("/factories/shop/revisions");
    await page.getByText(/listed above under Sync/).waitFor();
    const listedIn = (name: string) =>
      page.getByRole("region", { name, exact: true }).getByText("automations/broken.md:").count();
    expect(await listedIn("Sync")).toBeGreaterThan(0);
    expect(await listedIn("History")).toBe(0);
    await hasNoBarrier(page);
  });
});
