/** What a path below the route of clones names. */
export interface GitPlace {
  forge: string;
  /** May contain slashes, as groups on some forges do. */
  owner: string;
  name: string;
  /** What is asked of the repository. */
  service: "info/refs" | "git-upload-pack";
}

const PATH = /^\/([^/]+)\/(.+)\/([^/]+)\.git\/(info\/refs|git-upload-pack)$/;

/**
 * The repository and the service that a path names, such as `/github/acme/shop.git/info/refs`; nothing for any other path.
 * Names come decoded, and none of them can step out of a folder.
 */
export function gitPlaceOf(path: string): GitPlace | undefined {
  const [, forge, owner, name, service] = PATH.exec(path) ?? [];
  const parts = [forge, ...(owner?.split("/") ?? []), name].map(decoded);
  if (!parts.every((part): part is string => part !== undefined)) return undefined;
  return {
    forge: parts[0] ?? "",
    owner: parts.slice(1, -1).join("/"),
    name: parts.at(-1) ?? "",
    service: service === "info/refs" ? "info/refs" : "git-upload-pack",
  };
}

function decoded(part: string | undefined): string | undefined {
  try {
    const text = decodeURIComponent(part ?? "");
    return text === "" || text === "." || text === ".." || /[/\\\p{Cc}]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
