import { readlinkSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { systemCode } from "../../errors/error.ts";

/** A symbolic link as it stands in the file system: its parent folder is no link, and `to` is its text. */
export interface Link {
  link: string;
  to: string;
}

/** The kernel follows no more either. */
const MAX_LINKS = 40;

/**
 * Follows a path as the kernel does, one name after the other.
 * @returns where it ends, and every link on the way: of the path, of its folders, and of what those lead to
 */
export function followLinks(path: string): { real: string; links: Link[] } {
  const links: Link[] = [];
  let real = "/";
  let names = namesOf(path);
  while (names.length > 0) {
    const [name = "", ...rest] = names;
    if (name === "..") {
      real = dirname(real);
      names = rest;
      continue;
    }
    const here = join(real, name);
    const to = links.length < MAX_LINKS ? readLink(here) : undefined;
    if (to === undefined) {
      real = here;
      names = rest;
      continue;
    }
    links.push({ link: here, to });
    if (isAbsolute(to)) real = "/";
    names = [...namesOf(to), ...rest];
  }
  return { real, links };
}

const namesOf = (path: string) => path.split("/").filter((name) => name !== "" && name !== ".");

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    // No link, nothing, or a folder that this server may not search: the rest is taken as it is written.
    if (systemCode(error) !== undefined) return undefined;
    throw error;
  }
}
