import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import sea from "node:sea";
import { fileURLToPath } from "node:url";
import { errorMessage, MillraceError } from "../errors/error.ts";

/** The names of all files that a binary carries, as its build has listed them. */
const LISTING = "files.json";

/** The text of a file that belongs to the program, by its path in the package: `schemas/millrace.schema.json`. */
export function readAsset(path: string): string {
  return sea.isSea() ? sea.getAsset(path, "utf8") : readFileSync(inPackage(path), "utf8");
}

/** The bytes of such a file. Those of a binary are its own, and may not be written to. */
export function readAssetBytes(path: string): Buffer {
  return sea.isSea() ? Buffer.from(sea.getRawAsset(path) as ArrayBuffer) : readFileSync(inPackage(path));
}

/** The paths of all files in a folder of the program, at any depth; none when there is no such folder. */
export function listAssets(folder: string): string[] {
  if (sea.isSea()) return carried().filter((path) => path.startsWith(`${folder}/`));
  const place = inPackage(folder);
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${folder}/${relative(place, join(entry.parentPath, entry.name)).split(sep).join("/")}`);
}

/**
 * A file or folder of the program as a place on the disk, for what takes nothing else. A binary unpacks it into a folder of
 * this user alone; what lies there already has to be the same, byte for byte.
 */
export function assetPath(path: string): string {
  if (!sea.isSea()) return inPackage(path);
  const folder = unpackingFolder();
  for (const name of carried()) if (name === path || name.startsWith(`${path}/`)) unpack(name, folder);
  return join(folder, path);
}

function carried(): string[] {
  return JSON.parse(sea.getAsset(LISTING, "utf8")) as string[];
}

function inPackage(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

function unpack(name: string, folder: string): void {
  const content = readAssetBytes(name);
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
  throw new MillraceError(
    "service_unavailable",
    `No folder is available to unpack files to: ${reasons.join("; ")}.`,
    {
      remedy: "Set XDG_CACHE_HOME to a folder that this user can write to and load programs from.",
    },
  );
}

interface Place {
  path: string;
  /** Whether anybody could have made it: then it has to be this user's too. Who owns a folder can put another in its place. */
  isOpenToAll?: boolean;
}

function places(): Place[] {
  const { XDG_CACHE_HOME, CACHE_DIRECTORY, HOME } = process.env;
  const named = [XDG_CACHE_HOME, CACHE_DIRECTORY, HOME && join(HOME, ".cache")];
  return [
    ...named.flatMap((path) => (path ? [{ path }] : [])),
    { path: join(tmpdir(), `cache-${process.getuid?.() ?? "user"}`), isOpenToAll: true },
  ];
}

/** @throws Error when the folder cannot be made, or when someone else could have put something there */
function ownFolder({ path: place, isOpenToAll = false }: Place, build: string): string {
  const folder = join(place, "millrace", build);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [...(isOpenToAll ? [place] : []), join(place, "millrace"), folder]) {
    const { uid, mode } = lstatSync(path);
    if (uid !== process.getuid?.()) throw new Error(`${path} belongs to another user`);
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
  }
  return folder;
}
