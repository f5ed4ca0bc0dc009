import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pages, pageText } from "../given/browser.ts";

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

test("a link to a missing page or heading is found", () => {
  expect(linksOf("README.md").length).toBeGreaterThan(20);
  expect(leadsSomewhere("README.md", "docs/nowhere.md")).toBe(false);
  expect(leadsSomewhere("README.md", "docs/webhooks.md#nowhere")).toBe(false);
  expect(leadsSomewhere("docs/plan.md", "webhooks.md#github-events")).toBe(true);
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

test("the index of the documentation lists every page once", () => {
  const listed = linksOf("docs/README.md").map((target) => join("docs", target.split("#")[0] ?? ""));
  const isListed = (page: string) =>
    page.startsWith("docs/") &&
    page !== "docs/README.md" &&
    // These folders have an index of their own.
    !/^docs\/(decisions\/\d|errors\/)/.test(page);
  expect(listed.filter((page) => page.startsWith("docs/") && page.endsWith(".md")).sort()).toEqual(
    pages().filter(isListed).sort(),
  );
});

test("the index of the decisions lists every record, each with its date, status and alternatives", () => {
  const records = pages().filter((page) => /^docs\/decisions\/\d/.test(page));
  expect(linksOf("docs/decisions/README.md").map((target) => join("docs/decisions", target))).toEqual(
    records,
  );
  for (const record of records) {
    expect(pageText(record)).toMatch(/^# \d{3}\. .+\n\n- \*\*Date:\*\* \d{4}-\d\d-\d\d\n- \*\*Status:\*\* /);
    expect(pageText(record)).toContain("\n## Alternatives considered\n");
  }
});

test("the README has at most 140 lines", () => {
  expect(pageText("README.md").split("\n").length).toBeLessThanOrEqual(141);
});

test("every stored picture is shown by a page, and all together have at most 3 MB", () => {
  const stored = readdirSync(join(ROOT, "docs/pictures")).map((name) => join("docs/pictures", name));
  const shown = pages().flatMap((page) => linksOf(page).map((target) => join(dirname(page), target)));
  expect(stored.filter((picture) => !shown.includes(picture))).toEqual([]);
  const sizes = stored.map((picture) => statSync(join(ROOT, picture)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3_000_000);
});

test("every file that the map of the code says to read first is there", () => {
  const [, map = ""] = pageText("CONTRIBUTING.md").split("## The map");
  const named = [...(map.split("## Code style")[0] ?? "").matchAll(/`([\w/-]+\.ts)`/g)].map(
    ([, file = ""]) => file,
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(join(ROOT, "src", file)))).toEqual([]);
});
