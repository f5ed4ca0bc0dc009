import { MillraceError } from "../error.ts";
import type { Factory } from "../reconcile/factories.ts";
import type { FactoryStore, RevisionRecord } from "../reconcile/factory.ts";
import type { Standing } from "../reconcile/standing.ts";
import type { CommitSignal } from "./commit-signal.ts";
import { type ApiRequest, type Endpoints, keyOf } from "./endpoint.ts";
import { type FactoryParts, factoryView, findFactory } from "./factories.ts";
import { longPoll } from "./long-poll.ts";
import { cutPage } from "./page.ts";

export interface RevisionParts extends FactoryParts {
  revisions: Pick<FactoryStore, "listRevisions">;
  commits: CommitSignal;
}

export function revisionEndpoints({
  factories,
  cursors,
  revisions,
  commits,
  feedback,
}: RevisionParts): Endpoints {
  const uidOf = (request: ApiRequest) => findFactory(request, factories).record.uid;
  return {
    listRevisions: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { limit, cursor } = request.query;
        const scope = { revisions: factory.record.uid };
        const [before] = cursor ? cursors.decode(scope, cursor, 1) : [];
        const page = { limit: limit + 1, ...(before ? { before } : {}) };
        const found = await revisions.listRevisions(factory.record.uid, page);
        const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(scope, [last.id]));
        return { json: { revisions: items.map((item) => revisionView(item, factory)), page_info: pageInfo } };
      },
    },
    getCommitStanding: {
      role: "viewer",
      async handle(request) {
        const uid = uidOf(request);
        const commit = commitOf(request);
        const look = () => factories.standing(uid, commit);
        const standing = await longPoll(request, commits, look, ({ state }) => state === "pending");
        return { json: standingView(standing) };
      },
    },
    suspendFactory: {
      role: "operator",
      handle: async (request) => ({ json: factoryView(await factories.suspend(uidOf(request)), feedback) }),
    },
    resumeFactory: {
      role: "operator",
      async handle(request) {
        const { principal } = keyOf(request);
        return { json: factoryView(await factories.resume(uidOf(request), { principal }), feedback) };
      },
    },
    rollBackFactory: {
      role: "operator",
      async handle(request) {
        const { principal } = keyOf(request);
        const revision = String(request.body.revision).toLowerCase();
        const factory = await factories.rollback(uidOf(request), revision, { principal });
        return { json: factoryView(factory, feedback) };
      },
    },
  };
}

function commitOf({ path }: ApiRequest): string {
  const { commit = "" } = path;
  if (/^[0-9a-f]{7,64}$/i.test(commit)) return commit.toLowerCase();
  throw new MillraceError("invalid_request", "commit: expected the hash of a commit.", {
    remedy: "Give the whole hash, or at least its first 7 characters.",
    extra: { field: "commit" },
  });
}

function revisionView(record: RevisionRecord, { record: { sync } }: Factory) {
  const { id, revision, author, message, outcome, changes, problems, reason, principal, at } = record;
  return {
    id,
    revision,
    author,
    message,
    outcome,
    changes,
    problems,
    asked_by: {
      reason,
      principal: principal && {
        uid: principal.uid,
        type: principal.type,
        display_name: principal.displayName,
      },
    },
    is_in_force: outcome === "applied" && revision === sync.appliedRevision,
    at,
  };
}

function standingView({ commit, state, attemptedRevision, appliedRevision, problems }: Standing) {
  return {
    commit,
    state,
    attempted_revision: attemptedRevision,
    applied_revision: appliedRevision,
    problems,
  };
}
