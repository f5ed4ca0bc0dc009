import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { hasNoBarrier, PHONE, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";

/** Leaves the patch that its prompt asks for. */
const AGENT = `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  const file = (name, lines) =>
    "diff --git a/" + name + " b/" + name + "\\nindex 1..2 100644\\n--- a/" + name + "\\n+++ b/" + name + "\\n@@ -1," + lines + " +1," + lines + " @@\\n"
    + Array.from({ length: lines }, (_, at) => "-const before = total(" + at + ");\\n+const after = total(" + at + ");\\n").join("");
  mkdirSync("artifacts");
  writeFileSync("artifacts/change.patch", prompt.includes("Long.") ? file("src/long.ts", 5000)
    : file("src/one.ts", 2) + file("src/<b>two</b>.ts", 1)
      + "diff --git a/logo.png b/logo.png\\nBinary files a/logo.png and b/logo.png differ\\n"
      + "diff --git a/x b/x\\n--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-if (isAdmin) {\\n+if (isAdmin\\u202e) {\\n+\\u001b[31m<script>\\n"
      + file("src/huge.ts", 10_001));
`;

const shared = sharedByFile(() => serverWithAgent(AGENT));
const visit = visitorsTo(shared);

async function patchOf(prompt: string, size = {}) {
  const { start, story } = shared();
  const id = await start({ prompt });
  await story.ended(id);
  const page = await visit({ path: `/runs/${id}`, ...size });
  await page.getByRole("heading", { name: /changed$/ }).waitFor();
  return page;
}

describe("a patch that a run has left is shown by file", () => {
  test("with what is binary, huge or no patch by its name, and nothing of it as a part of the page", async () => {
    const page = await patchOf("Several.");
    await page.getByRole("heading", { name: "5 files changed" }).waitFor();
    await page.getByText("A binary file, which is not shown.").waitFor();
    await page.getByText("not readable as a patch").waitFor();
    await page.getByText("U+202E").waitFor();
    await page.getByText("U+001B").waitFor();
    await page.getByText("<script>").waitFor();
    await page.getByText("Too large to be shown: 20,007 lines. Download it.").waitFor();
    await page.getByRole("button", { name: "src/<b>two</b>.ts" }).waitFor();
    expect(await page.locator("mark").allInnerTexts()).toEqual([
      "before",
      "after",
      "before",
      "after",
      "before",
      "after",
    ]);
    await hasNoBarrier(page, { isDarkToo: true });
  });

  test("and folded once it was seen, which the browser remembers", async () => {
    const page = await patchOf("Several.");
    await page.getByRole("checkbox", { name: "Seen: src/one.ts" }).check();
    await page.getByText("1 of 5 seen").waitFor();
    const one = page.getByRole("button", { name: "src/one.ts" });
    expect(await one.getAttribute("aria-expanded")).toBe("false");
    await page.reload();
    await page.getByText("1 of 5 seen").waitFor();
    await one.click();
    expect(await one.getAttribute("aria-expanded")).toBe("true");
  });

  test("side by side, and as one column on a phone", async () => {
    const page = await patchOf("Several.");
    await page.getByRole("button", { name: "Split" }).click();
    const removed = page.getByText("const before = total(0);").first();
    const added = page.getByText("const after = total(0);").first();
    await added.waitFor();
    expect((await removed.boundingBox())?.y).toBe((await added.boundingBox())?.y);
    await hasNoBarrier(page);
    await page.setViewportSize(PHONE);
    await page.getByRole("button", { name: "Split" }).waitFor({ state: "detached" });
    await hasNoBarrier(page);
  });

  test("with no more lines in the page than are in view, of 10,000 too", async () => {
    const page = await patchOf("Long.");
    await page.getByText("const before = total(0);").waitFor();
    const lines = page.locator("code", { hasText: "total(" });
    expect(await lines.count()).toBeLessThan(120);
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    await page.getByText("const after = total(4999);").waitFor();
    expect(await lines.count()).toBeLessThan(120);
  });
});
