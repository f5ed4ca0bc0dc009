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
  /** What clones have as their origin, where that is another URL. */
  originUrl?: string;
  access: Access;
  /** Where a person sets the token, for messages. */
  tokenIn: string;
  /** Makes a token with which it, and nothing else, can be pushed to; left out where the forge has only a token for all. */
  push?(signal: AbortSignal): Promise<string>;
}

/** The forges that a factory may use: what `owner/repo` means to it. */
export interface Forges<Access> {
  has(repository: RepositoryName): boolean;
  /** Whether its forge makes tokens with which it can be pushed to. */
  canPush(repository: RepositoryName): boolean;
  /** Where a repository is, or why nobody knows. */
  locate(repository: RepositoryName): Located<Access> | { missing: string };
  /** What lets the factory use more of the server's forges, for messages; nothing where it may use all of them. */
  readonly howToUseMore?: string;
}

/** The forges of a server. Nobody gets them but as those of a factory. */
export interface ServerForges<Access> {
  /** Whether there is any, whoever may use it. */
  readonly isConfigured: boolean;
  /** Those of a factory; of no factory, those of the runs that belong to none. */
  of(factoryUid: string | null): Promise<Forges<Access>>;
}

/**
 * What the name of a repository may be, wherever one is written. A name that is an option, a folder above or has a slash in it leads
 * elsewhere, and git takes other names for its own files. Two names with a leading point are GitHub's.
 */
const NAME =
  "(?!\\.(?!github$|github-private$))(?!.*\\.\\.)(?!.*\\.(?:[gG][iI][tT]|[lL][oO][cC][kK])?$)[A-Za-z0-9_.~][A-Za-z0-9_.~-]*";
export const REPOSITORY_NAME = `^${NAME}$`;

/** What the owner may be. Groups within groups, as some forges have them, are owners with slashes. */
const OWNER_PART = "(?!\\.)(?:(?!\\.\\.|\\.(?:[gG][iI][tT]|[lL][oO][cC][kK])?(?:/|$))[A-Za-z0-9_.~-])+";
export const REPOSITORY_OWNER = `^(?!-)${OWNER_PART}(?:/(?!-)${OWNER_PART})*$`;

/** Which part of `owner/repo` is none that a repository can have. */
export function invalidPartOf({ owner, name }: RepositoryName): "owner" | "name" | undefined {
  if (!OWNER_FORM.test(owner)) return "owner";
  return NAME_FORM.test(name) ? undefined : "name";
}

const OWNER_FORM = new RegExp(REPOSITORY_OWNER);
const NAME_FORM = new RegExp(REPOSITORY_NAME);

/** What is expected in the place of a name that is none, for messages. */
export const EXPECTED_REPOSITORY =
  "use letters, digits, - _ . and ~, not starting with - or a point, not ending with a point, .git or .lock, and without two points in a row";

/**
 * The forge that lists an owner has its repositories, and the first one that lists no owners has those of all others.
 * @param howToUseMore what lets a factory use more forges than these
 */
export function createForges<Access>(
  forges: readonly Forge<Access>[],
  howToUseMore?: string,
): Forges<Access> {
  const self: Forges<Access> = {
    ...(howToUseMore === undefined ? {} : { howToUseMore }),
    has: (repository) => !("missing" in self.locate(repository)),
    canPush(repository) {
      const located = self.locate(repository);
      return !("missing" in located) && located.push !== undefined;
    },
    locate({ owner, name }) {
      const shown = `${owner}/${name}`;
      if (invalidPartOf({ owner, name })) {
        return { missing: `${JSON.stringify(shown)} is not a valid repository name.` };
      }
      const forge =
        forges.find(({ owners }) => owners?.includes(owner)) ?? forges.find((each) => !each.owners);
      if (!forge) return { missing: whyUnknown(shown, owner, forges, howToUseMore) };
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

function whyUnknown(
  shown: string,
  owner: string,
  forges: readonly Forge<unknown>[],
  howToUseMore: string | undefined,
): string {
  if (howToUseMore !== undefined) {
    const own = forges.map(({ name }) => name).join(", ");
    const listing = own === "" ? "" : ` (${own}: each lists other owners)`;
    return `No forge that this factory may use is configured for ${shown}${listing}: ${howToUseMore}, and restart the server.`;
  }
  if (forges.length > 0) {
    const names = forges.map(({ name }) => name).join(", ");
    return (
      `No forge is configured for ${shown}: each of ${names} lists owners, and none lists "${owner}". ` +
      "Add the owner, or a forge without owners:, under forges: in millrace.yaml."
    );
  }
  return (
    `No forge is configured, so ${shown} cannot be located. Add a forge under forges: in millrace.yaml, ` +
    "for example github: { baseUrl: https://github.com }, and start the server with --config millrace.yaml."
  );
}
