import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DESK, PHONE, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { managedBy, type Webhook } from "../given/managed.ts";
import { waitFor } from "../given/server.ts";
import { type WorkingMill, workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const mill = await workingMill();
  return { mill, server: mill.server, team: managedBy(mill.server, "team") };
});

const visit = visitorsTo(shared);

const isWrite = (method: string) => method !== "GET" && method !== "HEAD";

/** Holds what the page writes, as a slow server does, until it is let go. */
async function holding(page: Page) {
  const keys: (string | undefined)[] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route("**/api/v1/**", async (route) => {
    const request = route.request();
    if (!isWrite(request.method())) return route.continue();
    keys.push(request.headers()["idempotency-key"]);
    await held;
    return route.continue();
  });
  return { keys, letGo: async () => letGo() };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true });
const builds = ({ kept }: WorkingMill) => `/factories/team/webhooks/${kept.builds}`;
const ofRun = (which: keyof WorkingMill["runs"]) => (mill: WorkingMill) => `/runs/${mill.runs[which].run_id}`;

interface Case {
  at: (mill: WorkingMill) => string;
  /** Up to where it is sent. */
  before?: (page: Page) => Promise<unknown>;
  /** Sends it twice as fast as anyone can. */
  twice: (page: Page) => Promise<unknown>;
  /** What the page says when it is done. */
  done: (page: Page) => Promise<unknown>;
  hasKey?: boolean;
}

const enterTwice = (label: string) => async (page: Page) => {
  await page.getByLabel(label).press("Enter");
  await page.keyboard.press("Enter");
};

const CASES: Record<string, Case> = {
  "a key that is created": {
    at: () => "/keys",
    before: async (page) => {
      await button(page, "Create key").click();
      await page.getByLabel("Name").fill("pressed");
    },
    twice: enterTwice("Name"),
    done: (page) => page.getByText("it is not stored and will not be shown again").waitFor(),
    hasKey: true,
  },
  "a secret that is rotated": {
    at: builds,
    before: (page) => button(page, "Rotate secret").click(),
    twice: (page) => inDialog(page, "Rotate secret").dblclick(),
    done: (page) => page.getByRole("dialog").locator("pre").first().waitFor(),
    hasKey: true,
  },
  "a test delivery": {
    at: builds,
    before: (page) => button(page, "Send a test delivery").click(),
    twice: (page) => inDialog(page, "Send").dblclick(),
    done: (page) => page.getByText("The test delivery was accepted").waitFor({ state: "attached" }),
  },
  "a run that is started": {
    at: () => "/runs",
    before: async (page) => {
      await button(page, "Start run").click();
      await page.getByLabel("Prompt").fill("Do it.");
      await page.getByLabel("Title").fill("pressed twice");
    },
    twice: enterTwice("Title"),
    done: (page) => page.getByRole("heading", { level: 1, name: "pressed twice" }).waitFor(),
    hasKey: true,
  },
  "a redelivery": {
    at: ({ webhookUid }) => `/factories/acme/webhooks/${webhookUid}`,
    before: async (page) => {
      const accepted = page.getByRole("row").filter({ hasText: "Accepted" }).last();
      await accepted.getByRole("button", { name: /^Open delivery/ }).click();
      await button(page, "Redeliver").click();
      await page
        .getByRole("dialog")
        .getByText(/this delivery starts/)
        .waitFor();
    },
    twice: (page) => page.getByRole("dialog").getByRole("button", { name: "Redeliver" }).dblclick(),
    done: (page) => page.getByText(/^Redelivered 1 delivery:/).waitFor({ state: "attached" }),
    hasKey: true,
  },
  "a follow-up": {
    at: ofRun("done"),
    before: async (page) => {
      await page.getByRole("tab", { name: "Conversation" }).click();
      // It pushes the form down when it comes, from under the pointer.
      await page.getByRole("region", { name: "Conversation" }).getByText("Prompt", { exact: true }).waitFor();
      await page.getByLabel("Message").fill("And once more.");
    },
    twice: (page) => button(page, "Send").dblclick(),
    done: (page) => page.getByText("The run continues with another turn.").waitFor({ state: "attached" }),
    hasKey: true,
  },
  "a secret that is deleted": {
    at: () => "/secrets",
    before: async (page) => {
      const { server } = shared().mill;
      await server.api("PUT", "/secrets/GOING", { value: "v", shared: true });
      await page.reload();
      await button(page, "Delete GOING").click();
      await page.getByLabel("Type GOING to confirm").fill("GOING");
    },
    twice: enterTwice("Type GOING to confirm"),
    done: (page) => page.getByText("Deleted GOING.").waitFor({ state: "attached" }),
  },
};

describe.each([DESK, PHONE])("at $width pixels", (viewport) => {
  test.each(Object.entries(CASES))("%s is sent once, and stays until it was answered", async (_, each) => {
    const page = await visit({ path: each.at(shared().mill), viewport });
    await each.before?.(page);
    const { keys, letGo } = await holding(page);
    await each.twice(page);
    await waitFor(async () => keys.length > 0 || undefined);
    const isInDialog = (await page.getByRole("dialog").count()) > 0;
    await page.keyboard.press("Escape");
    if (isInDialog) {
      await page.mouse.click(2, 2);
      for (const name of ["Cancel", "Go back"]) {
        const closing = inDialog(page, name);
        if ((await closing.count()) > 0) expect(await closing.isDisabled()).toBe(true);
      }
      expect(await page.getByRole("dialog").count()).toBe(1);
    }
    await letGo();
    await each.done(page);
    expect(keys).toHaveLength(1);
    // Of a redelivery, the id of the delivery follows.
    if (each.hasKey) expect(keys[0]).toMatch(/^[0-9a-f]{32}(-|$)/);
  });

  test("a dialog stays when Escape is pressed in the moment in which it is sent", async () => {
    const { kept } = shared().mill;
    const page = await visit({ path: `/factories/team/webhooks/${kept.builds}`, viewport });
    await button(page, "Send a test delivery").click();
    await inDialog(page, "Send").waitFor();
    const { keys, letGo } = await holding(page);
    // Between the two the page is not drawn.
    await page.evaluate(`{
      const form = document.querySelector("[role=dialog] form");
      form.requestSubmit();
      form.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    }`);
    await waitFor(async () => keys.length > 0 || undefined);
    expect(await page.getByRole("dialog").count()).toBe(1);
    await letGo();
    await page.getByText("The test delivery was accepted").waitFor({ state: "attached" });
  });

  test("a dialog with text asks before it closes, and one without text does not", async () => {
    const page = await visit({ path: "/runs", viewport });
    await button(page, "Start run").click();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await button(page, "Start run").click();
    await page.getByLabel("Prompt").fill("A long text.");
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog").getByText("Discard what you entered?");
    await question.waitFor();
    // Once more does not mean yes.
    await page.keyboard.press("Escape");
    await inDialog(page, "Keep editing").click();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("A long text.");
    await inDialog(page, "Cancel").click();
    await question.waitFor();
    await inDialog(page, "Discard").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await button(page, "Start run").click();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("");
  });

  test("a secret whose answer was lost is shown when it is sent again, and is the one that counts", async () => {
    const { team, mill } = shared();
    const page = await visit({ path: builds(mill), viewport });
    await button(page, "Rotate secret").click();
    const keys = new Set<string | undefined>();
    let lost = 0;
    await page.route("**/rotate-secret", async (route) => {
      keys.add(route.request().headers()["idempotency-key"]);
      // As often as the client itself tries.
      if (lost >= 3) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort("connectionreset");
    });
    await inDialog(page, "Rotate secret").click();
    await page.getByRole("alert").getByText("The server is not responding").waitFor();
    await inDialog(page, "Rotate secret").click();
    const secret = await page.getByRole("dialog").locator("pre").last().innerText();
    const { body } = await team.call<Webhook>("GET", `/webhooks/${mill.kept.builds}`);
    expect(await team.deliver(body.url, secret)).toBe(202);
    expect([lost, keys.size]).toEqual([3, 1]);
    // Chromium writes a line for each connection that this test has cut.
    expect(visit.misdeeds()).toEqual(Array(3).fill(expect.stringContaining("ERR_CONNECTION_RESET")));
  });
});
