import type { RunSource } from "../runs/run-source.ts";

/** Where a provider without a header for it names the event in its payload. */
const PATHS: Partial<Record<RunSource, readonly string[]>> = {
  GITLAB_WEBHOOK: ["object_kind"],
  JIRA: ["webhookEvent"],
  LINEAR: ["type"],
  SLACK: ["event", "type"],
};

/** Headers are not signed: what is no plain name could be a sentence that an agent takes for an order. */
const NAME = /^[\w:.-]{1,64}$/;

/**
 * What the sender of a delivery calls the event that it tells of: the value of its header, such as `X-GitHub-Event`, or what
 * its payload says.
 * @returns nothing when it says none, or what cannot be a name
 */
export function eventName(
  { event, payload }: { event: string | null; payload: unknown },
  source: RunSource,
): string | undefined {
  const name = event ?? PATHS[source]?.reduce<unknown>(member, payload);
  return typeof name === "string" && NAME.test(name) ? name : undefined;
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
