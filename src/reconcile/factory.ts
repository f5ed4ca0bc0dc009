import type { EffectiveChange, StoredResource } from "../definitions/changes/plan.ts";
import type { Problem } from "../definitions/problem.ts";
import type { RepositoryForge } from "../forge/repository-forge.ts";
import type { CommitObjects } from "../git/managed/managed-branch.ts";
import type { Revision, Source, TreeEntry } from "../git/revision.ts";
import { newUid } from "../id.ts";
import type { Principal } from "../principals/principal.ts";
import type { ScopedSecret } from "../secrets/secret.ts";
import type { Reason } from "./outcome.ts";

/** Where a factory's definition lives: someone's repository, a local folder, or a repository that millrace keeps. */
type FactoryMode = "repository" | "folder" | "managed";

export const SYNC_STATUSES = ["synced", "pending", "failed", "suspended"] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

/** A factory on this server. Its uid never changes; its name is that of its last applied definition. */
export interface FactoryRecord {
  uid: string;
  /** Tells one source from another: the same source is the same factory, also after a restart. */
  sourceKey: string;
  name: string;
  mode: FactoryMode;
  source: FactorySource;
  sync: SyncState;
  createdAt: string;
  /** Rises with every change of what it serves, above those of all other factories. 0 before anything was applied. */
  generation: number;
}

export type FactorySource = { url: string; branch: string; path: string } | { path: string };

/** What was attempted last and what is in force are two things: a broken revision leaves the last valid one standing. */
export interface SyncState {
  /** A suspended factory keeps what is in force; how its last attempt ended is told again when it is resumed. */
  status: SyncStatus;
  /** Since when it is suspended; nothing for one that is not. */
  suspendedAt?: string;
  attemptedRevision: string | null;
  attemptedAt: string | null;
  appliedRevision: string | null;
  appliedAt: string | null;
  problems: Problem[];
}

/** A webhook's secret value, sealed, as it was when the definition was applied. */
export interface WebhookCredential {
  webhookUid: string;
  secretName: string;
  sealed: Uint8Array;
  /** The secret that it had before, since when that is so, and until when it is accepted. */
  previous?: { sealed: Uint8Array; since: string; until: string };
}

/** One attempt to apply a revision. */
export interface Attempt {
  id: string;
  revision: Revision;
  at: string;
  problems: Problem[];
  /** The changes of the plan that change something, as far as there is a plan. */
  changes: EffectiveChange[];
  reason: Reason;
  principal: Principal | null;
}

/** What is stored of a definition, as of one instant. */
export interface StoredDefinition {
  generation: number;
  /** Every resource, tombstones too. */
  resources: readonly StoredResource[];
  credentials: readonly WebhookCredential[];
}

/** What applying a valid revision writes, all of it or nothing. */
export interface Application extends Attempt {
  /** The generation that it was planned on. */
  expects: number;
  factoryName: string;
  /** Unique on the server like the name, whatever the case of its letters. */
  alias: string | undefined;
  /** Uids for those changes that create something that never had one, by `kind/name`. */
  newUids: Record<string, string>;
  credentials: WebhookCredential[];
  /** Team secrets that are set with it. */
  secrets?: ScopedSecret[];
  /** Set when the factory goes on with another source than it had. */
  takesOver?: Takeover;
  /** Whether the factory is suspended with this: nothing of its source comes into force until it is resumed. */
  suspends: boolean;
  /** Its files, as they differ from those that were applied last. */
  files?: FileChanges;
  /** The objects of the commit, in a repository that millrace keeps. */
  history?: CommitObjects;
}

/** What became of an application: the generation that it made, or why nothing was written. */
export type Applied = { generation: number } | NotApplied;

export type NotApplied =
  /** The factory serves something else than what the application was planned on, or it is gone. */
  | "moved"
  /** The factory's name, or its alias, is another's, or became so meanwhile. */
  | "name taken"
  | "alias taken"
  /** A secret that is set with it is not any more what it was when the application was prepared. */
  | "secret taken"
  /** Somebody has suspended the factory since the pass began. */
  | "suspended";

/** A source takes over a factory of its name that nobody serves any more: its uids and its history go on. */
export interface Takeover {
  /** The source that the factory had when it was found. */
  formerSourceKey: string;
  /** What the new source was recorded as so far; nothing was ever applied to it. */
  replaced: Pick<FactoryRecord, "uid" | "sourceKey" | "mode" | "source">;
}

/** A webhook that gets the uid back that it had in a store which is lost. */
export interface Adoption {
  uid: string;
  formerUid: string;
  /** Its credential, sealed for the uid that it gets; nothing when it has none. */
  credential: WebhookCredential | undefined;
  /** The generation that the credential is of. */
  expects: number;
  at: string;
}

/** New credentials of webhooks of the definition in force. */
export interface Retake {
  credentials: readonly WebhookCredential[];
  /** The generation that has these webhooks. */
  expects: number;
  at: string;
}

/** A past attempt as the history lists it. */
export interface RevisionRecord {
  id: string;
  revision: string;
  author: string | null;
  message: string | null;
  outcome: "applied" | "failed";
  /** What the revision changed or, if it failed, would have changed. */
  changes: Pick<EffectiveChange, "action" | "kind" | "name" | "fields">[];
  problems: Problem[];
  /** Null for attempts of versions that did not keep it. */
  reason: Reason | null;
  principal: Principal | null;
  at: string;
}

/** Keeps factories and what was applied to them. `find` and `list` read, the rest writes; one call, one transaction. */
export interface FactoryStore extends RevisionFileStore {
  list(): Promise<FactoryRecord[]>;
  /** The number of the last change of any factory, its status and its deletion included: the cheapest question. */
  findLatestGeneration(): Promise<number>;
  /** Those that rest, as far as the last start has noted. */
  listResting(): Promise<string[]>;
  /** Notes which factories the sources of this start serve: the others rest. */
  noteServed(uids: readonly string[]): Promise<void>;
  findBySource(sourceKey: string): Promise<FactoryRecord | undefined>;
  findByName(name: string): Promise<FactoryRecord | undefined>;
  /** The factories that have a name, an alias or a uid which looks like what a factory wants: they share one space. */
  findTakenNames(
    factoryUid: string,
    wanted: { name: string; alias: string | undefined },
  ): Promise<{ name: FactoryRecord | undefined; alias: FactoryRecord | undefined }>;
  /** Has a factory found by another key of its source. */
  moveSource(factoryUid: string, sourceKey: string): Promise<void>;
  /** @returns the factory; the one that is there already, when its source has one */
  create(factory: FactoryRecord): Promise<FactoryRecord>;
  /** Makes a factory of exactly this name. @returns the factory that has one which looks like it, when it was not free */
  claim(factory: FactoryRecord): Promise<FactoryRecord | undefined>;
  /**
   * Forgets every factory of which nothing was ever applied and that is not of these sources: a mistyped branch gives its
   * name back. Those that millrace keeps stay.
   */
  forgetUnapplied(servedSourceKeys: readonly string[]): Promise<void>;
  /** Every resource of the factory, tombstones too. */
  listResources(factoryUid: string): Promise<StoredResource[]>;
  listCredentials(factoryUid: string): Promise<WebhookCredential[]>;
  /** Both of one instant, with their generation; nothing where there is no such factory. */
  findDefinition(factoryUid: string): Promise<StoredDefinition | undefined>;
  listRevisions(factoryUid: string, page: { before?: string; limit: number }): Promise<RevisionRecord[]>;
  /** Of the revisions that begin with these characters, the newest attempt of each outcome, at most so many. */
  findAttempts(factoryUid: string, prefix: string, limit: number): Promise<RevisionRecord[]>;
  /** The pass did not get as far as attempting a revision. */
  recordUnreadable(factoryUid: string, problems: Problem[]): Promise<void>;
  /** The revision in force was looked at again, and this is what there is to say of it now. */
  recordSynced(factoryUid: string, problems: Problem[]): Promise<void>;
  /** A revision was attempted and is not valid: what was applied before stays in force. */
  recordFailure(factoryUid: string, attempt: Attempt): Promise<void>;
  /** An attempt that somebody asked for failed, and is no word about the source: it only stands in the history. */
  recordRefusal(factoryUid: string, attempt: Attempt): Promise<void>;
  /** @returns "files moved" when something else was applied since its files were compared */
  apply(factoryUid: string, application: Application): Promise<Applied | "files moved">;
  /** From now on nothing of the source comes into force. @returns whether it was not so before */
  suspend(factoryUid: string, at: string): Promise<boolean>;
  /** Gives a webhook another uid, with its credential sealed for that and its log. */
  adoptUid(factoryUid: string, adoption: Adoption): Promise<"adopted" | "uid taken" | "moved">;
  /** Gives webhooks of the definition in force another credential, and changes nothing else of it. */
  retakeCredentials(factoryUid: string, retake: Retake): Promise<"retaken" | "moved">;
  /** @returns whether it was suspended */
  resume(factoryUid: string, at: string): Promise<boolean>;
}

/** What a factory has that goes with it. */
export interface FactoryContents {
  /** Those in force. */
  webhooks: StoredResource[];
  automations: StoredResource[];
  waitingRuns: number;
  workingRuns: number;
  /** Schedules of the API that belong to it. */
  schedules: number;
}

/** Takes factories out of the store. `find` reads, the rest writes; each call is one transaction. */
export interface FactoryDeletionStore {
  findContents(factoryUid: string): Promise<FactoryContents>;
  /**
   * Forgets a factory, its resources and its history, cancels its runs that wait and asks for the end of those that work.
   * What has ended, and deliveries, stay until retention takes them.
   * @returns the runs that waited or work, or nothing when there is no such factory
   */
  remove(factoryUid: string, at: string): Promise<{ runs: string[] } | undefined>;
}

/** A file of an applied revision, as the store lists it. */
export interface StoredFile extends TreeEntry {
  /** SHA-256 of its content. Null for what is no file, or is so large that its source does not read it. */
  hash: Uint8Array | null;
}

/** The files of one revision, as it was applied. */
export interface AppliedFiles {
  /** Numbers what was applied to the factory, in that order. */
  number: number;
  revision: Revision;
  files: StoredFile[];
}

/** A content of a file by its SHA-256. */
export interface FileContent {
  hash: Uint8Array;
  bytes: Uint8Array;
}

/** How the files of a revision differ from those of the one that was applied before. */
export interface FileChanges {
  /** The number of that one; 0 when there was none. */
  since: number;
  removed: string[];
  /** Those that are new, and those with another content or mode. */
  written: StoredFile[];
  /** What is in them, each content once. */
  contents: FileContent[];
}

/** Keeps the files of applied revisions, for as long as their factory is there. `find` and `list` read, the rest writes. */
export interface RevisionFileStore {
  /** The files of a revision as it was applied last; without one, of what was applied last. */
  findFiles(factoryUid: string, revision?: string): Promise<AppliedFiles | undefined>;
  listContents(hashes: readonly Uint8Array[]): Promise<FileContent[]>;
  /**
   * Stores the files of a revision that was applied before its files were stored with it.
   * @returns whether nothing was applied since they were compared
   */
  keepFiles(factoryUid: string, revision: string, changes: FileChanges): Promise<boolean>;
}

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
