import type { RepositoryForge } from "../forge/repository-forge.ts";
import type { Source, Tree } from "../git/revision.ts";
import type { ActiveDefinition } from "./active-definition.ts";
import type { CommitStanding } from "./commit-standing.ts";
import type { FactoryRecord } from "./factory.ts";
import type { Edit } from "./managed-edits/edit.ts";
import type { Request } from "./outcome.ts";
import type { DefinitionFile, Drift } from "./past-tree.ts";
import type { Evaluation } from "./steps.ts";
import type { SecretRotation } from "./webhook-credentials.ts";

/** A factory on this server: as recorded, and what of it is in force. */
export interface Factory {
  readonly record: FactoryRecord;
  readonly active: ActiveDefinition | undefined;
  /** Whether an attempt to read its source has ended since the start, well or not. */
  readonly wasAttempted: boolean;
  /** Whether its source was read since the server started, so that what is served is what the source has, or had. */
  readonly wasRead: boolean;
  /** What its source is called, which names it until its first valid definition does. */
  readonly sourceName: string;
  /** Names of the managed secrets that its source is opened with. */
  readonly sourceSecrets: readonly string[];
  /** What its forge signs push hooks with, as it is now. */
  hookSecret(): Promise<string | undefined>;
  /** Who is told how its pull requests and commits stand; nothing where nobody is. */
  readonly forge?: RepositoryForge | undefined;
}

/** A factory with what can be done with it. Its record and its definition are always those of now, also after each of these. */
export interface RunningFactory extends Factory {
  readonly source: Source;
  /** Whether the last pass has ended well. */
  readonly isSettled: boolean;
  /** Begins to look at the source; twice is as good as once. @returns when the first pass has ended */
  start(): Promise<void>;
  /** Looks at the source now. @returns when that pass has ended */
  sync(request?: Request): Promise<void>;
  /** The forge says that there is something new. */
  pushed(): void;
  /** A secret has changed with which the definition may be another. */
  secretChanged(): void;
  /** Nothing of the source comes into force from now on, also of a pass that goes on. Twice is as good as once. */
  suspend(): Promise<void>;
  /** Lets the source count again, which is looked at at once. Of a factory that is not suspended, nothing happens. */
  resume(request?: Request): Promise<void>;
  /**
   * Brings a revision into force again that was in force before, and suspends the factory with it.
   * @param revision its hash, or the first characters of it
   * @throws MillraceError `resource_not_found` or `conflict` that says why it cannot be; then all stays as it was
   */
  rollback(revision: string, request?: Request): Promise<void>;
  /**
   * Changes a definition that millrace keeps: one change at a time, all of it or nothing.
   * @throws MillraceError that says why nothing has changed
   */
  edit(edit: Edit): Promise<void>;
  /** The tree of the revision in force. @throws MillraceError `conflict` when it cannot be had */
  activeTree(): Promise<Tree>;
  /**
   * The tree of a revision that was in force, by its hash or the first characters of it.
   * @throws MillraceError `resource_not_found` or `conflict` that says why it cannot be had, as `rollback` does
   */
  appliedTree(revision: string): Promise<Tree>;
  /** How the factory stands to a commit. */
  commitStanding(commit: string): Promise<CommitStanding>;
  /** How what is stored differs from the revision in force. @throws MillraceError `conflict` when that cannot be told */
  drift(): Promise<Drift>;
  /**
   * The files of the revision in force, or of another that was tried.
   * @throws MillraceError `conflict` when they cannot be had, `resource_not_found` for a revision that was never tried
   */
  files(revision?: string): Promise<{ revision: string; files: DefinitionFile[] }>;
  /**
   * Gives a webhook the uid that it had in a store that is lost, so that its senders need no other URL.
   * @throws MillraceError `conflict` when something else has that uid, `resource_not_found` for a webhook that is not there
   */
  adopt(webhookUid: string, formerUid: string): Promise<void>;
  /** What would change if a tree came into force. Nothing is written. */
  evaluate(tree: Tree, request?: Request): Promise<Evaluation>;
  /** Takes in what another server has changed of it. @throws MillraceError `resource_not_found` when that has deleted it */
  reload(): Promise<void>;
  /** Has its webhooks go by the value that a secret has now. */
  retakeSecret(secret: SecretRotation): Promise<void>;
  /** Has a webhook accept its current secret alone. @throws MillraceError */
  endOverlap(webhookUid: string): Promise<void>;
  /** Ends with something after which there is nothing to keep in step, which no pass goes beside. */
  leave<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}
