import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The elements of a page that break a rule of axe. @param rules the only ones to check, else all */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return axe.run(only ? { runOnly: { type: "rule", values: only } } : {});
  }, rules);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
}

/** How many pixels of a page have to be scrolled to sideways, or are cut off at the frame of a table. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(`Math.max(...[document.documentElement, ...document.querySelectorAll("div:not(.visually-hidden):has(> table)")]
    .map((each) => each.scrollWidth - each.clientWidth))`);
}

/** A page breaks no rule, and is as wide as its window. */
export async function hasNoBarrier(page: Page, { isDarkToo = false } = {}): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  if (!isDarkToo) return;
  await page.emulateMedia({ colorScheme: "dark" });
  // All other rules see the same page.
  expect(await violations(page, ["color-contrast"])).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}
