import type { PlanReport } from "../definitions/plan-report.ts";
import { MillraceError } from "../error.ts";
import { SourceError } from "../git/revision.ts";
import { type SentFile, treeOfFiles } from "../git/sent-files.ts";
import type { Factories, PlanSubject } from "../reconcile/factories.ts";
import type { Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";

export interface PlanParts {
  factories: Factories;
}

/** A plan reads a whole definition and may ask a remote: more of them than this wait outside. */
const MOST_AT_ONCE = 4;

/** What a request may say; the description of the API has checked its shape. */
interface PlanRequest {
  files?: SentFile[];
  ref?: string;
  pull_request?: number;
}

export function planEndpoints({ factories }: PlanParts): Endpoints {
  let atWork = 0;
  return {
    planFactory: {
      role: "viewer",
      async handle(request) {
        const { uid } = findFactory(request, factories).record;
        const asked: PlanRequest = request.body ?? {};
        if (atWork >= MOST_AT_ONCE) throw tooMany();
        atWork += 1;
        try {
          const { report } = await factories.plan(uid, subjectOf(asked)).catch(refuseSource);
          return { json: asked.files ? { ...report, revision: null } : (report satisfies PlanReport) };
        } finally {
          atWork -= 1;
        }
      },
    },
  };
}

function subjectOf({ files, ref, pull_request }: PlanRequest): PlanSubject {
  if (files) return { tree: treeOfFiles(files) };
  if (ref !== undefined) return { reference: { ref } };
  if (pull_request !== undefined) return { reference: { pullRequest: pull_request } };
  return "latest";
}

function tooMany(): MillraceError {
  return new MillraceError("rate_limited", `The server makes ${MOST_AT_ONCE} plans already.`, {
    remedy: "Ask again in a moment.",
    retryAfter: 2,
  });
}

/** A source that cannot be read is no fault of the request, unless it names something that is not there. */
function refuseSource(error: unknown): never {
  if (!(error instanceof SourceError)) throw error;
  const missing = error.code === "GIT_REF_MISSING" || error.code === "GIT_PATH_MISSING";
  throw new MillraceError(missing ? "resource_not_found" : "service_unavailable", error.message, {
    cause: error,
  });
}
