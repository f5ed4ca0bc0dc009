import { mirrorName } from "../git/repository.ts";
import type { Factories } from "../reconcile/factories.ts";

/** @returns whether the mirror of a name is that of a factory's repository */
export function isServedBy(factories: Pick<Factories, "list">): (name: string) => boolean {
  return (name) =>
    factories.list().some(({ record: { source } }) => "url" in source && mirrorName(source) === name);
}
