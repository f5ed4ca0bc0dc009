import { execFileSync } from "node:child_process";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onFinished } from "./cleanup.ts";
import { ADMIN_KEY, type Server } from "./server.ts";

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
export async function newVisitor(
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
export async function signIn({ page }: Visitor, server: Server, key = ADMIN_KEY): Promise<void> {
  const answer = await page.request.post("/session", {
    data: { api_key: key },
    headers: { origin: server.url },
  });
  if (!answer.ok()) throw new Error(`signing in was answered ${answer.status()}`);
}
