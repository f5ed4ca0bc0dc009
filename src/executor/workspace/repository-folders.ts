import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Located } from "../../forge/forge.ts";
import type { CheckedOut, Checkout, EventCheckout, RequestedCheckout } from "../../git/checkout.ts";
import { isOfRepository } from "../../git/checkout.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { Mirror } from "../../git/mirrors/mirror.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import { SourceError } from "../../git/revision.ts";
import { OWN_NAMES } from "../../runs/rules/workspace-names.ts";

/** A repository, and where it is. */
export interface LocatedRepository {
  owner: string;
  name: string;
  remote: Located<GitAccess>;
}

/**
 * The folder of each repository: its name; with its owner before it where two have one name, where something of the run's
 * own has it, or where it begins with a dot, which in the agent's home would be the settings of some program.
 */
export function repositoryFolders<Repository extends { owner: string; name: string }>(
  repositories: readonly Repository[],
  taken: readonly string[] = [],
): Map<string, Repository> {
  const reserved = new Set([...OWN_NAMES, ...taken.map((name) => name.toLowerCase())]);
  const count = new Map<string, number>();
  const unique = new Map(repositories.map((each) => [`${each.owner}/${each.name}`.toLowerCase(), each]));
  // File systems that take no notice of case would give one folder to both.
  for (const { name } of unique.values())
    count.set(name.toLowerCase(), (count.get(name.toLowerCase()) ?? 0) + 1);

  const folders = new Map<string, Repository>();
  for (const repository of unique.values()) {
    const { owner, name } = repository;
    const key = name.toLowerCase();
    const isOwn = count.get(key) === 1 && !reserved.has(key) && !name.startsWith(".");
    let folder = isOwn ? name : `${owner.replaceAll("/", "-")}-${name}`;
    const wanted = folder;
    for (let number = 2; folders.has(folder.toLowerCase()) || isTaken(folder); number += 1)
      folder = `${wanted}-${number}`;
    folders.set(folder, repository);
  }
  return folders;

  function isTaken(folder: string): boolean {
    const key = folder.toLowerCase();
    return reserved.has(key) || [...folders.keys()].some((other) => other.toLowerCase() === key);
  }
}

/** How the repositories of a run are cloned. */
export interface CloneRepositoriesOptions {
  mirrors: MirrorCache;
  /** Where clones find objects that they share with mirrors; without it, they have copies. */
  objects: string | undefined;
  /** Where the repository of the run's event is checked out; the others are on their default branches. */
  checkout: EventCheckout | undefined;
  /** Where whoever started the run wants a repository to be checked out, which the run does not go without. */
  requested?: RequestedCheckout | undefined;
  /** Who commits. */
  author: { name: string; email: string };
  /** Whether the run goes without those that cannot be read. */
  mayGoWithout: boolean;
  /** What ends the preparation when a repository cannot be read and has to be there. */
  failure(repository: LocatedRepository, why: string): Error;
  /** Hears of what a person should know. */
  note(text: string): void;
  signal: AbortSignal;
}

/** What is said of a repository that a run does not get. */
export function goesWithout({ owner, name }: { owner: string; name: string }, why: string): string {
  return `this run does not have ${owner}/${name}: ${why}`;
}

function checkedOutNote(folder: string, { ref, commit: wanted }: Checkout, done: CheckedOut): string {
  const at = `${folder} is at commit ${done.commit.slice(0, 12)}${ref === undefined ? "" : ` of ${ref}`}`;
  return done.hasMoved ? `${at}: commit ${wanted?.slice(0, 12)} of the event no longer exists there` : at;
}

/** A request names a place as people do, and an event as its forge does. */
async function findPlace(
  repository: LocatedRepository,
  { requested, checkout }: Pick<CloneRepositoriesOptions, "requested" | "checkout">,
  mirror: Mirror,
  signal: AbortSignal,
): Promise<Checkout | undefined> {
  if (requested && isOfRepository(repository, requested)) return mirror.find(requested.ref, signal);
  if (!checkout || !isOfRepository(repository, checkout)) return undefined;
  await mirror.fetchRef(checkout.ref, signal);
  return checkout;
}

/**
 * Clones every repository into its folder, side by side; the first that cannot be cloned ends the others.
 * @returns those that are there now
 */
export async function cloneRepositories(
  workspace: string,
  folders: ReadonlyMap<string, LocatedRepository>,
  { mirrors, signal, ...options }: CloneRepositoriesOptions,
): Promise<LocatedRepository[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  let why: unknown;
  const left = new Set<LocatedRepository>();
  await Promise.all(
    [...folders].map(async ([folder, repository]) => {
      const mirror = mirrors.of(repository.remote);
      try {
        await mirror.refresh(either);
        const checkout = await findPlace(repository, options, mirror, either);
        const { author } = options;
        const objects = options.objects && join(options.objects, folder);
        const done = await mirror.clone(join(workspace, folder), either, { author, checkout, objects });
        if (done && checkout) options.note(checkedOutNote(folder, checkout, done));
      } catch (error) {
        const isUnreadable = error instanceof SourceError && !either.aborted;
        const isOptional = options.mayGoWithout && !isOfRepository(repository, options.requested);
        if (isUnreadable && isOptional) return goWithout(folder, repository, error);
        why ??= isUnreadable ? options.failure(repository, error.message) : error;
        failed.abort(error);
      }
    }),
  );
  signal.throwIfAborted();
  if (why !== undefined) throw why;
  return [...folders.values()].filter((repository) => !left.has(repository));

  async function goWithout(folder: string, repository: LocatedRepository, error: SourceError) {
    left.add(repository);
    await rm(join(workspace, folder), { recursive: true, force: true });
    if (options.objects) await rm(join(options.objects, folder), { recursive: true, force: true });
    options.note(goesWithout(repository, error.message));
  }
}
