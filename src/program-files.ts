import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sea from "node:sea";
import { fileURLToPath } from "node:url";
import { errorMessage, MillraceError } from "./error.ts";

/** The names of all files that a binary carries, as its build has listed them. */
const LISTING = "files.json";

/** The text of a file that belongs to the program, by its path in the package: `schemas/millrace.schema.json`. */
export function readProgramFile(path: string): string {
  return sea.isSea() ? sea.getAsset(path, "utf8") : readFileSync(inPackage(path), "utf8");
}

/**
 * A file or folder of the program as a place on the disk, for what takes nothing else. A binary unpacks it into a folder of
 * this user alone; what lies there already has to be the same, byte for byte.
 */
export function programPath(path: string): string {
  if (!sea.isSea()) return inPackage(path);
  const folder = unpackingFolder();
  const names = JSON.parse(sea.getAsset(LISTING, "utf8")) as string[];
  for (const name of names) if (name === path || name.startsWith(`${path}/`)) unpack(name, folder);
  return join(folder, path);
}

function inPackage(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

function unpack(name: string, folder: string): void {
  const content = Buffer.from(sea.getRawAsset(name) as ArrayBuffer);
  const file = join(folder, name);
  if (isSame(file, content)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, file);
}

function isSame(file: string, content: Buffer): boolean {
  try {
    return lstatSync(file).isFile() && readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

let found: string | undefined;

/** One folder for each build, so that an upgrade never replaces what an older process has loaded. */
function unpackingFolder(): string {
  if (found !== undefined) return found;
  const build = createHash("sha256").update(sea.getAsset("build.json", "utf8")).digest("hex").slice(0, 16);
  const reasons: string[] = [];
  for (const place of places()) {
    try {
      found = ownFolder(place, build);
      return found;
    } catch (error) {
      reasons.push(errorMessage(error));
    }
  }
  throw new MillraceError("service_unavailable", `There is no folder to unpack to: ${reasons.join("; ")}.`, {
    remedy:
      "Name one that this user may write to, and from which programs may be loaded, with XDG_CACHE_HOME.",
  });
}

function places(): string[] {
  const { XDG_CACHE_HOME, CACHE_DIRECTORY, HOME } = process.env;
  const named = [XDG_CACHE_HOME, CACHE_DIRECTORY, HOME && join(HOME, ".cache")].filter((place) => !!place);
  return [...(named as string[]), join(tmpdir(), `cache-${process.getuid?.() ?? "user"}`)];
}

/** @throws Error when the folder cannot be made, or when somebody else could have put something there */
function ownFolder(place: string, build: string): string {
  const folder = join(place, "millrace", build);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [join(place, "millrace"), folder]) {
    const { uid, mode } = lstatSync(path);
    if (uid !== process.getuid?.()) throw new Error(`${path} belongs to another user`);
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
  }
  return folder;
}
