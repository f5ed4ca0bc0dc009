import type { Page } from "playwright-core";
import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { aKey } from "../given/ask.ts";
import { openBrowser, signedIn, type Visitor, visit } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { listeningTo, serveManaged } from "../given/managed.ts";
import { ADMIN_KEY } from "../given/server.ts";
import { AMPLE_BUDGETS } from "../given/serving.ts";

const AGENT = 'console.log("It has been done.")';

const shared = sharedByFile(async () => {
  const [kept, browser] = await Promise.all([
    serveManaged({ agent: AGENT, env: AMPLE_BUDGETS }),
    openBrowser(),
  ]);
  return { kept, browser, desk: await signedIn(browser, kept.server) };
});

const others: Visitor[] = [];
afterEach(() => {
  for (const { misdeeds } of [shared().desk, ...others.splice(0)]) expect(misdeeds).toEqual([]);
});

const WEBHOOKS = "/factories/default/webhooks";
const shownIn = (page: Page) => page.getByRole("dialog").locator("pre");

async function openAdding(page: Page, name: string): Promise<void> {
  await page.goto(WEBHOOKS);
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
}

async function add(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
}

test("from the first signing in to the first run that a delivery has started", async () => {
  const { kept, browser } = shared();
  const visitor = await visit(browser, kept.server);
  others.push(visitor);
  const { page } = visitor;
  await page.goto("/");
  await page.getByLabel("API key").fill(ADMIN_KEY);
  await page.getByLabel("API key").press("Enter");
  await page.getByRole("navigation").getByRole("link", { name: "Definition" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
  await page.getByText("No webhooks yet").waitFor();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByLabel("Name", { exact: true }).fill("ci");
  await page.getByText("If blank, the name is derived from the webhook's name: CI_WEBHOOK_SECRET.").waitFor();
  await add(page);
  await page.getByText("it will not be shown again").waitFor();
  const [url = "", secret = ""] = await shownIn(page).allTextContents();
  // A slip does not lose it.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Copy the secret" }).waitFor();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("heading", { level: 1, name: "ci" }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await page.getByText("No automation selects this webhook").waitFor();
  const content = listeningTo("ci");
  expect((await kept.call("PUT", "/automations/answer", { body: { content } })).status).toBe(201);
  await page.getByRole("link", { name: "answer" }).waitFor();
  expect(await kept.deliver(url, secret, '{"first":true}')).toBe(202);
  // It comes by itself, and leads to what it has started.
  await page.getByRole("button", { name: /^Open delivery/ }).click();
  await page.getByRole("link", { name: /^[0-9a-f-]{36}$/ }).click();
  await page.getByRole("heading", { level: 1, name: "answer" }).waitFor();
  await page.getByText("It has been done.").first().waitFor();
  await page.getByText("SUCCEEDED").first().waitFor();
});

test("a Stripe webhook is set up in two steps, and then accepts what Stripe signs", async () => {
  const { kept, desk } = shared();
  const { page } = desk;
  await openAdding(page, "payments");
  await page.getByLabel("Provider signature").check();
  await page.getByLabel("Provider scheme").selectOption("stripe");
  await page.getByText(/Leave it blank if Stripe shows it only after it has the URL/).waitFor();
  await add(page);
  await page.getByText(/Step 1 of 2/).waitFor();
  const [url = ""] = await shownIn(page).allTextContents();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Awaiting secret").waitFor();
  await page.getByText("Senders get 404 until the signing secret is set, and nothing is logged.").waitFor();
  expect(await page.getByRole("button", { name: "Send a test delivery" }).count()).toBe(0);
  const secret = "whsec_what_stripe_has_shown";
  const event = JSON.stringify({ id: "evt_1", type: "charge.succeeded" });
  const deliver = () => {
    const header = Stripe.webhooks.generateTestHeaderString({ payload: event, secret });
    return fetch(url, { method: "POST", body: event, headers: { "stripe-signature": header } });
  };
  expect((await deliver()).status).toBe(404);
  const step = page.getByRole("region", { name: "Finish webhook setup" });
  await step.getByLabel("Provider secret").fill(secret);
  await step.getByRole("button", { name: "Finish webhook setup" }).click();
  await page.getByText("payments accepts deliveries.").waitFor();
  await step.waitFor({ state: "detached" });
  expect((await deliver()).status).toBe(202);
  await page.getByRole("row").filter({ hasText: "Accepted" }).waitFor();
  await page.getByRole("button", { name: /^Open delivery/ }).click();
  await page.getByText("Identity (from the provider's own ID)").waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(await kept.webhooks()).toContainEqual(
    expect.objectContaining({ name: "payments", status: "active", signature_scheme: "stripe" }),
  );
});

test("a URL token is shown once, in its URL, and stands as {token} in it from then on", async () => {
  const { kept, desk } = shared();
  const { page } = desk;
  await openAdding(page, "form");
  await page.getByLabel("URL token").check();
  await page.getByLabel("Secret name").fill("FORM_TOKEN");
  await page.getByLabel("Delivery ID header").fill("X-Form-Id");
  await add(page);
  await page.getByText("Its last segment is the secret.").waitFor();
  const [url = ""] = await shownIn(page).allTextContents();
  expect(await kept.deliver(url)).toBe(202);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText(/\/\{token\}$/).waitFor();
  await page.getByText("X-Form-Id").waitFor();
  expect(await page.content()).not.toContain(url);
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("textbox", { name: "Delivery ID header" }).fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("X-Service-Delivery-Id, else a hash of the body").waitFor();
});

test("a secret that the team has already is used by its name, and not shown", async () => {
  const { kept, desk } = shared();
  const { page } = desk;
  await kept.server.api("PUT", "/secrets/TEAM_TOKEN", { value: "the value of the team" });
  await openAdding(page, "team");
  await page.getByLabel("Secret name").fill("TEAM_TOKEN");
  await page.getByText("The webhook uses the existing value of TEAM_TOKEN").waitFor();
  await add(page);
  await page.getByText("It uses the existing secret TEAM_TOKEN.").waitFor();
  const [url = ""] = await shownIn(page).allTextContents();
  expect(await shownIn(page).count()).toBe(1);
  expect(await kept.deliver(url, "the value of the team")).toBe(202);
  await page.getByRole("button", { name: "Continue" }).click();
  // Whoever shares a secret is told before, and after.
  await kept.create({ name: "other-team", secret_name: "TEAM_TOKEN" });
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByText(/1 other webhook uses the same secret/).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
  await page.getByText("These webhooks share the secret and now use its new value: other-team.").waitFor();
  const secret = (await shownIn(page).last().textContent()) ?? "";
  expect(await kept.deliver(url, "the value of the team")).toBe(401);
  expect(await kept.deliver(url, secret)).toBe(202);
  await page.getByRole("button", { name: "I have copied it" }).click();
  expect(await page.content()).not.toContain(secret);
});

test("a rotation can leave the old secret in force, until somebody ends it who sees who still uses it", async () => {
  const { kept, desk } = shared();
  const { page } = desk;
  const { uid, url, secret: old } = await kept.create({ name: "rolled" });
  await page.goto(`${WEBHOOKS}/${uid}`);
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByText("Senders get 401 until they use the new secret.").waitFor();
  await page.getByLabel("Old secret").selectOption("24h");
  await page.getByText("Senders can use both secrets for this time.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
  const secret = (await shownIn(page).last().textContent()) ?? "";
  await page.getByRole("button", { name: "I have copied it" }).click();
  const part = page.getByRole("region", { name: "Previous secret" });
  await part.getByText("No delivery in the log used it.").waitFor();
  expect([await kept.deliver(url, old), await kept.deliver(url, secret)]).toEqual([202, 202]);
  await page.reload();
  await part.getByText(/127\.0\.0\.1 \(node\): 1 delivery, the last one/).waitFor();
  await part.getByRole("button", { name: "End overlap" }).click();
  await page.getByText("Senders that use the previous secret get 401 immediately.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "End overlap" }).click();
  await page.getByText("rolled accepts only its current secret.").waitFor();
  await part.waitFor({ state: "detached" });
  expect([await kept.deliver(url, old), await kept.deliver(url, secret)]).toEqual([401, 202]);
});

test("a webhook is disabled and enabled, and deleted after the dialog said who is affected", async () => {
  const { kept, desk } = shared();
  const { page } = desk;
  const { uid, url, secret } = await kept.create({ name: "short-lived" });
  await kept.call("PUT", "/automations/listener", { body: { content: listeningTo('"short-lived"') } });
  for (let n = 0; n < 3; n += 1) expect(await kept.deliver(url, secret)).toBe(202);
  await page.goto(`${WEBHOOKS}/${uid}`);
  await page.locator("label").filter({ hasText: "Enabled" }).click();
  await page.getByText("short-lived is disabled: senders get 404.").waitFor();
  expect(await kept.deliver(url, secret)).toBe(404);
  await page.getByRole("switch", { name: "Enabled" }).press(" ");
  await page.getByText("short-lived accepts deliveries.").waitFor();
  expect(await kept.deliver(url, secret)).toBe(202);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("they sent 4 deliveries in the last 7 days").waitFor();
  await dialog
    .getByText("1 automation selects it: it remains, but no longer fires for it (listener).")
    .waitFor();
  await dialog.getByText("Its log retains 4 deliveries until they expire").waitFor();
  await dialog.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByText("Deleted webhook short-lived.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  expect(await page.getByRole("link", { name: "short-lived" }).count()).toBe(0);
  expect(await kept.deliver(url, secret)).toBe(404);
  // What it has left is still there for who has the address.
  await page.goto(`${WEBHOOKS}/${uid}`);
  await page.getByText("This webhook was deleted: senders get 404.").waitFor();
  expect(await page.getByRole("button", { name: /^Delete$|Rotate|test delivery/ }).count()).toBe(0);
});

test("a rejected form keeps its input and shows the reason", async () => {
  const { kept, desk } = shared();
  const { page } = desk;
  await kept.create({ name: "taken" });
  await openAdding(page, "taken");
  await add(page);
  await page.getByRole("alert").getByText('A webhook named "taken" already exists.').waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("taken");
});

test.each([
  ["viewer", 0],
  ["operator", 1],
] as const)("a key of the role %s is offered no changes", async (role, tests) => {
  const { kept, browser } = shared();
  const { uid } = await kept.create({ name: `for-a-${role}` });
  const visitor = await signedIn(browser, kept.server, { key: await aKey(kept.server, { role }) });
  others.push(visitor);
  const { page } = visitor;
  await page.goto(WEBHOOKS);
  await page.getByRole("link", { name: `for-a-${role}` }).click();
  await page.getByRole("heading", { level: 1, name: `for-a-${role}` }).waitFor();
  await page.getByText("No deliveries yet").waitFor();
  expect(page.url()).toContain(uid);
  expect(await page.getByRole("switch").count()).toBe(0);
  expect(await page.getByRole("button", { name: /Add|Delete|Rotate|Change/ }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Send a test delivery" }).count()).toBe(tests);
});
