import type { RepositoryForge } from "../forge/repository-forge.ts";
import type { Source } from "../git/revision.ts";
import { newUid } from "../id.ts";
import type { FactoryMode, FactoryRecord, FactorySource } from "./factory.ts";

/** A source to keep a factory in step with. */
export interface FactorySpec {
  /** Of a factory that millrace keeps: where its repository is goes by it. */
  uid?: string;
  /** The same source has the same key after a restart. */
  sourceKey: string;
  /** The name of the factory until its first valid definition names it. */
  name: string;
  mode: FactoryMode;
  description: FactorySource;
  source: Source;
  /** Names of the managed secrets that the source is opened with. */
  secrets: readonly string[];
  /** What its forge signs push hooks with, as it is now; nothing where it may send none. */
  hookSecret?: () => Promise<string | undefined>;
  /** Who is told how pull requests and commits stand; nothing where nobody is. */
  forge?: RepositoryForge;
  pollMs: number | undefined;
  /** The factory that millrace keeps, by name or uid, with which the settings let this source go on. */
  goesOnWith?: string;
  /** Whether the settings or the command line name it: then the next start makes it again. */
  isNamed?: boolean;
  /** Tells of changes; nothing for a source that is polled. */
  watch?: (listener: { onChange(): void; onTrouble(why: string): void }) => { stop(): Promise<void> };
}

/** A factory as it is before anything of its source was looked at. */
export function newFactory(spec: FactorySpec, now: Date): FactoryRecord {
  return {
    uid: spec.uid ?? newUid(),
    sourceKey: spec.sourceKey,
    name: spec.name,
    mode: spec.mode,
    source: spec.description,
    sync: {
      status: "pending",
      attemptedRevision: null,
      attemptedAt: null,
      appliedRevision: null,
      appliedAt: null,
      problems: [],
    },
    createdAt: now.toISOString(),
    generation: 0,
  };
}
