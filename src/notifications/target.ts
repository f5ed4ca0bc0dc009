import type { NotificationEvent, NotificationSetting } from "../config/notification-settings.ts";
import type { NotifyTarget } from "../definitions/definition.ts";
import { notifyName } from "../definitions/rules/outbound-rules.ts";
import {
  fingerprintOf,
  isAmong,
  type NamedFactory,
  type OutboxTarget,
  type TargetSecret,
  targetId,
} from "../outbox/target.ts";
import type { Factory } from "../reconcile/running-factory.ts";

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
      ofFactory({ uid, name }, target, notifyName(target, index)),
    ),
  );
  return [...settings.map(ofSettings), ...ofFactories];
}

function ofSettings({ name, kind, url, to, secret, events, factories }: NotificationSetting): Target {
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

function ofFactory(
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
