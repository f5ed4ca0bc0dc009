import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ask } from "./ask-program.ts";
import { exists } from "./look-at-files.ts";

/** Where a container finds it. */
export const FORWARDER_INSIDE = "/run/millrace/forwarder";

/** The name of the dynamic loader in it, whatever the system calls it. */
const LOADER = "loader";

/** How a program of the forwarder is started in a container: by its own loader, which takes nothing from the image. */
const started = (program: string): readonly string[] => [
  join(FORWARDER_INSIDE, LOADER),
  "--library-path",
  FORWARDER_INSIDE,
  join(FORWARDER_INSIDE, program),
];

export const PORTABLE_SHELL = started("shell");
export const PORTABLE_SOCAT = started("socat");

/**
 * Copies socat and a shell, with the libraries that they need, into a folder that any image can be given: images need not have
 * them, nor the same C library.
 *
 * A folder is named after what it was copied from, and never written again: containers of an earlier server may still use it.
 * @param folder a folder for this user alone
 * @returns its path, or why there is none, as a sentence
 */
export async function installForwarder(folder: string, socat: string): Promise<string | { reason: string }> {
  const files = new Map<string, string>();
  for (const [name, path] of Object.entries({ shell: "/bin/sh", socat })) {
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
  await copyAll(files, made);
  await replaceOthers(folder, made, place);
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

async function replaceOthers(folder: string, made: string, place: string): Promise<void> {
  const others = (await readdir(folder)).filter((name) => /^(new-)?forwarder-/.test(name));
  await rename(made, place);
  const left = others.map((name) => join(folder, name)).filter((path) => path !== made && path !== place);
  for (const path of left) await rm(path, { recursive: true, force: true });
}
