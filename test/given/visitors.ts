import type { Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { newVisitor, openBrowser, signIn, type Visitor } from "./browser.ts";
import type { Server } from "./server.ts";

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** The screens that every page is looked at on. */
export const SCREENS = [
  { name: "a desk", viewport: DESK, colorScheme: "light" },
  { name: "a desk in the dark", viewport: DESK, colorScheme: "dark" },
  { name: "a phone", viewport: PHONE, colorScheme: "light" },
] as const;

export interface Visit {
  /** Where the page goes. */
  path?: string;
  viewport?: { width: number; height: number };
  key?: string;
  /** Whether no other test has this page: what is set on its browser cannot be taken back. */
  isOwn?: boolean;
  /** Whether it is touched; it is its own then, too. */
  hasTouch?: boolean;
}

/**
 * Pages of a server for the tests of a file, which are signed in. A test fails in which one of them misbehaves. They are used again by
 * the next tests, since a new one takes three times as long, and begin without what the page has stored before.
 */
export function visitorsTo(shared: () => { server: Server }) {
  const resting = new Map<string, Visitor>();
  const busy: { visitor: Visitor; key: string; isOwn: boolean }[] = [];
  afterEach(async ({ task }) => {
    const ended = busy.splice(0);
    for (const { visitor, key, isOwn } of ended) {
      const isUsable = task.result?.state !== "fail" && !isOwn && !resting.has(key);
      if (isUsable && (await isReset(visitor.page))) resting.set(key, visitor);
      else await visitor.page.context().close();
    }
    expect(ended.flatMap(({ visitor }) => visitor.misdeeds.splice(0))).toEqual([]);
  });
  afterAll(async () => {
    for (const { page } of resting.values()) await page.context().close();
  });
  const visit = async ({
    path,
    viewport = DESK,
    key = "",
    hasTouch = false,
    isOwn = hasTouch,
  }: Visit = {}): Promise<Page> => {
    const { server } = shared();
    const rested = isOwn ? undefined : resting.get(key);
    if (rested) resting.delete(key);
    const visitor = rested ?? (await newVisitor(await openBrowser(), server, { hasTouch }));
    busy.push({ visitor, key, isOwn });
    const { page } = visitor;
    await page.setViewportSize(viewport);
    if (page.url() === "about:blank") await signIn(visitor, server, key || undefined);
    if (path !== undefined) await page.goto(path);
    return page;
  };
  /** What the pages of a test have done so far that they may not, for a test that expects it. */
  const misdeeds = () => busy.flatMap(({ visitor }) => visitor.misdeeds.splice(0));
  return Object.assign(visit, { misdeeds });
}

/** Takes back what a test has done to a page. @returns whether that was possible */
async function isReset(page: Page): Promise<boolean> {
  if (page.isClosed() || page.url() === "about:blank") return false;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate("localStorage.clear(); sessionStorage.clear();");
  return true;
}
