import { createHash } from "node:crypto";
import type { ExternalPlace } from "../config/config.ts";
import type { NotificationEvent, NotificationSetting } from "../config/notification-settings.ts";
import type { NotifyTarget } from "../definitions/definition.ts";
import { notifyName } from "../definitions/rules/notify-rules.ts";
import type { Factory } from "../reconcile/running-factory.ts";

/** A place that notifications go to. */
export interface Target {
  /** `settings.NAME`, or `UID.NAME` where the definition of a factory names it. */
  id: string;
  name: string;
  kind: NotificationSetting["kind"];
  /** The factory whose definition names it; null where the settings do. */
  owner: { uid: string; name: string } | null;
  url: string | undefined;
  to: readonly string[];
  secret: ExternalPlace | { secretName: string; factoryUid: string } | undefined;
  events: readonly NotificationEvent[];
  /** Whether the events of a factory, or of none, are sent there. */
  takes(factory: { uid: string; name: string; sourceName: string } | null): boolean;
  /** Changes with where it leads. */
  fingerprint: string;
}

/** Every place that the settings and the active definitions name. */
export function listTargets(
  settings: readonly NotificationSetting[],
  factories: readonly Pick<Factory, "record" | "active">[],
): Target[] {
  const ofFactories = factories.flatMap(({ record: { uid, name }, active }) =>
    (active?.definition.factory.notify ?? []).map((target, index) =>
      ofFactory({ uid, name }, target, notifyName(target, index)),
    ),
  );
  return [...settings.map(ofSettings), ...ofFactories];
}

function ofSettings({ name, kind, url, to, secret, events, factories }: NotificationSetting): Target {
  const recipients = to === undefined ? [] : [to].flat();
  return {
    id: `settings.${name}`,
    name,
    kind,
    owner: null,
    url,
    to: recipients,
    secret,
    events,
    takes: (factory) =>
      factories === undefined ||
      (factory !== null &&
        [factory.uid, factory.name, factory.sourceName].some((known) => factories.includes(known))),
    fingerprint: fingerprintOf([kind, url, recipients, secret]),
  };
}

function ofFactory(
  owner: { uid: string; name: string },
  { kind, url, secretName, events }: NotifyTarget,
  name: string,
): Target {
  return {
    id: `${owner.uid}.${name}`,
    name,
    kind,
    owner,
    url,
    to: [],
    secret: secretName === undefined ? undefined : { secretName, factoryUid: owner.uid },
    events,
    takes: (factory) => factory?.uid === owner.uid,
    fingerprint: fingerprintOf([kind, url, secretName]),
  };
}

function fingerprintOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** The server that a target is on. The rest of its address may be a secret. */
export function addressOf({ kind, url, to }: Pick<Target, "kind" | "url" | "to">): string {
  if (kind === "email") return to.join(", ");
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : "from its secret";
}
