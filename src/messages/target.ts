import { createHash } from "node:crypto";
import type { ExternalPlace } from "../config/config.ts";
import type { NotificationEvent, NotificationSetting } from "../config/notification-settings.ts";
import type { OutboundEvent, OutboundSetting } from "../config/outbound-events.ts";
import { type CompiledFilter, compileFilter } from "../definitions/filters/compile-filter.ts";
import type { PayloadPattern } from "../definitions/filters/filter.ts";
import { notifyName } from "../definitions/rules/outbound-rules.ts";
import { newUuid } from "../id.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { readOutside } from "../secrets/outside.ts";
import type { Vault } from "../secrets/vault.ts";
import type { NewMessage } from "./outbox.ts";

/**
 * A place that messages go to, which the settings name or the definition of a factory: one of notifications, or an outbound
 * webhook. Its id is `settings.NAME` or `UID.NAME`.
 */
export interface Target<Event extends string = string> {
  id: string;
  name: string;
  kind: "webhook" | "slack" | "email";
  /** The factory whose definition names it; null where the settings do. */
  owner: { uid: string; name: string } | null;
  /** Of a webhook, and of Slack where that has it not in its secret. */
  url: string | undefined;
  /** Addresses of mail. */
  to: readonly string[];
  /** What requests are signed or authorized with; nothing where they are not. */
  secret: TargetSecret | undefined;
  events: readonly Event[];
  /** Whether the events of a factory, or of none, are sent there. */
  takes(factory: NamedFactory | null): boolean;
  /** Changes with where it leads. */
  fingerprint: string;
  /** What waits for one that is not enabled goes on to wait. */
  isEnabled: boolean;
  /** Whether the messages of one run are sent one after the other, in the order of their events. */
  isOrdered: boolean;
}

/** An outbound webhook, as events are sent to it. */
export interface OutboundTarget extends Target<OutboundEvent> {
  /** Of its file; undefined where the settings have it. */
  path: string | undefined;
  url: string;
  secretName: string | undefined;
  pattern: PayloadPattern | undefined;
  filter: CompiledFilter;
  /** The factories that the settings list; undefined for those of all, and for its own. */
  factories: readonly string[] | undefined;
}

/** Whose turns and ids those are of targets that no factory has. */
export const SETTINGS = "settings";

/** The factory in the id of a target; null where the settings have it. */
export function ownerUidOf(id: string): string | null {
  const owner = id.slice(0, id.indexOf("."));
  return owner === SETTINGS ? null : owner;
}

/** A message to a target, with an id of its own. */
export function messageFor<Event extends string, Content>(
  { id, fingerprint, owner }: Target,
  said: Pick<NewMessage<Event, Content>, "cause" | "factoryUid" | "runId" | "event" | "content" | "at">,
): NewMessage<Event, Content> {
  return { id: newUuid(), target: id, fingerprint, ownerUid: owner?.uid ?? null, ...said };
}

/** Where the secret of a target is: in the settings, or in the vault for a factory. */
type TargetSecret = ExternalPlace | { secretName: string; factoryUid: string };

export interface TargetSecretDeps {
  vault: Pick<Vault, "open">;
  env: Record<string, string | undefined>;
}

/** Whether a target has its secret in the vault, under this name. */
export function usesSecret({ secret }: Pick<Target, "secret">, name: string): boolean {
  return secret !== undefined && "secretName" in secret && secret.secretName === name;
}

/** Opens the secret of a target, which is done at every attempt. @throws OutboundError when it has no value */
export async function openTargetSecret<Secret extends TargetSecret | undefined>(
  secret: Secret,
  { vault, env }: TargetSecretDeps,
): Promise<string | Extract<Secret, undefined>> {
  if (secret === undefined) return secret as Extract<Secret, undefined>;
  const value = (await readSecret(secret))?.trim();
  if (value) return value;
  if ("secretName" in secret)
    throw new OutboundError(
      `the secret ${secret.secretName} has no value that the factory may use; set it with \`millrace secrets set\``,
    );
  const place = "env" in secret ? `environment variable ${secret.env}` : "file";
  throw new OutboundError(`the ${place} with its secret, which millrace.yaml names, is missing or empty`);

  async function readSecret(place: TargetSecret): Promise<string | undefined> {
    if (!("secretName" in place)) return readOutside(place, env);
    const { secretName, factoryUid } = place;
    return (await vault.open([secretName], { agentsOf: factoryUid })).get(secretName);
  }
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

type Owner = NonNullable<Target["owner"]>;

/** What every target is made of. @param leadsTo what its fingerprint is taken of */
function placed(
  owner: Owner | null,
  name: string,
  leadsTo: readonly unknown[],
  factories?: readonly string[],
) {
  return {
    id: `${owner?.uid ?? SETTINGS}.${name}`,
    name,
    owner,
    takes: (factory: NamedFactory | null) =>
      owner ? factory?.uid === owner.uid : isAmong(factories, factory),
    fingerprint: createHash("sha256").update(JSON.stringify(leadsTo)).digest("base64url"),
  };
}

type ServedFactory = Pick<Factory, "record" | "active">;

function ofFactories<Named, Of>(
  factories: readonly ServedFactory[],
  named: (active: NonNullable<Factory["active"]>) => readonly Named[] | undefined,
  toTarget: (owner: Owner, each: Named, index: number) => Of,
): Of[] {
  return factories.flatMap(({ record: { uid, name }, active }) =>
    ((active && named(active)) ?? []).map((each, index) => toTarget({ uid, name }, each, index)),
  );
}

/** Notifications stand for themselves, so one that is not taken holds up no other. */
const ALWAYS = { isEnabled: true, isOrdered: false } as const;

/** Every place that the settings and the active definitions have notifications sent to. */
export function listTargets(
  settings: readonly NotificationSetting[],
  factories: readonly ServedFactory[],
): Target<NotificationEvent>[] {
  const ofSettings = settings.map(({ name, kind, url, to = [], secret, events, factories: only }) => {
    const recipients = [to].flat();
    return {
      ...placed(null, name, [kind, url, recipients, secret], only),
      kind,
      url,
      to: recipients,
      secret,
      events,
      ...ALWAYS,
    };
  });
  const notified = ofFactories(
    factories,
    ({ definition }) => definition.factory.notify,
    (owner, target, index) => {
      const { kind, url, secretName, events } = target;
      return {
        ...placed(owner, notifyName(target, index), [kind, url, secretName]),
        secret: secretName === undefined ? undefined : { secretName, factoryUid: owner.uid },
        kind,
        url,
        to: [],
        events,
        ...ALWAYS,
      };
    },
  );
  return [...ofSettings, ...notified];
}

/** Every outbound webhook that the settings and the active definitions have. */
export function listOutboundTargets(
  settings: readonly OutboundSetting[],
  factories: readonly ServedFactory[],
): OutboundTarget[] {
  const POST = { kind: "webhook", to: [] } as const;
  const ofSettings = settings.map((setting) => {
    const { name, url, secret, events, filter, enabled = true, ordered = false, factories: only } = setting;
    const pattern = filter as PayloadPattern | undefined;
    return {
      ...placed(null, name, [url, secret], only),
      ...POST,
      path: undefined,
      url,
      secret,
      secretName: undefined,
      events,
      pattern,
      factories: only,
      filter: compileFilter(pattern ?? {}),
      isEnabled: enabled,
      isOrdered: ordered,
    };
  });
  const ofDefinitions = ofFactories(
    factories,
    ({ definition }) => definition.outbound,
    (owner, { name, path, url, secretName, events, filter, enabled, ordered }) => ({
      ...placed(owner, name, [url, secretName]),
      ...POST,
      path,
      url,
      secretName,
      events,
      pattern: filter,
      factories: undefined,
      secret: { secretName, factoryUid: owner.uid },
      filter: compileFilter(filter ?? {}),
      isEnabled: enabled,
      isOrdered: ordered,
    }),
  );
  return [...ofSettings, ...ofDefinitions];
}

/** The server that a target is on. The rest of its address may be a secret. */
export function addressOf({ kind, url, to }: Pick<Target, "kind" | "url" | "to">): string {
  if (kind === "email") return to.join(", ");
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : "from its secret";
}

/** The server that an outbound webhook leads to. */
export function originOf({ url }: Pick<OutboundTarget, "url">): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
