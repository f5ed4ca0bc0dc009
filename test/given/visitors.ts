import { afterEach, expect } from "vitest";
import { signedIn, type Visitor } from "./browser.ts";

/** The screens that every page is looked at on. */
export const SCREENS = [
  { name: "a desk", viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { name: "a desk in the dark", viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  { name: "a phone", viewport: { width: 390, height: 844 }, colorScheme: "light" },
] as const;

type Browser = Parameters<typeof signedIn>[0];
type Server = Parameters<typeof signedIn>[1];
type Options = Parameters<typeof signedIn>[2];

/** Signs people in to the server of a file of tests, and fails a test in which one of their pages misbehaves. */
export function visitorsTo(shared: () => { browser: Browser; server: Server }) {
  const visitors: Visitor[] = [];
  afterEach(() => {
    expect(visitors.splice(0).flatMap(({ misdeeds }) => misdeeds)).toEqual([]);
  });
  return async (options: Options = {}) => {
    const { browser, server } = shared();
    const visitor = await signedIn(browser, server, options);
    visitors.push(visitor);
    return visitor.page;
  };
}
