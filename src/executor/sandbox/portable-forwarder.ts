import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ask } from "./find-program.ts";
import { exists } from "./look-at-files.ts";

/** Where a container finds it. */
export const FORWARDER_INSIDE = "/run/millrace/forwarder";

/** The name of the dynamic loader in it, whatever the system calls it. */
const LOADER = "loader";

/** How a program of the forwarder is started: by its own loader, with its own libraries. */
const startedByLoader = (program: string, folder = FORWARDER_INSIDE): readonly string[] => [
  join(folder, LOADER),
  "--library-path",
  folder,
  join(folder, program),
];

export const PORTABLE_SHELL = startedByLoader("sh");
export const PORTABLE_SOCAT = startedByLoader("socat");

/**
 * Copies socat and a shell, with the libraries that they need, into a folder that any image can be given: images need not have
 * them, nor the same C library.
 *
 * A folder is named after what it was copied from, and never written again: containers of an earlier server may still use it.
 * @param folder for the sockets of proxies, for this user alone
 * @returns its path, or why there is none, as a sentence
 * @throws what the file system says
 */
export async function installForwarder(folder: string, socat: string): Promise<string | { reason: string }> {
  const files = new Map<string, string>();
  for (const [name, path] of Object.entries({ sh: "/bin/sh", socat })) {
    const needed = await librariesOf(path);
    if (needed === undefined)
      return { reason: `the libraries of ${path} could not be listed with the program ldd` };
    files.set(name, path);
    for (const [library, from] of needed) files.set(library, from);
  }
  const place = join(folder, `forwarder-${await fingerprint(files)}`);
  if (exists(place)) return place;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = await mkdtemp(join(folder, "new-forwarder-"));
  try {
    await copyAll(files, made);
    const trial = await ask([...startedByLoader("sh", made), "-c", ":"], {});
    if (trial.code !== 0)
      return { reason: `a copy of /bin/sh does not start with its own loader: ${trial.said.trim()}` };
    // Another process of this user may have been faster.
    await rename(made, place).catch((error) => {
      if (!exists(place)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  await removeUnused(folder, place);
  return place;
}

/** What ldd(1) lists: the libraries that a program is linked with, and its loader, by the names under which it looks for them. */
async function librariesOf(program: string): Promise<Map<string, string> | undefined> {
  const { code, said } = await ask(["ldd", program], { PATH: process.env.PATH ?? "", LC_ALL: "C" });
  if (code !== 0) return undefined;
  const libraries = new Map<string, string>();
  for (const line of said.split("\n")) {
    const [, name = "", to] = /^\s*(\S+)(?: => (\/\S+))? \(0x/.exec(line) ?? [];
    const path = to ?? name;
    if (!path.startsWith("/")) continue;
    if (to !== undefined) libraries.set(basename(name), path);
    if (/^ld[-.]/.test(basename(path))) libraries.set(LOADER, path);
  }
  return libraries.has(LOADER) ? libraries : undefined;
}

async function fingerprint(files: ReadonlyMap<string, string>): Promise<string> {
  const hash = createHash("sha256");
  for (const [name, from] of [...files].sort()) {
    const path = await realpath(from);
    const { size, mtimeMs } = await stat(path);
    hash.update(`${name}\0${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** The programs of runs have users of their own, and the umask of a server lets nobody else read what it makes. */
async function copyAll(files: ReadonlyMap<string, string>, folder: string): Promise<void> {
  for (const [name, from] of files) {
    await copyFile(from, join(folder, name));
    await chmod(join(folder, name), 0o555);
  }
  await chmod(folder, 0o755);
}

/** While no proxy of a run is open, no container uses another one. */
async function removeUnused(folder: string, place: string): Promise<void> {
  const names = await readdir(folder);
  if (names.some((name) => name.endsWith(".sock"))) return;
  const unused = names.filter((name) => name.startsWith("forwarder-")).map((name) => join(folder, name));
  for (const path of unused) if (path !== place) await rm(path, { recursive: true, force: true });
}
