import { join } from "node:path";
import { MillraceError } from "./error.ts";
import { OWN_BRANCH, ownRepository } from "./git/own-repository.ts";
import { newUid } from "./id.ts";
import type { FactorySpec } from "./reconcile/factories.ts";
import type { FactoryRecord } from "./reconcile/factory.ts";
import { checkFactoryName } from "./reconcile/factory-name.ts";

export interface ManagedParts {
  /** Where the repositories are that millrace keeps. */
  data: { factories: string };
  /** Ends git processes when the server stops. */
  signal: AbortSignal;
  now: () => Date;
}

/**
 * A factory whose definition millrace keeps: the one that is known by this name, or a new one.
 * @throws MillraceError `invalid_request` for a name that it cannot have
 */
export function managedSpec(name: string, known: readonly FactoryRecord[], parts: ManagedParts): FactorySpec {
  checkFactoryName(name);
  // What the settings call it stays the way to it, also when its definition gives it another name, and whatever else has
  // got its first name since.
  const sourceKey = `managed:${name}`;
  const renamed = known.find((record) => record.sourceKey === sourceKey);
  if (renamed) return ownSpec(renamed, parts);
  const found = known.find((record) => record.mode === "managed" && record.name === name);
  if (found) return ownSpec({ ...found, sourceKey }, parts);
  const other = known.find((record) => record.name === name);
  if (other) throw nameTaken(other);
  return ownSpec({ uid: newUid(), sourceKey, name }, parts);
}

function nameTaken({ name, source }: FactoryRecord): MillraceError {
  const place = "url" in source ? source.url : source.path;
  return new MillraceError(
    "invalid_request",
    `The settings want millrace to keep the factory "${name}", which is that of ${place} so far.`,
    { remedy: "Give `managed:` another name, or name that source instead." },
  );
}

/** A new factory whose definition millrace keeps. @throws MillraceError `invalid_request` for a name that it cannot have */
export function newManagedSpec(name: string, parts: ManagedParts): FactorySpec {
  checkFactoryName(name);
  const uid = newUid();
  return ownSpec({ uid, sourceKey: `managed:${uid}`, name }, parts);
}

/** The place of its repository goes by its uid, so a factory can be renamed. */
export function ownSpec(
  { uid, sourceKey, name }: Pick<FactoryRecord, "uid" | "sourceKey" | "name">,
  { data, signal, now }: ManagedParts,
): FactorySpec {
  const path = join(data.factories, `${uid}.git`);
  return {
    uid,
    sourceKey,
    name,
    mode: "managed",
    description: { url: path, branch: OWN_BRANCH, path: "." },
    source: ownRepository({ path, firstMessage: `Begin the factory ${name}`, now, signal }),
    secrets: [],
    // Whatever changes here changes by edits.
    pollMs: undefined,
  };
}
