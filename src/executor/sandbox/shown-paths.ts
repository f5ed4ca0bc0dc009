import { followLinks, type Link } from "./follow-links.ts";

/** What a sandbox shows of the server: files and folders at their real paths, and the links that lead to them. */
export interface ShownPaths {
  mounts: string[];
  links: Link[];
}

/** A path that is to be seen, and the file or folder that it takes for that. */
export interface WantedPath {
  path: string;
  /** What has to be mounted for it, given where the path ends; the end itself when nothing is said. */
  mountOf?: (real: string) => string;
}

/**
 * Works out what to mount and which links to make so that every path is seen as it is outside. Nothing is mounted inside of
 * another mount, and no link is made where a mount shows it already: both would fail, or hide what lies there.
 * @param isCovered whether a path is seen without any of it
 */
export function showPaths(wanted: readonly WantedPath[], isCovered: (path: string) => boolean): ShownPaths {
  const followed = wanted.map(({ path, mountOf = (real) => real }) => {
    const { real, links } = followLinks(path);
    return { mount: mountOf(real), links };
  });
  const mounts = outermost(followed.map(({ mount }) => mount).filter((path) => !isCovered(path)));
  const links = new Map<string, Link>();
  for (const one of followed.flatMap(({ links }) => links)) {
    if (!isCovered(one.link) && !mounts.some((mount) => isWithin(one.link, mount))) links.set(one.link, one);
  }
  return { mounts, links: [...links.values()] };
}

/** The paths that lie in no other one of them, each once. */
function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)].sort();
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(path, other)));
}

/** Whether a path is a folder or lies somewhere in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
