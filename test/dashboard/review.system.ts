import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { hasNoBarrier, lookAt, PHONE, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { waitFor } from "../given/server.ts";

/** Does as its prompt says: asks, changes something, reviews it, or fails. */
const AGENT = `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const post = (path, body) => fetch(url + "/api/v1/agent/runs/" + id + path, { method: "POST", headers, body: JSON.stringify(body) });
  const prompt = readFileSync(0, "utf8");
  const leave = (name, content) => { mkdirSync("artifacts", { recursive: true }); writeFileSync("artifacts/" + name, content); };
  const file = (name, body) => "diff --git a/" + name + " b/" + name + "\\nindex 1..2 100644\\n--- a/" + name + "\\n+++ b/" + name + "\\n" + body;
  if (prompt.includes("May I?")) await post("/blocked", { message: "Carts without detail count each item once now. May I open the pull request?", choices: ["Approve", "Reject"] });
  else if (prompt.includes("Refused.")) { console.error("API Error: 401 authentication_error: invalid x-api-key, set ANTHROPIC_API_KEY"); process.exit(1); }
  else if (prompt.includes("Change it.")) {
    leave("change.patch",
      file("src/cart/total.ts", "@@ -1,4 +1,4 @@\\n export function total(cart) {\\n-  return sum(item.price * item.detail.quantity);\\n+  return sum(item.price * quantityOf(item));\\n }\\n \\n@@ -38,2 +38,3 @@\\n const reduced = total(cart) - code.amount;\\n+// never below 0\\n return reduced;\\n")
      + Array.from({ length: 11 }, (_, at) => file("src/cart/part-" + at + ".ts", "@@ -1 +1,2 @@\\n one\\n+two\\n")).join(""));
    console.log("Items without \`detail\` count once.");
  } else if (prompt.includes("Review it.")) {
    leave("verdict", "accepted\\n");
    console.log("The total is right, and never negative.");
  } else {
    leave("answer.md", "# Night report\\n\\nAll **calm**.");
    leave("pixel.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="teal"/></svg>');
    leave("build.log", "built in 3 s\\n");
    await post("/artifacts", { artifact_type: "PULL_REQUEST", data: { url: "https://github.com/acme/shop/pull/7", title: "Mend the cart" } });
  }`;

const shared = sharedByFile(() => serverWithAgent(AGENT));
const visit = visitorsTo(shared);

/** A run that asks about what another one of its family has changed, and a third one has looked at. */
async function asking(): Promise<string> {
  const { start, story } = shared();
  const id = await start({ prompt: "May I?", title: "Cart total fails for shared carts" });
  await waitFor(async () => {
    const { state, is_sandbox_running } = await story.run(id);
    return state === "BLOCKED" && !is_sandbox_running;
  });
  for (const prompt of ["Change it.", "Review it."])
    await story.ended(await start({ prompt, title: prompt, parent_run_id: id }));
  return id;
}

const said = async (id: string) => {
  const { server } = shared();
  const path = `/agent/runs/${id}/conversation`;
  const { messages } = await server.api<{ messages: { role: string; text: string }[] }>("GET", path);
  return messages.filter(({ role }) => role === "user").map(({ text }) => text);
};

const seesChange = (page: Page) => page.getByRole("heading", { name: "12 files changed" }).waitFor();

describe("a run that asks is a review", () => {
  test("with the change of its family, the verdict and the answers in view", async () => {
    const id = await asking();
    const page = await visit({ path: `/runs/${id}` });
    await seesChange(page);
    await page.getByText("quantityOf(").first().waitFor();
    const checks = page.getByRole("region", { name: "Checks" });
    await checks.getByText("accepted").waitFor();
    await checks.getByText("The total is right, and never negative.").waitFor();
    await page.getByText("count once.").waitFor();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await hasNoBarrier(page, { isDarkToo: true });
    await lookAt(page, "run-review");
  });

  test("which the Inbox shows in its list too, with the change, the verdict and the answers", async () => {
    const id = await asking();
    const page = await visit({ path: `/inbox?item=question:${id}` });
    await seesChange(page);
    const item = page.getByRole("article", { name: "Cart total fails for shared carts" });
    await item.getByText("accepted").waitFor();
    await item.getByRole("button", { name: "Approve" }).waitFor();
    await lookAt(page, "inbox-change");
  });

  test("which is approved by a key, after it was confirmed what is sent", async () => {
    const id = await asking();
    const page = await visit({ path: `/runs/${id}` });
    await seesChange(page);
    await page.keyboard.press("r");
    await page.getByRole("dialog", { name: "Reject?" }).getByRole("button", { name: "Cancel" }).click();
    await page.keyboard.press("a");
    await page
      .getByRole("dialog", { name: "Approve?" })
      .getByRole("button", { name: "Send “Approve”" })
      .click();
    await shared().story.ended(id);
    expect((await said(id)).at(-1)).toBe("Approve");
    await page.getByRole("tab", { name: "Result" }).waitFor();
  });

  test("or in the palette, and not by a letter that somebody writes", async () => {
    const id = await asking();
    const page = await visit({ path: `/runs/${id}` });
    await page.getByRole("button", { name: "Answer something else" }).click();
    await page.getByLabel("Another answer").pressSequentially("a rare one");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or go to" }).fill("Reject");
    await page.getByRole("option", { name: /^Reject…/ }).click();
    await page.getByRole("dialog", { name: "Reject?" }).getByRole("button", { name: "Cancel" }).click();
    // What was written stays while another view is looked at.
    await page.getByRole("tab", { name: "Trace" }).click();
    await page.getByRole("tab", { name: "Review" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await shared().story.ended(id);
    expect((await said(id)).at(-1)).toBe("a rare one");
  });

  test("and is answered with one thumb on a phone, wherever the page is scrolled to", async () => {
    const id = await asking();
    const page = await visit({ path: `/runs/${id}`, viewport: PHONE });
    await seesChange(page);
    const approve = page.getByRole("button", { name: "Approve" });
    const inReach = async () => {
      const { y = 0, height = 0 } = (await approve.boundingBox()) ?? {};
      return y > PHONE.height / 2 && y + height <= PHONE.height;
    };
    expect(await inReach()).toBe(true);
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    await expect.poll(inReach).toBe(true);
    await approve.click();
    await shared().story.ended(id);
    expect((await said(id)).at(-1)).toBe("Approve");
  });
});

test("a failure is told once, with what to do", async () => {
  const { start, story } = shared();
  const id = await start({ prompt: "Refused.", title: "Report of the night" });
  await story.ended(id);
  const page = await visit({ path: `/runs/${id}` });
  await page.getByRole("heading", { name: "The model provider refused the key" }).waitFor();
  await page.getByRole("region", { name: "Last error lines" }).getByText("invalid x-api-key").waitFor();
  expect(await page.getByText("invalid x-api-key").count()).toBe(1);
  await page.getByRole("link", { name: "agent_process_failed" }).waitFor();
  await lookAt(page, "run-failure");
  await page.getByRole("button", { name: "Set ANTHROPIC_API_KEY" }).click();
  const dialog = page.getByRole("dialog", { name: "Set secret" });
  expect(await dialog.getByLabel("Name").inputValue()).toBe("ANTHROPIC_API_KEY");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("dialog", { name: "Run again?" }).waitFor();
});

test("what a run has left is shown as what it is", async () => {
  const { start, story } = shared();
  const id = await start({ title: "Report of the night" });
  await story.ended(id);
  const page = await visit({ path: `/runs/${id}` });
  const result = page.getByRole("region", { name: "Result" });
  await result.getByRole("heading", { name: "Night report" }).waitFor();
  const requests = result.getByRole("list", { name: "Pull requests" });
  await requests.getByText("Mend the cart").waitFor();
  await requests.getByText("State not reported").waitFor();
  const image = result.getByRole("img", { name: "pixel.svg" });
  await expect
    .poll(() => image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(40);
  await result.getByText("build.log", { exact: true }).click();
  await result.getByText("built in 3 s").waitFor();
  await lookAt(page, "run-result");
});
