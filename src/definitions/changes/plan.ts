import { createHash } from "node:crypto";
import type { Definition } from "../definition.ts";
import { FILE_START } from "../problem.ts";
import { type FieldChange, fieldChanges, writtenForm } from "./field-changes.ts";
import type { PlanWarning } from "./plan-warning.ts";
import { type Locate, warnOfChanges } from "./warn-of-changes.ts";

/** The kinds of resources that a definition is applied as, in the order in which a plan shows them. */
export const RESOURCE_KINDS = [
  "factory",
  "agent",
  "automation",
  "webhook",
  "outbound",
  "runner",
  "skill",
  "scorer",
  "benchmark",
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** A resource as the store holds it. A deleted one is a tombstone that keeps its uid for its name. */
export interface StoredResource {
  uid: string;
  kind: ResourceKind;
  name: string;
  path: string;
  /** The trusted form as JSON. */
  body: string;
  fingerprint: string;
  createdAt: string;
  updatedAt: string;
  deleted: boolean;
}

export type Action = "create" | "update" | "delete" | "unchanged";

/** What applying a definition does to one resource. */
export interface DefinitionChange {
  action: Action;
  kind: ResourceKind;
  name: string;
  path: string;
  /** The resource's uid; one that returns under its old name gets its old uid back. Nothing for a new one. */
  uid: string | undefined;
  /** The top-level fields that differ, for an update. */
  fields: string[];
  /** What those fields said and say, for an update. */
  values: FieldChange[];
  body: string;
  fingerprint: string;
}

/** A change that does something. */
export type EffectiveChange = DefinitionChange & { action: Exclude<Action, "unchanged"> };

export function isEffective(change: DefinitionChange): change is EffectiveChange {
  return change.action !== "unchanged";
}

/** What would change if a definition came into force, before anything has. */
export interface Plan {
  changes: DefinitionChange[];
  /** What somebody should know before. */
  warnings: PlanWarning[];
}

/**
 * Compares what is stored with what a definition says. Pure: same input, same plan.
 * @param locate tells where warnings point to; without it, to the start of their files
 */
export function planChanges(
  stored: readonly StoredResource[],
  definition: Definition,
  locate: Locate = () => FILE_START,
): Plan {
  const present = new Map(stored.map((resource) => [keyOf(resource), resource]));
  // What says the same has the same fingerprint, which takes longer to make than to compare the two.
  const wanted = resourcesOf(definition, (kind, name, body) => {
    const known = present.get(keyOf({ kind, name }));
    return known?.body === body ? known.fingerprint : fingerprintOf(body);
  });
  const wantedKeys = new Set(wanted.map(keyOf));
  const kept = wanted.map((resource): DefinitionChange => {
    const existing = present.get(keyOf(resource));
    const action: Action =
      !existing || existing.deleted
        ? "create"
        : existing.fingerprint === resource.fingerprint
          ? "unchanged"
          : "update";
    const updated = action === "update" ? existing : undefined;
    return {
      action,
      ...resource,
      uid: existing?.uid,
      fields: updated ? differingFields(updated.body, resource.body) : [],
      values: updated ? fieldChanges(updated.body, resource.body) : [],
    };
  });
  const deletions = stored
    .filter((resource) => !resource.deleted && !wantedKeys.has(keyOf(resource)))
    .map(({ kind, name, path, uid, body, fingerprint }): DefinitionChange => {
      return { action: "delete", kind, name, path, uid, fields: [], values: [], body, fingerprint };
    });
  const changes = [...kept, ...deletions].sort(byKindAndName);
  return { changes, warnings: warnOfChanges({ stored, changes, definition, locate }) };
}

/** What applying a plan leaves in the store. Pure, and the same as what the store does with it. */
export function resourcesAfter(
  stored: readonly StoredResource[],
  changes: readonly DefinitionChange[],
  newUids: Readonly<Record<string, string>>,
  at: string,
): StoredResource[] {
  const resources = new Map(stored.map((resource) => [keyOf(resource), resource]));
  for (const { action, kind, name, path, body, fingerprint } of changes) {
    const before = resources.get(keyOf({ kind, name }));
    if (action === "delete" && before) resources.set(keyOf(before), { ...before, deleted: true });
    if (action !== "create" && action !== "update") continue;
    const uid = before?.uid ?? newUids[`${kind}/${name}`] ?? "";
    const createdAt = before?.createdAt ?? at;
    resources.set(keyOf({ kind, name }), {
      uid,
      kind,
      name,
      path,
      body,
      fingerprint,
      createdAt,
      updatedAt: at,
      deleted: false,
    });
  }
  return [...resources.values()];
}

/** A resource with the fingerprint of what it says now, whoever has written that. */
export function verifiedResource(resource: StoredResource): StoredResource {
  return { ...resource, fingerprint: fingerprintOf(resource.body) };
}

type Resource = Pick<DefinitionChange, "kind" | "name" | "path" | "body" | "fingerprint">;

function resourcesOf(
  definition: Definition,
  fingerprint: (kind: ResourceKind, name: string, body: string) => string,
): Resource[] {
  const { factory } = definition;
  const resource = (kind: ResourceKind, item: { name: string; path: string }, name = item.name): Resource => {
    const body = JSON.stringify(item);
    return { kind, name, path: item.path, body, fingerprint: fingerprint(kind, name, body) };
  };
  return [
    // A definition has one factory: it is told by its kind, so that a new name is an update and not another factory.
    resource("factory", factory, ""),
    ...definition.agents.map((item) => resource("agent", item)),
    ...definition.automations.map((item) => resource("automation", item)),
    ...definition.webhooks.map((item) => resource("webhook", item)),
    ...definition.outbound.map((item) => resource("outbound", item)),
    ...definition.runners.map((item) => resource("runner", item)),
    ...definition.skills.map((item) => resource("skill", { ...item, name: item.path })),
    ...definition.scorers.map((item) => resource("scorer", item)),
    ...definition.benchmarks.map((item) => resource("benchmark", item)),
  ];
}

function fingerprintOf(body: string): string {
  return createHash("sha256").update(body).digest("base64url");
}

function differingFields(before: string, after: string): string[] {
  const [old, now] = [writtenForm(before), writtenForm(after)];
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]));
}

function keyOf(resource: { kind: string; name: string }): string {
  return `${resource.kind}\0${resource.name}`;
}

function byKindAndName(a: DefinitionChange, b: DefinitionChange): number {
  return RESOURCE_KINDS.indexOf(a.kind) - RESOURCE_KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : 1);
}
