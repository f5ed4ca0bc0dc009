import { isUtf8 } from "node:buffer";
import type { Models } from "../../client/typed-paths.ts";
import type { CommitSignal } from "../../concurrency/rounds.ts";
import { MillraceError } from "../../errors/error.ts";
import type { CommitStanding } from "../../reconcile/commit-standing.ts";
import type { FactoryStore, RevisionRecord } from "../../reconcile/factory.ts";
import type { DefinitionFile, Drift } from "../../reconcile/past-tree.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { longPoll } from "../http/long-poll.ts";
import { cutPage } from "../http/page.ts";
import { type FactoryDeps, factoryView, findFactory } from "./factories.ts";

export interface RevisionDeps extends FactoryDeps {
  revisions: Pick<FactoryStore, "listRevisions">;
  commits: CommitSignal;
}

export function revisionEndpoints(deps: RevisionDeps) {
  const { factories, cursors, revisions, commits } = deps;
  return {
    listRevisions: {
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
      async handle(request) {
        const { uid } = findFactory(request, factories).record;
        const commit = commitOf(request.path);
        const look = () => factories.get(uid).commitStanding(commit);
        const standing = await longPoll(request, commits, look, ({ state }) => state === "pending");
        return { json: standingView(standing) };
      },
    },
    suspendFactory: {
      async handle(request) {
        const factory = findFactory(request, factories);
        await factory.suspend();
        return { json: await factoryView(factory, deps) };
      },
    },
    resumeFactory: {
      async handle(request) {
        const factory = findFactory(request, factories);
        await factory.resume({ principal: keyOf(request).principal });
        return { json: await factoryView(factory, deps) };
      },
    },
    rollBackFactory: {
      async handle(request) {
        const factory = findFactory(request, factories);
        await factory.rollback(request.body.revision.toLowerCase(), { principal: keyOf(request).principal });
        return { json: await factoryView(factory, deps) };
      },
    },
  } satisfies Endpoints;
}

function commitOf({ commit }: { commit: string }): string {
  if (/^[0-9a-f]{7,64}$/i.test(commit)) return commit.toLowerCase();
  throw new MillraceError("invalid_request", "commit: expected a commit hash.", {
    remedy: "Specify the full hash, or at least its first 7 characters.",
    extra: { field: "commit" },
  });
}

function revisionView(record: RevisionRecord, { record: { sync } }: Factory): Models["Revision"] {
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

function standingView({ commit, state, attemptedRevision, appliedRevision, problems }: CommitStanding) {
  return {
    commit,
    state,
    attempted_revision: attemptedRevision,
    applied_revision: appliedRevision,
    problems,
  };
}

/** What is stored of a definition: held against its revision, and given out as files. */
export function definitionStateEndpoints({ factories }: Pick<FactoryDeps, "factories">) {
  return {
    getDrift: {
      handle: async (request) => ({ json: driftView(await findFactory(request, factories).drift()) }),
    },
    exportFactory: {
      async handle(request) {
        const { revision, files } = await findFactory(request, factories).files(request.query.revision);
        return { json: { revision, files: files.map(fileView) } };
      },
    },
  } satisfies Endpoints;
}

function driftView({ revision, changes, withoutCredential }: Drift) {
  return {
    revision,
    in_sync: changes.length === 0 && withoutCredential.length === 0,
    changes: changes.map(({ action, kind, name, fields }) => ({ action, kind, name, fields })),
    without_credential: withoutCredential,
  };
}

function fileView({ path, bytes }: DefinitionFile): Models["ExportedFile"] {
  return isUtf8(bytes)
    ? { path, encoding: "utf-8", content: bytes.toString() }
    : { path, encoding: "base64", content: bytes.toString("base64") };
}
