import type { StoredResource } from "../definitions/changes/plan.ts";
import type { PlanWarning } from "../definitions/changes/plan-warning.ts";
import {
  ALLOW_DELETES_TRAILER,
  deletedWebhooks,
  stricterGuard,
  suspectDeletions,
  TRAFFIC_DAYS,
} from "../definitions/changes/prune-guard.ts";
import type { Factory } from "../definitions/definition.ts";
import type { Loaded } from "../definitions/loading/loaded.ts";
import { FILE_START, type Problem, WHOLE_TREE } from "../definitions/problem.ts";
import type { Tree } from "../git/revision.ts";
import { DAY_MS } from "../time/duration.ts";
import type { Draft } from "./prepare.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";

/** What the prune guard says of a candidate, to whoever plans it and to whoever applies it. */
export interface Guarded {
  warnings: PlanWarning[];
  problems: Problem[];
}

/** Looks at what a candidate deletes. Under `block` that is an error, until somebody has said that it is meant. */
export async function guardDeletions(
  { definition, stored, changes }: Draft,
  tree: Tree,
  loaded: Pick<Loaded, "locate">,
  subject: Subject,
  { lastDelivered, now }: Pick<ReconcileDeps, "lastDelivered" | "now">,
): Promise<Guarded> {
  const guard = stricterGuard(definition.factory.pruneGuard, activeGuard(stored));
  const deleted = deletedWebhooks(changes).flatMap(({ uid }) => uid ?? []);
  if (guard === "off" || deleted.length === 0) return { warnings: [], problems: [] };
  const since = new Date(now().getTime() - TRAFFIC_DAYS * DAY_MS).toISOString();
  const used = await lastDelivered(subject.factory.uid, deleted, since);
  const suspicions = suspectDeletions(stored, changes, used);
  const blocks = guard === "block" && suspicions.length > 0 && !(await isAllowed(tree, subject));
  const place = { path: WHOLE_TREE, ...loaded.locate(WHOLE_TREE, ["millrace", "pruneGuard"]) };
  return {
    warnings: suspicions.map((suspicion) => ({ ...suspicion, ...FILE_START, blocking: blocks })),
    problems: suspicions.map(({ message }): Problem => {
      const severity = blocks ? "error" : "warning";
      return {
        code: "PRUNE_GUARD",
        message: blocks ? `${message}. ${remedyFor(tree, subject)}` : message,
        ...place,
        severity,
      };
    }),
  };
}

function remedyFor({ revision }: Tree, { factory }: Subject): string {
  if (revision.id === "")
    return "If this is intended, run `millrace import --allow-deletes`, or send `allow_deletes: true` over the API";
  const sync = `millrace sync --allow-deletes --revision ${revision.id.slice(0, 12)}`;
  return `If this is intended, run \`${sync}\`, or push a commit with the trailer "${ALLOW_DELETES_TRAILER}: ${factory.sync.appliedRevision?.slice(0, 12)}", which specifies the applied revision`;
}

function activeGuard(stored: readonly StoredResource[]): Factory["pruneGuard"] {
  const factory = stored.find(({ kind, deleted }) => kind === "factory" && !deleted);
  return factory ? (JSON.parse(factory.body) as Factory).pruneGuard : "off";
}

const HASH = /^[0-9a-f]{7,64}$/;

/** Whoever syncs may say so, and whoever commits; who goes back to a revision has said it by asking for that. */
async function isAllowed(tree: Tree, { factory, request }: Subject): Promise<boolean> {
  if (request.allowsDeletes?.some((revision) => tree.revision.id.startsWith(revision))) return true;
  const applied = factory.sync.appliedRevision;
  const trailers = (await tree.trailers?.(ALLOW_DELETES_TRAILER, applied)) ?? [];
  const values = trailers.map((value) => value.trim().toLowerCase());
  if (applied !== null && values.some((value) => HASH.test(value) && applied.startsWith(value))) return true;
  // Which deletions it means is said by nothing but its place, which is another one once history was rewritten.
  if (!values.some((value) => value === "true" || value === "yes")) return false;
  return applied !== null && ((await tree.contains?.(applied)) ?? true);
}
