import type { CommitSignal } from "../../concurrency/rounds.ts";
import { whenLeft } from "../../edge/when-left.ts";
import { parseDuration } from "../../time/duration.ts";
import { lapsed } from "./authorize.ts";
import type { ApiRequest } from "./endpoint.ts";

const MAX_WAIT_MS = 60_000;
/** What is looked at may follow the commit that tells of it by a moment. */
const LOOK_EVERY_MS = 1_000;

/**
 * Looks at something until it is as it will stay, the `wait` of the request is over, or its sender has gone.
 * @throws MillraceError `authentication_required` when the key goes out of force meanwhile
 */
export async function longPoll<Seen>(
  { query, http, caller }: Pick<ApiRequest, "http" | "caller"> & { query: { wait?: string } },
  commits: CommitSignal,
  look: () => Promise<Seen>,
  isOpen: (seen: Seen) => boolean,
): Promise<Seen> {
  const gone = new AbortController();
  whenLeft(http.request, http.response, () => gone.abort());
  const wait = Math.min(parseDuration(query.wait ?? "", ["ms", "s", "m"]) ?? 0, MAX_WAIT_MS);
  const until = performance.now() + wait;
  let seen = await look();
  for (let left = wait; isOpen(seen) && left > 0; left = until - performance.now()) {
    await commits.next(Math.min(left, LOOK_EVERY_MS), gone.signal);
    if (gone.signal.aborted) break;
    if (!(await http.isAdmitted())) throw lapsed(caller);
    seen = await look();
  }
  return seen;
}
