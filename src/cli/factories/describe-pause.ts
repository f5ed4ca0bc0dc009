import type { Models } from "../../client/client.ts";
import { ago } from "../output.ts";

/** What a pause holds, as a command names it: `webhook "ci" of factory "shop"`. */
export function pausedThing({ scope, factory, webhook, automation }: Models["Pause"]): string {
  if (scope === "server") return "the server";
  if (scope === "factory") return `factory "${factory}"`;
  return `${scope} "${webhook ?? automation}" of factory "${factory}"`;
}

/** `Paused: the server, 5m ago by ada (deploying)`. */
export function describePause(pause: Models["Pause"]): string {
  const { reason, created_at, created_by } = pause;
  const by = created_by.display_name ? ` by ${created_by.display_name}` : "";
  return `Paused: ${pausedThing(pause)}, ${ago(created_at)}${by}${reason === null ? "" : ` (${reason})`}`;
}
