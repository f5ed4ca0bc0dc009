/** What `owner/repo` names. */
export interface RepositoryName {
  owner: string;
  name: string;
}

/** A host of repositories; what opens them is the business of whoever fetches. */
export interface Forge<Access> {
  name: string;
  /** Without a slash at its end. */
  baseUrl: string;
  /** Whose repositories are there; nothing for a forge that has those of everybody else. */
  owners?: readonly string[];
  access: Access;
  /** Makes a token with which one repository can be pushed to, where the forge has something that can. */
  push?(repository: RepositoryName, signal: AbortSignal): Promise<string>;
}

/** Where a repository is, and what opens it. */
export interface Located<Access> {
  /** The name of the forge. */
  forge: string;
  url: string;
  access: Access;
  /** Where a person sets the token, for messages. */
  tokenIn: string;
  /** Makes a token with which it, and nothing else, can be pushed to; left out where the forge has only a token for all. */
  push?(signal: AbortSignal): Promise<string>;
}

/** The forges of a server: what `owner/repo` means there. */
export interface Forges<Access> {
  /** Whether there is any. */
  readonly isConfigured: boolean;
  has(repository: RepositoryName): boolean;
  /** Where a repository is, or why nobody knows. */
  locate(repository: RepositoryName): Located<Access> | { missing: string };
}

/** Part of a path on a forge: a name that is an option, a folder above or has a slash in it leads elsewhere. */
const PATH_SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.~][A-Za-z0-9_.~-]*$/;

/** The forge that lists an owner has its repositories, and the first one that lists no owners has those of all others. */
export function createForges<Access>(forges: readonly Forge<Access>[]): Forges<Access> {
  const self: Forges<Access> = {
    isConfigured: forges.length > 0,
    has: (repository) => !("missing" in self.locate(repository)),
    locate({ owner, name }) {
      const shown = `${owner}/${name}`;
      // Groups within groups, as some forges have them, are owners with slashes.
      if (![...owner.split("/"), name].every((part) => PATH_SEGMENT.test(part))) {
        return { missing: `${JSON.stringify(shown)} cannot be the name of a repository.` };
      }
      const forge =
        forges.find(({ owners }) => owners?.includes(owner)) ?? forges.find((each) => !each.owners);
      if (!forge) return { missing: whyUnknown(shown, owner, forges) };
      const { push } = forge;
      return {
        forge: forge.name,
        url: `${forge.baseUrl}/${owner}/${name}.git`,
        access: forge.access,
        tokenIn: `the token of forges.${forge.name} in millrace.yaml`,
        ...(push ? { push: (signal: AbortSignal) => push({ owner, name }, signal) } : {}),
      };
    },
  };
  return self;
}

function whyUnknown(shown: string, owner: string, forges: readonly Forge<unknown>[]): string {
  if (forges.length > 0) {
    const names = forges.map(({ name }) => name).join(", ");
    return (
      `This server knows no forge for ${shown}: none of ${names} lists the owner "${owner}", and each lists owners. ` +
      "Add the owner, or a forge without owners:, under forges: in millrace.yaml."
    );
  }
  return (
    `This server knows no forge, so it does not know where ${shown} is. Name one under forges: in millrace.yaml, ` +
    "for example github: { baseUrl: https://github.com }, and start the server with --config millrace.yaml."
  );
}
