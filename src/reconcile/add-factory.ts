import { MillraceError } from "../error.ts";
import type { Factory, FactorySpec } from "./factories.ts";
import { newFactory } from "./new-factory.ts";
import { type OpenParts, openFactory, type RunningFactory } from "./running-factory.ts";

/** Adds factories to those that are kept while the server runs. */
export function addFactory(
  running: RunningFactory[],
  parts: OpenParts,
): (spec: FactorySpec) => Promise<Factory> {
  return async (spec) => {
    const { store, now } = parts;
    const taken = await store.claim(newFactory(spec, now()));
    if (taken) throw nameTaken(spec.name, taken.name);
    const factory = await openFactory(spec, parts);
    running.push(factory);
    await factory.start();
    return factory;
  };
}

/** @param holder the name of the factory whose name or alias it is: people take one for the other */
function nameTaken(name: string, holder: string): MillraceError {
  const why = holder === name ? "There is a factory" : `The factory "${holder}" has the alias`;
  return new MillraceError("conflict", `${why} "${name}" on this server already.`, {
    remedy:
      "Choose another name: names and aliases are unique on a server, and stay taken while a factory rests.",
    retryable: false,
    extra: { field: "name" },
  });
}
