import { execFileSync, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onFinished } from "./cleanup.ts";

// Taken before a test puts something else before git.
const BACKEND = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
const { PATH } = process.env;

export interface GitHttp {
  url: string;
  /** The token that the host accepts; any other is refused. */
  token: string;
  /** The Authorization headers that came, in order. */
  seen: (string | undefined)[];
  /** How the bodies of answers come; nothing for at once. */
  pieceEvery?: { bytes: number; milliseconds: number };
  /** Whether anybody may read. */
  isOpen?: boolean;
  /** Which other tokens open what. */
  isGranted?: (token: string, path: string) => boolean;
  /** What is at the place of a repository that is asked for; nothing for what its path says. */
  rewrite?: (repository: string) => string;
}

/** Serves a bare repository over HTTP as forges do, with git's own backend behind basic authentication. */
export async function serveOverHttp(repository: string, token: string): Promise<GitHttp> {
  const host: GitHttp = { url: "", token, seen: [] };
  const server = createServer((request, response) => {
    host.seen.push(request.headers.authorization);
    const expected = `Basic ${Buffer.from(`x-access-token:${host.token}`).toString("base64")}`;
    const [, given = ""] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    const token = Buffer.from(given, "base64")
      .toString()
      .replace(/^x-access-token:/, "");
    const isGranted = host.isGranted?.(token, request.url ?? "") ?? false;
    if (host.isOpen || isGranted || request.headers.authorization === expected)
      runBackend(dirname(repository), request, response, host);
    else response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
  });
  host.url = `http://127.0.0.1:${await listenOnLoopback(server)}/${repository.split("/").at(-1)}`;
  return host;
}

/** Answers every request with a redirect to another address. */
export async function serveRedirects(to: string): Promise<string> {
  const server = createServer((request, response) =>
    response.writeHead(301, { location: `${to}${request.url}` }).end(),
  );
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

async function listenOnLoopback(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The common gateway interface of `git http-backend`: variables in, headers and body out. */
function runBackend(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  { pieceEvery, rewrite }: GitHttp,
): void {
  const asked = request.url ?? "/";
  const url = new URL(rewrite ? asked.replace(/^.*?\.git/, rewrite) : asked, "http://localhost");
  const child = spawn(BACKEND, {
    env: {
      PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "test",
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const output = Buffer.concat(chunks);
    const split = output.indexOf("\r\n\r\n");
    const headers = Object.fromEntries(
      output
        .toString("latin1", 0, split)
        .split("\r\n")
        .map((line) => [line.split(": ")[0] ?? "", line.slice(line.indexOf(": ") + 2)]),
    );
    response.writeHead(Number(headers.Status?.slice(0, 3) ?? 200), headers);
    const body = output.subarray(split + 4);
    if (pieceEvery) void trickle(body, response, pieceEvery);
    else response.end(body);
  });
}

async function trickle(
  body: Buffer,
  response: ServerResponse,
  { bytes, milliseconds }: NonNullable<GitHttp["pieceEvery"]>,
): Promise<void> {
  for (let at = 0; at < body.length && !response.destroyed; at += bytes) {
    response.write(body.subarray(at, at + bytes));
    await sleep(milliseconds, undefined, { ref: false });
  }
  response.end();
}
