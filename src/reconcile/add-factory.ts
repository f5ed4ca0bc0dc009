import { MillraceError } from "../errors/error.ts";
import type { FactoryRecord } from "./factory.ts";
import { looksLikeOf } from "./factory-name.ts";
import { type FactorySpec, newFactory } from "./factory-spec.ts";
import { type OpenDeps, openFactory } from "./open-factory.ts";
import type { RunningFactory } from "./running-factory.ts";

/**
 * Adds factories to those that are kept while the server runs.
 * @param busy gets the key of the source while its record is there and the factory is not
 */
export function addFactory(
  running: RunningFactory[],
  busy: Set<string>,
  deps: OpenDeps,
): (spec: FactorySpec) => Promise<RunningFactory> {
  return async (spec) => {
    const { store, now } = deps;
    const make = async () => {
      const taken = await store.claim(newFactory(spec, now()));
      if (taken) throw nameTaken(spec.name, taken);
      const factory = await openFactory(spec, deps);
      running.push(factory);
      return factory;
    };
    busy.add(spec.sourceKey);
    const factory = await make().finally(() => busy.delete(spec.sourceKey));
    await factory.start();
    return factory;
  };
}

/** @param holder the factory whose name, alias or uid it looks like: people take one for the other */
function nameTaken(name: string, holder: FactoryRecord): MillraceError {
  const why =
    holder.name === name
      ? `This server already has a factory "${name}".`
      : `${JSON.stringify(name)} ${looksLikeOf(name, holder)} of the factory "${holder.name}" on this server.`;
  return new MillraceError("conflict", why, {
    remedy:
      "Choose another name: names and aliases are unique on a server, regardless of case and white space, and stay reserved when a factory's source is no longer configured.",
    retryable: false,
    extra: { field: "name" },
  });
}
