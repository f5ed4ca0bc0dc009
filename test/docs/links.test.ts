import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pages, pageText } from "../given/pages.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What a heading is reached by, as GitHub makes it. */
function anchorsOf(markdown: string): Set<string> {
  const headings = withoutCode(markdown).matchAll(/^#+ +(.+?) *$/gm);
  const slugs = [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
  return new Set(slugs);
}

const withoutCode = (markdown: string) => markdown.replaceAll(/^```[\s\S]*?^```$/gm, "");

function linksOf(page: string): string[] {
  const text = withoutCode(pageText(page)).replaceAll(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** Whether a link leads somewhere within the repository; links to elsewhere are nobody's business here. */
function leadsSomewhere(page: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), decodeURI(path));
  if (!existsSync(file)) return false;
  if (anchor === undefined || statSync(file).isDirectory()) return anchor === undefined;
  return anchorsOf(readFileSync(file, "utf8")).has(anchor);
}

test.each(pages())("every link of %s leads somewhere", (page) => {
  expect(linksOf(page).filter((target) => !leadsSomewhere(page, target))).toEqual([]);
});

test("a link to a page or a heading that is not there is found", () => {
  expect(linksOf("README.md").length).toBeGreaterThan(20);
  expect(leadsSomewhere("README.md", "docs/nowhere.md")).toBe(false);
  expect(leadsSomewhere("README.md", "docs/webhooks.md#nowhere")).toBe(false);
  expect(leadsSomewhere("docs/plan.md", "webhooks.md#githubs-events")).toBe(true);
});

test("every page under docs is reached from the README by links", () => {
  const seen = new Set<string>();
  const waiting = ["README.md", "CONTRIBUTING.md"];
  for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
    if (seen.has(page)) continue;
    seen.add(page);
    const here = page;
    const targets = linksOf(here)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => join(dirname(here), target.split("#")[0] ?? ""));
    for (const target of targets) {
      const folder = target.replace(/\/$/, "");
      waiting.push(...pages().filter((other) => other === folder || dirname(other) === folder));
    }
  }
  expect(pages().filter((page) => !seen.has(page))).toEqual([]);
});
