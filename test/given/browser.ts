import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { onFinished } from "./cleanup.ts";
import type { Files } from "./folder.ts";
import { ADMIN_KEY, type Server, waitFor } from "./server.ts";

/** What `scripts/test-tools.cjs` finds or installs. */
const findChromium = () => execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();

/** Shorter than a test may take, so that it tells what it has waited for. */
const PATIENCE_MS = 12_000;

export interface Visitor {
  page: Page;
  /** What no page may do: break its policy, throw, or ask anybody but its own server. */
  misdeeds: string[];
}

/** The one of this process, which starts with the first file of tests that needs it: a start costs more than most pages. */
let started: Promise<Browser> | undefined;

/** A Chromium without a window, which all files of this process share: each visitor has cookies and a cache of their own. */
export async function openBrowser(): Promise<Browser> {
  const browser = await started;
  if (browser?.isConnected()) return browser;
  started = chromium.launch({
    executablePath: findChromium(),
    // Tests may run as root, where Chromium has no sandbox of its own.
    args: ["--no-sandbox"],
    handleSIGTERM: false,
  });
  // The browser and its folder go when the process exits, which a signal alone does not make it do.
  process.once("SIGTERM", () => process.exit());
  return started;
}

/** Somebody with a browser of their own, at the first page of a server. */
export async function visit(
  browser: Browser,
  server: Server,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const visitor = await newVisitor(browser, server, options);
  onFinished(() => visitor.page.context().close());
  return visitor;
}

/** The same, who stays until the browser of the page is closed. */
async function newVisitor(
  browser: Browser,
  server: Server,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  return { page, misdeeds: watch(page, server) };
}

/** What a page does that it may not. */
export function watch(page: Page, server: Server): string[] {
  const misdeeds: string[] = [];
  page.on("pageerror", (error) => misdeeds.push(`threw ${error.message}`));
  page.on("console", (message) => {
    // Chromium writes a line for each answer that refuses, which is for the page to show.
    const isRefusal = /Failed to load resource: the server responded with a status of/.test(message.text());
    if (message.type() === "error" && !isRefusal) misdeeds.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith("blob:"))
      misdeeds.push(`asked ${request.url()}`);
  });
  return misdeeds;
}

/** A visitor who is signed in with a key. */
export async function signedIn(
  browser: Browser,
  server: Server,
  { key, ...options }: BrowserContextOptions & { key?: string } = {},
): Promise<Visitor> {
  const visitor = await visit(browser, server, options);
  await signIn(visitor, server, key);
  return visitor;
}

/** Signs a visitor in with a key. */
async function signIn({ page }: Visitor, server: Server, key = ADMIN_KEY): Promise<void> {
  const answer = await page.request.post("/session", {
    data: { api_key: key },
    headers: { origin: server.url },
  });
  if (!answer.ok()) throw new Error(`signing in was answered ${answer.status()}`);
}

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

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Every page of the documentation, by its path in the repository. */
export function pages(): string[] {
  const ofRoot = readdirSync(ROOT).filter((name) => name.endsWith(".md"));
  return [...ofRoot, ...markdownIn(join(ROOT, "docs"))].sort();
}

export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** The files that a page shows with their paths: what follows a line such as "```yaml webhooks/ci.yaml". */
export function filesShownIn(page: string): Files {
  const blocks = pageText(page).matchAll(/^```\w+ (\S+\.\w+)\n((?:.*\n)*?)```$/gm);
  return Object.fromEntries([...blocks].map(([, path = "", content = ""]) => [path, content]));
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith(".md") ? [relative(ROOT, path)] : [];
  });
}
