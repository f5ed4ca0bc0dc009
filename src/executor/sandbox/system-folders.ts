import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where the programs of the system are. On today's systems all but the first are links into it. */
const FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/** What changes while a server runs. */
const LIVE = ["/etc/resolv.conf", "/etc/hosts"];

/**
 * The options of bubblewrap that show the system's folders as they are, and an /etc that is put together here: each single
 * mount costs every start half a millisecond, so what changes seldom is a copy.
 * @param folder where the copies are kept
 */
export async function systemFolders(folder: string): Promise<string[]> {
  const shown = await Promise.all(FOLDERS.map(shownAsItIs));
  copyEtc(folder, LIVE);
  const live = await Promise.all(
    LIVE.map(async (path) => ((await entryAt(path)) ? ["--ro-bind", path, path] : [])),
  );
  return [...shown.flat(), "--ro-bind", join(folder, "etc"), "/etc", ...live.flat()];
}

/** Whether a path lies where every program of a sandbox can read, or where it has its own of the same name. */
export function isSystemPath(path: string): boolean {
  if (path === "/tmp") return true;
  return [...FOLDERS, "/proc", "/dev", "/sys"].some(
    (folder) => path === folder || path.startsWith(`${folder}/`),
  );
}

async function shownAsItIs(path: string): Promise<string[]> {
  const entry = await entryAt(path);
  if (!entry) return [];
  return entry.isSymbolicLink() ? ["--symlink", await readlink(path), path] : ["--ro-bind", path, path];
}

async function entryAt(path: string) {
  return lstat(path).catch(() => undefined);
}

/** What else programs read in /etc: names, certificates, time, libraries. Nothing that holds secrets or serves services. */
const COPIED = [
  "alternatives",
  "ca-certificates",
  "ca-certificates.conf",
  "crypto-policies",
  "debian_version",
  "fonts",
  "gai.conf",
  "group",
  "host.conf",
  "inputrc",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "locale.alias",
  "localtime",
  "magic",
  "mime.types",
  "networks",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "pki/ca-trust",
  "pki/tls",
  "profile",
  "protocols",
  "python3",
  "services",
  "shells",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
].map((name) => `/etc/${name}`);

/** What the copy was made of; written when all of it is there. */
const MADE_OF = "made-of";

/**
 * Copies what programs read in /etc into a folder, as `etc`. The copy of an earlier start stays when nothing has changed since:
 * making hundreds of files takes a busy disk most of a second, and the server serves nothing before.
 * @param live what is shown as it is; the copy has an empty place for it
 */
export function copyEtc(folder: string, live: readonly string[]): void {
  const now = `${thisStart()} ${state([...live, ...COPIED])}`;
  if (readIfThere(join(folder, MADE_OF)) === now) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "etc"), { recursive: true });
  for (const path of live) if (isThere(path)) writeFileSync(join(folder, path), "");
  for (const path of COPIED) if (isThere(path)) copy(path, join(folder, path));
  // Whatever this server makes is for itself alone, and this is for every run.
  for (const path of ["etc", "etc/ssl", "etc/pki"]) {
    if (isThere(join(folder, path))) chmodSync(join(folder, path), 0o755);
  }
  writeFileSync(join(folder, MADE_OF), now);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    // The asynchronous copy of Node takes ten times as long.
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  } catch {
    // What this server may not read, its agents may not either.
  }
}

/** Tells one start of the machine from another: after a failure of power, files that were written last may be empty. */
function thisStart(): string {
  return readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

/** Tells whether anything has changed below these paths: a file that is written to has another time of change. */
function state(paths: readonly string[]): string {
  const hash = createHash("sha256");
  const add = (path: string): void => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry) return;
    const { ino, mode, size, ctimeMs } = entry;
    hash.update(`${path}\0${ino} ${mode} ${size} ${ctimeMs}\0`);
    if (entry.isDirectory()) for (const name of namesIn(path)) add(join(path, name));
  };
  for (const path of paths) add(path);
  return hash.digest("hex");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
