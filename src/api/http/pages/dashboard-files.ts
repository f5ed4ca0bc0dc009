import type { Request, Response, Router } from "express";
import { MillraceError } from "../../../errors/error.ts";
import { builtFiles } from "./built-files.ts";
import { BUILDING_PAGE, isBeingBuilt } from "./dashboard-building.ts";

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
