import { storable } from "../storable-text.ts";
import { DAY_MS } from "../time/duration.ts";
import type { ForgeProvider, PullRequestEvent } from "./pull-request.ts";
import { readGithubEvent } from "./read-github-event.ts";
import { readGitlabEvent } from "./read-gitlab-event.ts";

/** A clock may be wrong by less. A state from the far future would never be replaced by a real one. */
const MAX_AHEAD_MS = DAY_MS;

interface ForgeDelivery {
  /** Whose signature it has; nothing for deliveries of others, whatever they look like. */
  forge: ForgeProvider | undefined;
  /** The name of the event, from the provider's header. */
  event: string | null;
  payload: unknown;
}

/** What an authenticated delivery says about a pull request. */
export function readPullRequestEvent(
  { forge, event, payload }: ForgeDelivery,
  now: Date,
): PullRequestEvent | null {
  if (forge === undefined) return null;
  const found = forge === "github" ? readGithubEvent(event, payload) : readGitlabEvent(payload);
  if (!found || Date.parse(found.snapshot.updatedAt) > now.getTime() + MAX_AHEAD_MS) return null;
  return storable(found);
}
