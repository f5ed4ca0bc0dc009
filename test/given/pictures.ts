import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { overflow, violations } from "./accessibility.ts";
import { waitFor } from "./server.ts";

/** Pictures of every page are written here when SCREENSHOTS is set, as `npm run screenshots` does. */
const PICTURES = process.env.SCREENSHOTS
  ? fileURLToPath(new URL("../../screenshots", import.meta.url))
  : undefined;

/** A page is accessible in light and dark, and as wide as its window on a phone. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await settled(page);
  expect(await violations(page)).toEqual([]);
  await picture(page, `${name}-light`);
  await page.emulateMedia({ colorScheme: "dark" });
  // All other rules see the same page.
  expect(await violations(page, ["color-contrast"])).toEqual([]);
  await picture(page, `${name}-dark`);
  await onPhone(page, async () => {
    // A menu that is open moves into the window after the window has become narrower.
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    await picture(page, `${name}-phone`);
  });
}

/** Nothing is being loaded any more. */
async function settled(page: Page): Promise<void> {
  const waiting = page.getByRole("status", { name: "Loading" });
  await waitFor(async () => (await waiting.count()) === 0 || undefined);
}

async function onPhone(page: Page, look: () => Promise<void>): Promise<void> {
  const desk = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  try {
    await look();
  } finally {
    if (desk) await page.setViewportSize(desk);
  }
}

/** Names of folders that only this run of the tests has would teach nobody anything. */
const WITHOUT_TEMPORARY_NAMES = `
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    node.data = node.data.replaceAll(/\\S*\\/millrace-(\\w+)-\\w+/g, "/srv/$1");
  }`;

/** Saves a page as a picture, where pictures are wanted. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.evaluate(WITHOUT_TEMPORARY_NAMES);
  await wholePage(page, async () => {
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  });
}

/** What sticks to the foot of the window is at the foot of the page, and everything is in view and drawn. */
async function wholePage(page: Page, look: () => Promise<void>): Promise<void> {
  const size = page.viewportSize();
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  if (size && height > size.height) await page.setViewportSize({ ...size, height });
  try {
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    await look();
  } finally {
    if (size) await page.setViewportSize(size);
  }
}
