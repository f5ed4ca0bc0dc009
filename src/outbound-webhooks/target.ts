import type { OutboundEvent, OutboundSetting } from "../config/outbound-events.ts";
import type { Outbound } from "../definitions/definition.ts";
import { type CompiledFilter, compileFilter } from "../definitions/filters/compile-filter.ts";
import type { PayloadPattern } from "../definitions/filters/filter.ts";
import {
  fingerprintOf,
  isAmong,
  type NamedFactory,
  type OutboxTarget,
  type TargetSecret,
  targetId,
} from "../outbox/target.ts";
import type { Factory } from "../reconcile/running-factory.ts";

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
    (active?.definition.outbound ?? []).map((outbound) => ofFactory({ uid, name }, outbound)),
  );
  return [...settings.map(ofSettings), ...ofFactories];
}

function ofSettings(setting: OutboundSetting): OutboundTarget {
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

function ofFactory(
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
