import type { EventProviderName } from "../definitions/definition.ts";
import { storable } from "../platform/storable-text.ts";
import { DAY_MS } from "../time/duration.ts";
import type { PullRequestEvent } from "./pull-request.ts";
import { readGithubEvent } from "./read-github-pull-request.ts";
import { readGitlabEvent } from "./read-gitlab-pull-request.ts";

/** A clock may be wrong by less. A state from the far future would never be replaced by a real one. */
const MAX_AHEAD_MS = DAY_MS;

interface SignedDelivery {
  /** Whose signature it has: a delivery without that of a forge says nothing, whatever it looks like. */
  provider: EventProviderName | undefined;
  /** The name of the event, from the provider's header. */
  event: string | null;
  payload: unknown;
}

/** What an authenticated delivery says about a pull request. */
export function readPullRequestEvent(
  { provider, event, payload }: SignedDelivery,
  now: Date,
): PullRequestEvent | null {
  const found =
    provider === "github"
      ? readGithubEvent(event, payload)
      : provider === "gitlab"
        ? readGitlabEvent(payload)
        : null;
  if (!found || Date.parse(found.snapshot.updatedAt) > now.getTime() + MAX_AHEAD_MS) return null;
  return storable(found);
}
