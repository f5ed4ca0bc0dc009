import { type FactoryPullRequest, isReported } from "../../factory-metrics/factory-pull-requests.ts";
import type { Cursors } from "../http/cursor.ts";
import type { ApiRequest } from "../http/endpoint.ts";
import { cutPage, type Page } from "../http/page.ts";
import { instantIn } from "./asked-frame.ts";
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
  const found = all
    .filter((record) => isReported(record) && isAsked(record, query))
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

function isAsked(record: FactoryPullRequest, query: ApiRequest<"listPullRequests">["query"]): boolean {
  const { repo, state } = query;
  const { snapshot, repository } = record;
  if (repo !== undefined && repository?.toLowerCase() !== repo.toLowerCase()) return false;
  if (state !== undefined && !(snapshot && state.includes(snapshot.state))) return false;
  return (
    isWithin(snapshot?.openedAt, query.opened_after, query.opened_before) &&
    isWithin(snapshot?.mergedAt, query.merged_after, query.merged_before) &&
    isWithin(updatedAtOf(record), query.updated_after, undefined)
  );
}

function isWithin(
  instant: string | null | undefined,
  after: string | undefined,
  before: string | undefined,
): boolean {
  const [from, to] = [instantIn(after), instantIn(before)];
  if (from === undefined && to === undefined) return true;
  if (instant == null) return false;
  const at = Date.parse(instant);
  return at >= (from ?? Number.NEGATIVE_INFINITY) && at < (to ?? Number.POSITIVE_INFINITY);
}
