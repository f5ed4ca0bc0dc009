import { createHash } from "node:crypto";
import type { ExternalPlace } from "../config/config.ts";
import type { NotificationEvent, NotificationSetting } from "../config/notification-settings.ts";
import type { OutboundEvent, OutboundSetting } from "../config/outbound-events.ts";
import type { NotifyTarget, Outbound } from "../definitions/definition.ts";
import { type CompiledFilter, compileFilter } from "../definitions/filters/compile-filter.ts";
import type { PayloadPattern } from "../definitions/filters/filter.ts";
import { notifyName } from "../definitions/rules/outbound-rules.ts";
import { newUuid } from "../id.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import type { Factory } from "../reconcile/running-factory.ts";
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
function targetId(ownerUid: string | null, name: string): string {
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
type TargetSecret = ExternalPlace | { secretName: string; factoryUid: string };

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
function isAmong(factories: readonly string[] | undefined, factory: NamedFactory | null): boolean {
  return (
    factories === undefined ||
    (factory !== null &&
      [factory.uid, factory.name, factory.sourceName].some((known) => factories.includes(known)))
  );
}

function fingerprintOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** A place that notifications go to. Its id is `settings.NAME`, or `UID.NAME` where the definition of a factory names it. */
export interface Target extends OutboxTarget {
  kind: NotificationSetting["kind"];
  url: string | undefined;
  to: readonly string[];
  secret: TargetSecret | undefined;
  events: readonly NotificationEvent[];
  /** Whether the events of a factory, or of none, are sent there. */
  takes(factory: NamedFactory | null): boolean;
}

/** Every place that the settings and the active definitions name. */
export function listTargets(
  settings: readonly NotificationSetting[],
  factories: readonly Pick<Factory, "record" | "active">[],
): Target[] {
  const ofFactories = factories.flatMap(({ record: { uid, name }, active }) =>
    (active?.definition.factory.notify ?? []).map((target, index) =>
      notifiedByFactory({ uid, name }, target, notifyName(target, index)),
    ),
  );
  return [...settings.map(notifiedBySettings), ...ofFactories];
}

function notifiedBySettings({ name, kind, url, to, secret, events, factories }: NotificationSetting): Target {
  const recipients = to === undefined ? [] : [to].flat();
  return {
    id: targetId(null, name),
    name,
    kind,
    owner: null,
    url,
    to: recipients,
    secret,
    events,
    takes: (factory) => isAmong(factories, factory),
    ...ALWAYS,
    fingerprint: fingerprintOf([kind, url, recipients, secret]),
  };
}

function notifiedByFactory(
  owner: { uid: string; name: string },
  { kind, url, secretName, events }: NotifyTarget,
  name: string,
): Target {
  return {
    id: targetId(owner.uid, name),
    name,
    kind,
    owner,
    url,
    to: [],
    secret: secretName === undefined ? undefined : { secretName, factoryUid: owner.uid },
    events,
    takes: (factory) => factory?.uid === owner.uid,
    ...ALWAYS,
    fingerprint: fingerprintOf([kind, url, secretName]),
  };
}

/** Notifications stand for themselves, so one that is not taken holds up no other. */
const ALWAYS = { isEnabled: true, isOrdered: false } as const;

/** The server that a target is on. The rest of its address may be a secret. */
export function addressOf({ kind, url, to }: Pick<Target, "kind" | "url" | "to">): string {
  if (kind === "email") return to.join(", ");
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : "from its secret";
}

/** An outbound webhook, as events are sent to it. */
export interface OutboundTarget extends OutboxTarget {
  /** Of its file; undefined where the settings have it. */
  path: string | undefined;
  url: string;
  secret: TargetSecret;
  secretName: string | undefined;
  events: readonly OutboundEvent[];
  pattern: PayloadPattern | undefined;
  filter: CompiledFilter;
  /** The factories that the settings list; undefined for those of all, and for its own. */
  factories: readonly string[] | undefined;
  /** Whether the events of a factory, or of none, are sent there. */
  takes(factory: NamedFactory | null): boolean;
}

/** Every outbound webhook that the settings and the active definitions have. */
export function listOutboundTargets(
  settings: readonly OutboundSetting[],
  factories: readonly Pick<Factory, "record" | "active">[],
): OutboundTarget[] {
  const ofFactories = factories.flatMap(({ record: { uid, name }, active }) =>
    (active?.definition.outbound ?? []).map((outbound) => outboundOfFactory({ uid, name }, outbound)),
  );
  return [...settings.map(outboundOfSettings), ...ofFactories];
}

function outboundOfSettings(setting: OutboundSetting): OutboundTarget {
  const { name, url, secret, events, filter, enabled = true, ordered = false, factories } = setting;
  const pattern = filter as PayloadPattern | undefined;
  return {
    id: targetId(null, name),
    name,
    owner: null,
    path: undefined,
    ...{ url, secret, secretName: undefined, events, pattern },
    filter: compileFilter(pattern ?? {}),
    isEnabled: enabled,
    isOrdered: ordered,
    factories,
    takes: (factory) => isAmong(factories, factory),
    fingerprint: fingerprintOf([url, secret]),
  };
}

function outboundOfFactory(
  owner: { uid: string; name: string },
  { name, path, url, secretName, events, filter, enabled, ordered }: Outbound,
): OutboundTarget {
  return {
    id: targetId(owner.uid, name),
    ...{ name, owner, path, url, secretName, events, pattern: filter },
    secret: { secretName, factoryUid: owner.uid },
    filter: compileFilter(filter ?? {}),
    isEnabled: enabled,
    isOrdered: ordered,
    factories: undefined,
    takes: (factory) => factory?.uid === owner.uid,
    fingerprint: fingerprintOf([url, secretName]),
  };
}

/** The server that an outbound webhook leads to. The rest of its URL may be a secret. */
export function originOf({ url }: Pick<OutboundTarget, "url">): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
