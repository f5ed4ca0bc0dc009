import type { PlanReport } from "../definitions/plan-report.ts";
import { listenersOf } from "../definitions/replay.ts";
import { errorMessage, MillraceError } from "../error.ts";
import { SourceError } from "../git/revision.ts";
import { type SentFile, treeOfFiles } from "../git/sent-files.ts";
import { type ReplayParts, replayTraffic } from "../ingress/replay-traffic.ts";
import type { Log } from "../log.ts";
import type { Factories, Factory, PlanSubject } from "../reconcile/factories.ts";
import type { PlannedTree } from "../reconcile/plan-tree.ts";
import type { Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";

export interface PlanParts extends ReplayParts {
  factories: Factories;
  log: Log;
}

/** A plan reads a whole definition and may ask a remote: more of them than this wait outside. */
const MOST_AT_ONCE = 4;

/** What a request may say; the description of the API has checked its shape. */
interface PlanRequest {
  files?: SentFile[];
  ref?: string;
  pull_request?: number;
  traffic?: boolean;
}

export function planEndpoints({ factories, deliveries, now, log }: PlanParts): Endpoints {
  const replay = oneByOne(replayTraffic);
  /** A plan without traffic is better than none. */
  const giveUp = (error: unknown): null => {
    log.warn({ error: errorMessage(error) }, "deliveries could not be replayed for a plan");
    return null;
  };
  let atWork = 0;
  return {
    planFactory: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        const asked: PlanRequest = request.body ?? {};
        if (atWork >= MOST_AT_ONCE) throw tooMany();
        atWork += 1;
        try {
          const planned = await factories.plan(factory.record.uid, subjectOf(asked)).catch(refuseSource);
          const sides = asked.traffic === false ? undefined : sidesOf(factory, planned);
          const traffic = sides ? await replay(sides, { deliveries, now }).catch(giveUp) : null;
          const revision = asked.files ? null : planned.report.revision;
          return { json: { ...planned.report, revision, traffic } satisfies PlanReport };
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

/** Who listens now and who would; nothing when there is nothing to compare. */
function sidesOf({ served }: Factory, { definition, plan }: PlannedTree) {
  if (!served || !definition || !plan) return undefined;
  const uids = new Map(plan.changes.map(({ kind, name, uid }) => [`${kind}/${name}`, uid]));
  const planned = definition.webhooks.map((webhook) => {
    return { uid: uids.get(`webhook/${webhook.name}`), webhook };
  });
  return {
    before: listenersOf(served.definition.automations, served.webhooks),
    after: listenersOf(definition.automations, planned),
  };
}

/** Replaying keeps a processor busy, and the ingress needs the others: one goes on at a time. */
function oneByOne<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) {
  let last: Promise<unknown> = Promise.resolve();
  return (...args: Args): Promise<Result> => {
    const result = last.then(() => work(...args));
    last = result.catch(() => {});
    return result;
  };
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
