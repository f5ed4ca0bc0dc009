import { createHash } from "node:crypto";
import type { ExternalPlace } from "../config/config.ts";
import { newUuid } from "../id.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import { readOutside } from "../secrets/outside.ts";
import type { Vault } from "../secrets/vault.ts";
import type { NewMessage } from "./outbox.ts";

/** A place that messages go to, as far as sending in turn has to know it. */
export interface OutboxTarget {
  id: string;
  name: string;
  /** The factory whose definition names it; null where the settings do. */
  owner: { uid: string; name: string } | null;
  /** What requests are signed or authorized with; nothing where they are not. */
  secret: TargetSecret | undefined;
  /** Changes with where it leads. */
  fingerprint: string;
  /** What waits for one that is not enabled goes on to wait. */
  isEnabled: boolean;
  /** Whether the messages of one run are sent one after the other, in the order of their events. */
  isOrdered: boolean;
}

/** Whose turns and ids those are of targets that no factory has. */
export const SETTINGS = "settings";

/** The id of a target: names of files can have dots, uids have none. @param ownerUid of its factory; null in the settings */
export function targetId(ownerUid: string | null, name: string): string {
  return `${ownerUid ?? SETTINGS}.${name}`;
}

/** The factory in the id of a target; null where the settings have it. */
export function ownerUidOf(id: string): string | null {
  const owner = id.slice(0, id.indexOf("."));
  return owner === SETTINGS ? null : owner;
}

/** A message to a target, with an id of its own. */
export function messageFor<Event extends string, Content>(
  { id, fingerprint, owner }: OutboxTarget,
  told: Pick<NewMessage<Event, Content>, "cause" | "factoryUid" | "runId" | "event" | "content" | "at">,
): NewMessage<Event, Content> {
  return { id: newUuid(), target: id, fingerprint, ownerUid: owner?.uid ?? null, ...told };
}

/** Where the secret of a target is: in the settings, or in the vault for a factory. */
export type TargetSecret = ExternalPlace | { secretName: string; factoryUid: string };

export interface TargetSecretDeps {
  vault: Pick<Vault, "open">;
  env: Record<string, string | undefined>;
}

/** Whether a target has its secret in the vault, under this name. */
export function usesSecret({ secret }: Pick<OutboxTarget, "secret">, name: string): boolean {
  return secret !== undefined && "secretName" in secret && secret.secretName === name;
}

/** That there is no secret to send with, and where it is expected. */
export function missingSecret(secret: TargetSecret): OutboundError {
  if ("secretName" in secret)
    return new OutboundError(
      `the secret ${secret.secretName} has no value that the factory may use; set it with \`millrace secrets set\``,
    );
  const place = "env" in secret ? `environment variable ${secret.env}` : "file";
  return new OutboundError(`the ${place} with its secret, which millrace.yaml names, is missing or empty`);
}

/** Opens the secret of a target, which is done at every attempt. @returns nothing when it has no value */
export async function openTargetSecret(
  secret: TargetSecret | undefined,
  { vault, env }: TargetSecretDeps,
): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  if (!("secretName" in secret)) return (await readOutside(secret, env))?.trim();
  const { secretName, factoryUid } = secret;
  return (await vault.open([secretName], { agentsOf: factoryUid })).get(secretName)?.trim();
}

/** A factory, as the settings may name it. */
export interface NamedFactory {
  uid: string;
  name: string;
  sourceName: string;
}

/** Whether settings that are limited to factories, by name or uid, have one of them; without a limit, they have all. */
export function isAmong(factories: readonly string[] | undefined, factory: NamedFactory | null): boolean {
  return (
    factories === undefined ||
    (factory !== null &&
      [factory.uid, factory.name, factory.sourceName].some((known) => factories.includes(known)))
  );
}

export function fingerprintOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
