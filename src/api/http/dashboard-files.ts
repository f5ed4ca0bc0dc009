import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import sea from "node:sea";
import type { Request, Response, Router } from "express";
import { MillraceError, systemCode } from "../../errors/error.ts";
import { assetPath, listAssets, readAssetBytes } from "../../platform/assets.ts";

/** Where the build puts the dashboard. */
const FOLDER = "dist/dashboard";

const PAGE = "/index.html";

/** Everything comes from this server, nothing is written into pages, and no other page may hold them in a frame. */
const POLICY = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The first segments of the addresses of pages: they are pages for whoever asks, in a browser or not. */
const PAGES = new Set([
  "",
  "runs",
  "factories",
  "agents",
  "secrets",
  "keys",
  "environments",
  "schedules",
  "audit-log",
  "servers",
  "settings",
]);

/** The first segments of everything that is no page, also where there is nothing. */
const NO_PAGES = new Set(["api", "webhooks", "hooks", "session", "healthz", "readyz", "metrics", "assets"]);

/**
 * The dashboard: its files, and its one page at the address of every view. Files with a hash in their names never change;
 * the page is asked for anew each time, so that a browser never holds on to that of an older server.
 */
export function dashboardRoutes(router: Router, publicUrl: () => string, folder = FOLDER): void {
  let files = builtFiles(folder);
  router.use((request, response, next) => {
    if (!files.has(PAGE)) {
      if (request.method !== "GET" || !isPage(request)) return next();
      files = builtFiles(folder);
      if (!files.has(PAGE)) return answerWithoutDashboard(response, folder);
    }
    const path = isPage(request) ? PAGE : request.path;
    if ((request.method !== "GET" && request.method !== "HEAD") || !files.has(path)) return next();
    response.setHeader("content-security-policy", POLICY);
    response.setHeader(
      "cache-control",
      isNeverChanged(path) ? "public, max-age=31536000, immutable" : "no-cache",
    );
    const base = path === PAGE ? new URL(publicUrl()).pathname.replace(/\/+$/, "") : "";
    if (base === "") files.send(path, request, response);
    else response.type("html").send(pageBelow(base, files.read(PAGE)));
  });
}

/** The page for a server whose public URL has a path: a proxy takes that off, and so all paths of the page begin with it. */
function pageBelow(base: string, page: string): string {
  return page.replace(/ (src|href|content)="\//g, ` $1="${base.replaceAll("&", "&amp;")}/`);
}

function isPage(request: Request): boolean {
  const [, first = ""] = request.path.split("/");
  if (PAGES.has(first)) return true;
  return !NO_PAGES.has(first) && !first.includes(".") && request.accepts(["json", "html"]) === "html";
}

function isNeverChanged(path: string): boolean {
  return path.startsWith("/assets/");
}

/** A page that waits for the dashboard while it is built. @throws MillraceError `resource_not_found` where it is not */
function answerWithoutDashboard(response: Response, folder: string): void {
  if (isBeingBuilt(folder)) {
    response.setHeader("content-security-policy", POLICY);
    response.status(503).set({ "cache-control": "no-store", "retry-after": "2" });
    response.type("html").send(BUILDING_PAGE);
    return;
  }
  throw new MillraceError("resource_not_found", "This server was built without its dashboard.", {
    remedy: "Build it with `npm run build`, or use the CLI: `millrace --help` shows its commands.",
  });
}

/** How a file can travel, the smallest first, and what the build adds to the name of a file in that form. */
const ENCODINGS = { br: ".br", gzip: ".gz", identity: "" } as const;

/** Files that the build has made, ready to be served. */
export interface BuiltFiles {
  /** Whether there is one at this path, which begins with a slash. */
  has(path: string): boolean;
  /** One as text. */
  read(path: string): string;
  /** Answers with one, in the smallest form that the asker takes. */
  send(path: string, request: Request, response: Response): void;
}

/**
 * The files of a folder of the program. They are read once, into memory: a binary has them there anyway, and nothing that happens
 * to the folder later changes what is served.
 */
function builtFiles(folder: string): BuiltFiles {
  const names = new Set(listAssets(folder));
  const read = readOnce();
  return {
    has: (path) => names.has(folder + path) && !isCopy(path),
    read: (path) => read(folder + path).bytes.toString(),
    send(path, request, response) {
      const encoding = encodingFor(request, folder + path, names);
      const { bytes, tag } = read(folder + path + ENCODINGS[encoding]);
      response.vary("Accept-Encoding").type(extname(path)).setHeader("etag", tag);
      // Also for who asks past its caches: what it holds is the same.
      if (request.get("if-none-match") === tag) {
        response.status(304).end();
        return;
      }
      if (encoding !== "identity") response.setHeader("content-encoding", encoding);
      response.send(bytes);
    },
  };
}

/** Whether it is a file in another form, which is sent in its place and has no address. */
function isCopy(path: string): boolean {
  return Object.values(ENCODINGS).some((ending) => ending !== "" && path.endsWith(ending));
}

function encodingFor(request: Request, name: string, names: ReadonlySet<string>): keyof typeof ENCODINGS {
  const forms = Object.entries(ENCODINGS) as [keyof typeof ENCODINGS, string][];
  const offered = forms.filter(([, ending]) => names.has(name + ending)).map(([encoding]) => encoding);
  // Who takes nothing of it is given the file as it is (RFC 9110, 12.5.3).
  const taken = request.acceptsEncodings(offered);
  return offered.find((encoding) => encoding === taken) ?? "identity";
}

function readOnce(): (name: string) => { bytes: Buffer; tag: string } {
  const known = new Map<string, { bytes: Buffer; tag: string }>();
  return (name) => {
    const before = known.get(name);
    if (before) return before;
    const bytes = readAssetBytes(name);
    const file = { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
    known.set(name, file);
    return file;
  };
}

/**
 * Whether a process is building the dashboard now: the first `npm start` serves before it has one. A file next to its folder has
 * the id of that process (scripts/start.cjs), and may be left by one that was killed.
 */
function isBeingBuilt(folder: string): boolean {
  if (sea.isSea()) return false;
  try {
    const builder = Number(readFileSync(assetPath(`${folder}/../.dashboard-building`), "utf8"));
    return Number.isSafeInteger(builder) && builder > 0 && process.kill(builder, 0);
  } catch (error) {
    // A process of another user runs too.
    return systemCode(error) === "EPERM";
  }
}

/** It has no script, for there are no files to take one from. */
const BUILDING_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>millrace: building the dashboard</title>
</head>
<body>
<h1>The dashboard is being built</h1>
<p>The server is already running. This page reloads until the dashboard is built, which takes about half a minute on an idle machine.</p>
</body>
</html>
`;
