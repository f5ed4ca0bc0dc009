import { type FactoryPullRequest, isReported } from "../../insight/factory-pull-requests.ts";
import { instantIn } from "../../time/instant.ts";
import type { Cursors } from "../http/cursor.ts";
import type { ApiRequest } from "../http/endpoint.ts";
import { cutPage, type Page } from "../http/page.ts";
import { updatedAtOf } from "./pull-request-view.ts";

/** A page of the pull requests that a request asks for, the last reported first. */
export function pageOfPullRequests(
  all: readonly FactoryPullRequest[],
  { operation, path, query }: ApiRequest<"listPullRequests">,
  cursors: Cursors,
): Page<FactoryPullRequest> {
  const { limit, cursor, ...rest } = query;
  const scope = { operation, ...path, ...rest };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const isAsked = filterOf(query);
  const found = all
    .filter((record) => isReported(record) && isAsked(record))
    .map((record) => ({ record, position: positionOf(record) }))
    .filter(({ position }) => after === undefined || position < after)
    .sort((one, other) => (one.position < other.position ? 1 : -1));
  const { items, pageInfo } = cutPage(found.slice(0, limit + 1), limit, ({ position }) =>
    cursors.encode(scope, [position]),
  );
  return { items: items.map(({ record }) => record), pageInfo };
}

/** Does not change while somebody goes through the pages. */
const positionOf = ({ firstSeenAt, key }: FactoryPullRequest) => `${firstSeenAt} ${key}`;

type ListQuery = ApiRequest<"listPullRequests">["query"];

/** What a request asks of a pull request. */
function filterOf(query: ListQuery): (record: FactoryPullRequest) => boolean {
  const { repo, state } = query;
  const wasOpened = within(query.opened_after, query.opened_before);
  const wasMerged = within(query.merged_after, query.merged_before);
  const wasUpdated = within(query.updated_after, undefined);
  return (record) => {
    const { snapshot, repository } = record;
    if (repo !== undefined && repository?.toLowerCase() !== repo.toLowerCase()) return false;
    if (state !== undefined && !(snapshot && state.includes(snapshot.state))) return false;
    return wasOpened(snapshot?.openedAt) && wasMerged(snapshot?.mergedAt) && wasUpdated(updatedAtOf(record));
  };
}

/** Whether an instant lies between two, of which either may be left out; one that is not known lies between none. */
function within(after: string | undefined, before: string | undefined) {
  if (after === undefined && before === undefined) return () => true;
  const from = instantIn(after) ?? Number.NEGATIVE_INFINITY;
  const to = instantIn(before) ?? Number.POSITIVE_INFINITY;
  return (instant: string | null | undefined): boolean => {
    const at = Date.parse(instant ?? "");
    return at >= from && at < to;
  };
}
