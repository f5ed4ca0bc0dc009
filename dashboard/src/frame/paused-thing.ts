import type { Models } from "../api/client.ts";

/** What a pause holds, in the words of a sentence: `the webhook ci of shop`. */
export function pausedThing({ scope, factory, webhook, automation }: Models["Pause"]): string {
  if (scope === "server") return "the server";
  if (scope === "factory") return `the factory ${factory}`;
  return `the ${scope} ${webhook ?? automation} of ${factory}`;
}
