import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NextFunction, Request, RequestHandler, Response, Router } from "express";
import sirv from "sirv";
import { MillraceError } from "../error.ts";

/** Where the build puts the dashboard. */
const FOLDER = fileURLToPath(new URL("../dashboard", import.meta.url));

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
  "settings",
]);

/** The first segments of everything that is no page, also where there is nothing. */
const NO_PAGES = new Set(["api", "webhooks", "hooks", "session", "healthz", "readyz", "metrics", "assets"]);

/**
 * The dashboard: its files, and its one page at the address of every view. Files with a hash in their names never change;
 * the page is asked for anew each time, so that a browser never holds on to that of an older server.
 */
export function dashboardRoutes(router: Router, folder = FOLDER): void {
  if (!existsSync(join(folder, "index.html"))) {
    router.use(sayThatThereIsNone);
    return;
  }
  const files = sirv(folder, { etag: true, gzip: true, brotli: true, setHeaders: cacheHeaders });
  router.use((request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    response.setHeader("content-security-policy", POLICY);
    serve(files, request, response, next);
  });
}

function serve(files: RequestHandler, request: Request, response: Response, next: NextFunction): void {
  const asked = request.url;
  if (isPage(request)) request.url = "/";
  files(request, response, (error?: unknown) => {
    request.url = asked;
    // What follows is an answer of the API.
    next(error);
  });
}

function isPage(request: Request): boolean {
  const [, first = ""] = request.path.split("/");
  if (PAGES.has(first)) return true;
  return !NO_PAGES.has(first) && !first.includes(".") && request.accepts(["json", "html"]) === "html";
}

function cacheHeaders(response: { setHeader(name: string, value: string): void }, path: string): void {
  const never = path.startsWith("/assets/");
  response.setHeader("cache-control", never ? "public, max-age=31536000, immutable" : "no-cache");
}

function sayThatThereIsNone(request: Request, _response: Response, next: NextFunction): void {
  if (request.method !== "GET" || !isPage(request)) {
    next();
    return;
  }
  throw new MillraceError("resource_not_found", "This server was built without its dashboard.", {
    remedy: "Build it with `npm run build`, or use the CLI: `millrace --help` shows its commands.",
  });
}
