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
    // A name and an alias are taken for each other by whoever reads them.
    const aliased = await store.findByAlias(spec.name, "");
    if (aliased || !(await store.claim(newFactory(spec, now())))) throw nameTaken(spec.name, aliased?.name);
    const factory = await openFactory(spec, parts);
    running.push(factory);
    await factory.start();
    return factory;
  };
}

function nameTaken(name: string, alias: string | undefined): MillraceError {
  const why = alias === undefined ? "There is a factory" : `The factory "${alias}" has the alias`;
  return new MillraceError("conflict", `${why} "${name}" on this server already.`, {
    remedy:
      "Choose another name: names and aliases are unique on a server, and stay taken while a factory rests.",
    retryable: false,
    extra: { field: "name" },
  });
}
