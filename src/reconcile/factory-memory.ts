import { MillraceError } from "../errors/error.ts";
import type { Sealer } from "../secrets/seal.ts";
import { type ActiveDefinition, loadActive } from "./active-definition.ts";
import { type FactoryRecord, type FactorySpec, type FactoryStore, newFactory } from "./factory.ts";

/** What this server knows of a factory. The store may know better: another server may have changed it. */
export interface FactoryMemory {
  readonly record: FactoryRecord;
  readonly active: ActiveDefinition | undefined;
  /** Reads the record again. */
  refresh(): Promise<void>;
  /** Reads the record again, and the definition if it is another. @throws MillraceError `resource_not_found` when it is gone */
  reload(): Promise<void>;
  /** Takes what was applied a moment ago. */
  take(applied: ActiveDefinition): void;
}

export interface MemoryDeps {
  store: Pick<FactoryStore, "findBySource" | "create" | "findDefinition">;
  sealer: Sealer;
  now: () => Date;
  /** Tells what is served now. */
  announce(): void;
}

/**
 * Finds or makes the record of a source, with what is in force by the store.
 * @param known the record of a factory that another server has made: when that has deleted it since, it stays deleted
 */
export async function openMemory(
  spec: FactorySpec,
  { store, sealer, now, announce }: MemoryDeps,
  known?: FactoryRecord,
): Promise<FactoryMemory> {
  const found =
    known ?? (await store.findBySource(spec.sourceKey)) ?? (await store.create(newFactory(spec, now())));
  // Where millrace keeps a repository depends on where its data folder is now.
  let record: FactoryRecord = { ...found, source: spec.description };
  let active = await loadActive(record.uid, store, sealer);
  let lookups = 0;
  let taken = 0;

  /**
   * A lookup that began earlier may end later: of those that have ended, the one that began last has seen the most. Whoever
   * waits for an own lookup finds what it has seen, also while another one goes on.
   */
  async function refresh(): Promise<FactoryRecord | undefined> {
    lookups += 1;
    const own = lookups;
    const found = await store.findBySource(spec.sourceKey);
    if (found && own > taken) {
      taken = own;
      record = { ...found, source: spec.description };
    }
    return found;
  }

  function take(definition: ActiveDefinition): void {
    // What was read or applied earlier may arrive later.
    if (active && definition.generation <= active.generation) return;
    active = definition;
    announce();
  }

  return {
    get record() {
      return record;
    },
    get active() {
      return active;
    },
    async refresh() {
      await refresh();
    },
    async reload() {
      const found = await refresh();
      if (!found) {
        const message = `The factory "${record.name}" was deleted through another server.`;
        throw new MillraceError("resource_not_found", message);
      }
      if (found.generation === (active?.generation ?? 0)) return;
      const loaded = await loadActive(found.uid, store, sealer);
      if (loaded) take(loaded);
    },
    take,
  };
}
