import { existsSync, statSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { MillraceError } from "../errors/error.ts";

/** What a SOURCE argument names. */
export type SourceLocation =
  /** A working folder: its files are read as they are and watched. */
  | { kind: "folder"; path: string }
  /** A repository: its production branch is mirrored, and read from the object database. */
  | { kind: "repository"; url: string };

const REMOTE_URL = /^(https?|ssh|git|file):\/\//;
/** `user@host:path`, the short form of an ssh URL. */
const SCP_LIKE = /^(?!-)(?:[A-Za-z0-9._-]+@)?(?!-)[A-Za-z0-9.-]+:(?!\/\/)[^:]*$/;

/**
 * Reads a SOURCE argument: a folder, a git URL, a bare repository, or `git:PATH`.
 * @throws MillraceError `invalid_request` when it is none of these or would carry a password into an argument list
 */
export function locateSource(source: string): SourceLocation {
  if (source.startsWith("git:") && !source.startsWith("git://")) {
    const path = resolve(existing(source.slice("git:".length), source));
    if (!existsSync(join(path, ".git")) && !isBareRepository(path)) throw refuseWithoutGit(source, path);
    return { kind: "repository", url: path };
  }
  if (REMOTE_URL.test(source)) return { kind: "repository", url: remoteUrl(source) };
  const path = resolve(source);
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw refuse(source, "is a file, not a folder or a repository");
    return isBareRepository(path) ? { kind: "repository", url: path } : { kind: "folder", path };
  }
  if (SCP_LIKE.test(source)) return { kind: "repository", url: source };
  throw refuse(source, "is neither an existing folder nor a git URL");
}

/** The name that a factory has until its first valid definition names it: the last part of its source. */
export function sourceName(location: SourceLocation): string {
  const path = location.kind === "folder" ? location.path : location.url.replace(/\/+$/, "");
  const name = basename(path.includes("/") ? path : path.replace(/^.*:/, "")).replace(/\.git$/, "");
  return name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "factory";
}

/** Whether git reads this without a program of its own for it: a URL of a known kind, `user@host:path`, or a path. */
export function isReadableUrl(url: string): boolean {
  if (REMOTE_URL.test(url)) return URL.canParse(url) && !new URL(url).hostname.startsWith("-");
  return SCP_LIKE.test(url) || isAbsolute(url);
}

function remoteUrl(source: string): string {
  if (!isReadableUrl(source)) throw refuse(withoutUserInfo(source), "is not a URL that git can read");
  refuseCredentials(source);
  return source;
}

/**
 * Over http a user name is as good as a password, since hosts take tokens there; over ssh it only says who logs in.
 * @throws MillraceError `invalid_request` that does not show what it refuses
 */
export function refuseCredentials(url: string): void {
  if (!URL.canParse(url)) return;
  const { protocol, username, password } = new URL(url);
  if (password === "" && (username === "" || !/^https?:$/.test(protocol))) return;
  throw new MillraceError(
    "invalid_request",
    `The source ${withoutUserInfo(url)} contains a user name or a password, which every user could see.`,
    {
      remedy:
        "Remove it from the URL, and set the token with MILLRACE_GIT_TOKEN, MILLRACE_GIT_TOKEN_FILE or credentials: in millrace.yaml.",
    },
  );
}

function withoutUserInfo(source: string): string {
  return source.replace(/^([a-z]+:\/\/)[^/]*@/i, "$1");
}

function isBareRepository(path: string): boolean {
  return (
    ["HEAD", "objects", "refs"].every((name) => existsSync(join(path, name))) &&
    !existsSync(join(path, ".git"))
  );
}

function existing(path: string, source: string): string {
  if (path === "" || !existsSync(path)) throw refuse(source, `is not an existing repository`);
  return path;
}

function refuseWithoutGit(source: string, path: string): MillraceError {
  return new MillraceError(
    "invalid_request",
    `The source "${source}" is a folder that is not a git repository.`,
    {
      remedy: `Specify the folder itself, as "${path}", or make it a repository: git init, git add, git commit.`,
    },
  );
}

function refuse(source: string, why: string): MillraceError {
  return new MillraceError("invalid_request", `The source "${source}" ${why}.`, {
    remedy:
      "Specify a folder, a git URL (https://, ssh:// or user@host:path), a bare repository, or git:PATH.",
  });
}
