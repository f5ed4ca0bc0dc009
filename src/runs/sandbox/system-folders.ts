import { cpSync } from "node:fs";
import { chmod, lstat, mkdir, readlink, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where the programs of the system are. On today's systems all but the first are links into it. */
const FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/** What changes while a server runs. */
const LIVE = ["/etc/resolv.conf", "/etc/hosts"];

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

/**
 * The options of bubblewrap that show the system's folders as they are, and an /etc that is put together here: each single
 * mount costs every start half a millisecond, so what changes seldom is copied once.
 * @param folder where the copies are kept
 */
export async function systemFolders(folder: string): Promise<string[]> {
  const shown = await Promise.all(FOLDERS.map(shownAsItIs));
  await copyAll(folder);
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

async function copyAll(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "etc"), { recursive: true });
  for (const path of [...LIVE, ...COPIED]) if (await entryAt(path)) await copy(path, join(folder, path));
  // Whatever this server makes is for itself alone, and this is for every run.
  for (const path of ["etc", "etc/ssl", "etc/pki"]) await chmod(join(folder, path), 0o755).catch(() => {});
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const isLive = LIVE.includes(from);
  try {
    // Hundreds of small files, before the server serves: the asynchronous copy of Node takes ten times as long.
    cpSync(from, to, { recursive: true, verbatimSymlinks: !isLive, dereference: isLive });
  } catch {
    // What this server may not read, its agents may not either.
  }
}

async function entryAt(path: string) {
  return lstat(path).catch(() => undefined);
}
