import { type ErrorCode, MillraceError } from "../../errors/error.ts";
import { editTree } from "../../git/managed/write-commit.ts";
import { type Revision, SourceError, type Tree } from "../../git/revision.ts";
import { treeOfFiles } from "../../git/sent-files.ts";
import type { PlanReport } from "../../plans/plan-report.ts";
import type { Planner, PlanSubject } from "../../plans/planner.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { changeFiles } from "../../reconcile/managed-edits/change-file.ts";
import type { Factory, RunningFactory } from "../../reconcile/running-factory.ts";
import { type BodyOf, type Endpoints, keyOf } from "../http/endpoint.ts";
import { findFactory } from "./factories.ts";

export interface PlanDeps {
  factories: Factories;
  planner: Planner;
}

/** A plan reads a whole definition and may ask a remote: more of them than this wait outside. */
const MAX_AT_ONCE = 4;

/** It is no commit yet. */
const UNSAVED: Revision = { id: "", author: undefined, message: undefined };

type PlanRequest = NonNullable<BodyOf<"planFactory">>;

export function planEndpoints({ factories, planner }: PlanDeps) {
  let atWork = 0;
  return {
    planFactory: {
      onlyReads: true,
      async handle(request) {
        const factory = findFactory(request, factories);
        const asked: PlanRequest = request.body ?? {};
        if (atWork >= MAX_AT_ONCE) throw tooMany();
        atWork += 1;
        try {
          const subject = asked.changes
            ? { tree: await changed(asked.changes, factory) }
            : subjectOf(asked, factory);
          const options = { traffic: asked.traffic !== false };
          const { report, former } = await planner.plan(factory, subject, options).catch(refuseSource);
          if (former !== undefined && !reachesFactory(keyOf(request), former))
            throw notReached(report.factory);
          const revision = asked.files || asked.changes ? null : report.revision;
          return { json: { ...report, revision } satisfies PlanReport };
        } finally {
          atWork -= 1;
        }
      },
    },
  } satisfies Endpoints;
}

function subjectOf({ files, ref, pull_request, revision }: PlanRequest, { record }: Factory): PlanSubject {
  // What millrace keeps may hold nothing.
  if (files)
    return { tree: { ...treeOfFiles(files), ...(record.mode === "managed" ? { mayBeEmpty: true } : {}) } };
  if (ref !== undefined) return { reference: { ref } };
  if (pull_request !== undefined) return { reference: { pullRequest: pull_request } };
  if (revision !== undefined) return { rollbackTo: revision.toLowerCase() };
  return "latest";
}

/** What is in force, with files that somebody is about to save. @throws MillraceError that saving them would answer with too */
async function changed(changes: NonNullable<PlanRequest["changes"]>, factory: RunningFactory): Promise<Tree> {
  const tree = await factory.activeTree();
  const meant = changes.map(({ path, content }) => {
    return { path, content: content === null ? null : Buffer.from(content), check: () => {} };
  });
  const edits = changeFiles(meant, undefined, { tree, factory: factory.record });
  return editTree(tree, edits?.files ?? [], UNSAVED);
}

/** Of what a key does not reach, a plan would show what it holds. */
function notReached(name: string): MillraceError {
  const message = `This definition would take over the factory "${name}", which the API key cannot access.`;
  return new MillraceError("not_authorized", message, {
    remedy: "Give the definition another name, or use a key that can access both factories.",
  });
}

function tooMany(): MillraceError {
  return new MillraceError(
    "rate_limited",
    `The server is already computing ${MAX_AT_ONCE} plans, which is the limit.`,
    {
      remedy: "Try again in a moment.",
      retryAfter: 2,
    },
  );
}

/** What the request is told where it is no fault of the source that there is nothing to plan. */
const REFUSALS: Partial<Record<SourceError["code"], ErrorCode>> = {
  GIT_REF_MISSING: "resource_not_found",
  GIT_PATH_MISSING: "resource_not_found",
  GIT_CONFLICT: "conflict",
};

function refuseSource(error: unknown): never {
  if (!(error instanceof SourceError)) throw error;
  const code = REFUSALS[error.code] ?? "service_unavailable";
  throw new MillraceError(code, error.message, {
    cause: error,
    ...(code === "conflict" ? { retryable: false } : {}),
  });
}
