import type { PlanReport } from "../definitions/plan-report.ts";
import { type ErrorCode, MillraceError } from "../error.ts";
import { editTree } from "../git/edit-tree.ts";
import { type Revision, SourceError, type Tree } from "../git/revision.ts";
import { type SentFile, treeOfFiles } from "../git/sent-files.ts";
import type { Planner } from "../ingress/planner.ts";
import { changeFiles } from "../reconcile/edits/change-file.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import type { PlanSubject } from "../reconcile/plan-subject.ts";
import { reachesFactory } from "./authorize.ts";
import { type Endpoints, keyOf } from "./endpoint.ts";
import { findFactory } from "./factories.ts";

export interface PlanParts {
  factories: Factories;
  planner: Planner;
}

/** A plan reads a whole definition and may ask a remote: more of them than this wait outside. */
const MOST_AT_ONCE = 4;

/** It is no commit yet. */
const UNSAVED: Revision = { id: "", author: undefined, message: undefined };

/** What a request may say; the description of the API has checked its shape. */
interface PlanRequest {
  files?: SentFile[];
  changes?: { path: string; content: string | null }[];
  ref?: string;
  pull_request?: number;
  traffic?: boolean;
}

export function planEndpoints({ factories, planner }: PlanParts): Endpoints {
  let atWork = 0;
  return {
    planFactory: {
      role: "viewer",
      onlyReads: true,
      async handle(request) {
        const factory = findFactory(request, factories);
        const asked: PlanRequest = request.body ?? {};
        if (atWork >= MOST_AT_ONCE) throw tooMany();
        atWork += 1;
        try {
          const subject = asked.changes
            ? { tree: await changed(asked.changes, factory, factories) }
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
  };
}

function subjectOf({ files, ref, pull_request }: PlanRequest, { record }: Factory): PlanSubject {
  // What millrace keeps may hold nothing.
  if (files)
    return { tree: { ...treeOfFiles(files), ...(record.mode === "managed" ? { mayBeEmpty: true } : {}) } };
  if (ref !== undefined) return { reference: { ref } };
  if (pull_request !== undefined) return { reference: { pullRequest: pull_request } };
  return "latest";
}

/** What is in force, with files that somebody is about to save. @throws MillraceError that saving them would answer with too */
async function changed(
  changes: NonNullable<PlanRequest["changes"]>,
  { record }: Factory,
  factories: Factories,
): Promise<Tree> {
  const tree = await factories.inForce(record.uid);
  const meant = changes.map(({ path, content }) => {
    return { path, content: content === null ? null : Buffer.from(content), check: () => {} };
  });
  const edits = changeFiles(meant, undefined, { tree, factory: record });
  return editTree(tree, edits?.files ?? [], UNSAVED);
}

/** Of what a key does not reach, a plan would show what it holds. */
function notReached(name: string): MillraceError {
  const message = `This would go on with the factory "${name}", which the key does not reach.`;
  return new MillraceError("not_authorized", message, {
    remedy: "Give the definition another name, or use a key that reaches both factories.",
  });
}

function tooMany(): MillraceError {
  return new MillraceError("rate_limited", `The server makes ${MOST_AT_ONCE} plans already.`, {
    remedy: "Ask again in a moment.",
    retryAfter: 2,
  });
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
