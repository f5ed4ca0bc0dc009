import { createRequire } from "node:module";

/** A delivery as GitHub sends it: the header and the parsed body. */
export interface GithubExample {
  event: string;
  payload: Record<string, unknown>;
}

/** Recorded deliveries of GitHub, as its own client library publishes them. */
export const GITHUB_EXAMPLES: readonly GithubExample[] = (
  createRequire(import.meta.url)("@octokit/webhooks-examples/api.github.com/index.json") as {
    name: string;
    examples: Record<string, unknown>[];
  }[]
).flatMap(({ name, examples }) => examples.map((payload) => ({ event: name, payload })));

/** The first recorded delivery of an event and an action, with changes to parts of its body. */
export function githubExample(
  event: string,
  action?: string,
  changes: Record<string, unknown> = {},
): GithubExample {
  const found = GITHUB_EXAMPLES.find(
    ({ event: name, payload }) => name === event && (action === undefined || payload.action === action),
  );
  if (!found) throw new Error(`GitHub has no example of ${event} ${action}`);
  return { event, payload: merged(found.payload, changes) as GithubExample["payload"] };
}

function merged(value: unknown, changes: unknown): unknown {
  if (typeof changes !== "object" || changes === null || Array.isArray(changes)) return changes;
  const base = typeof value === "object" && value !== null ? value : {};
  const entries = Object.entries(changes).map(([key, change]) => [
    key,
    merged((base as Record<string, unknown>)[key], change),
  ]);
  return { ...base, ...Object.fromEntries(entries) };
}
