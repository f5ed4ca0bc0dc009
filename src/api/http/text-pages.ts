import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Request, RequestHandler, Response, Router } from "express";
import { Marked } from "marked";
import { FF_CODES } from "../../definitions/problem.ts";
import { ERROR_CODES, MillraceError } from "../../errors/error.ts";
import { listAssets, readAsset } from "../../platform/assets.ts";
import type { AnonymousLimit } from "./caller-limits.ts";

/** The pages that explain this program: of its error codes, and its documentation. Anybody may ask for them. */
export function textPagesRoute(router: Router, { anonymousLimit }: { anonymousLimit: AnonymousLimit }): void {
  const admitted: RequestHandler = (request, _response, next) => {
    anonymousLimit.admitToPage(request);
    next();
  };
  router.use(["/errors", "/docs"], admitted);
  errorPagesRoute(router);
  docsPagesRoute(router);
}

const FOLDER = "docs";
const START = "README.md";

/**
 * The documentation of the version that runs, for whoever reads the dashboard: at the paths of its files, so that the links
 * between them lead on. Pictures are left out, as the program does not carry them.
 */
function docsPagesRoute(router: Router): void {
  const known = new Set(listAssets(FOLDER).filter((path) => path.endsWith(".md")));
  const sendPage = textPages();
  const send = (path: string, response: Response) => {
    if (!known.has(path)) {
      throw new MillraceError("resource_not_found", "There is no such page of the documentation.", {
        remedy: "`GET /docs` leads to all of its pages.",
      });
    }
    const render = () => {
      const markdown = readAsset(path);
      return {
        markdown,
        html: markdownPage(titleOf(markdown), shownPart(markdown, path, known)),
      };
    };
    sendPage(path, render, response);
  };
  router.get("/docs", (_request, response) => response.redirect(`docs/${START}`));
  router.get("/docs/*path", (request: Request<{ path: string[] }>, response) =>
    send([FOLDER, ...request.params.path].join("/"), response),
  );
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replace(/[`*<>&]/g, "") ?? "Documentation";
}

/** Without its pictures, and without links to files of the repository that the program does not carry. */
function shownPart(markdown: string, path: string, known: ReadonlySet<string>): string {
  const isThere = (target: string) => {
    if (/^(https?:|mailto:|#)/.test(target)) return true;
    return known.has(posix.join(posix.dirname(path), target.replace(/#.*$/, "")));
  };
  return markdown
    .replace(/^!\[[^\]]*\]\([^)]*\)$/gm, "")
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words, target) => (isThere(target) ? link : words));
}

/**
 * The pages that the `type` of a problem names (RFC 9457, 3.1.1): what the code means, when it comes, and what to do. They
 * are those of docs/errors, as a browser shows them or, to whoever asks for it, as they are written.
 */
function errorPagesRoute(router: Router): void {
  const sendText = textPages();
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, title }]) => `| [${code}](errors/${code}) | ${status} | ${title} |`,
  );
  const ofDefinitions = FF_CODES.map((code) => `| [${code}](errors/${code}) |`);
  const list = page(
    "Errors",
    [
      ...["# Errors", "", "| code | status | meaning |", "|---|---|---|", ...rows, ""],
      ...["## Problems of definitions", "", "| code |", "|---|", ...ofDefinitions],
    ].join("\n"),
  );
  const known: ReadonlySet<string> = new Set([...Object.keys(ERROR_CODES), ...FF_CODES]);
  router.get("/errors", (_request, response) => sendPage(list, response));
  router.get("/errors/:code", (request, response) => {
    const { code } = request.params;
    if (!known.has(code)) {
      throw new MillraceError("resource_not_found", `There is no error code ${JSON.stringify(code)}.`, {
        remedy: "`GET /errors` lists all error codes.",
      });
    }
    const render = () => {
      const markdown = readAsset(`docs/errors/${code}.md`);
      return { markdown, html: page(code, markdown) };
    };
    sendText(code, render, response);
  });
}

function page(title: string, markdown: string): string {
  // Between pages of docs/errors, links lead to the code's own address; the other pages are below /docs.
  const linked = markdown
    .replace(/\]\((\w+)\.md\)/g, "]($1)")
    .replace(/\]\(\.\.\/((?:[\w-]+\/)*[\w-]+\.md)/g, "](../docs/$1");
  return markdownPage(title, linked);
}

/** Headings can be linked to, as they can where the files are hosted. */
const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const anchor = text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-");
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

/** A text as it is written, and as a browser shows it. */
export interface TextPage {
  markdown: string;
  html: string;
}

/** Sends texts of this program, each of which is rendered once: that takes longer than all else of a request. */
function textPages(): (path: string, render: () => TextPage, response: Response) => void {
  const rendered = new Map<string, TextPage>();
  return (path, render, response) => {
    const page = rendered.get(path) ?? render();
    rendered.set(path, page);
    response.format({
      "text/html": () => sendPage(page.html, response),
      "text/markdown": () => void response.send(page.markdown),
    });
  };
}

/** What is wider than a phone scrolls by itself, and links can be told apart on a light page and on a dark one. */
const STYLE = `
body { margin: 0 auto; padding: 0 1rem 2rem; max-width: 52rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
pre, table { display: block; overflow-x: auto }
pre, code { overflow-wrap: normal }
:not(pre) > code { overflow-wrap: anywhere }
table { border-collapse: collapse }
th, td { min-width: 6rem; padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top }
body { color: #1b1b1b; background: #fff }
a, a:visited { color: #0b57d0 }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #161616 } a, a:visited { color: #8ab4f8 } }
`;

/** Nothing is loaded and nothing runs; only the style above applies. */
const POLICY = `default-src 'none';style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}';frame-ancestors 'none';base-uri 'none'`;

/** Sends a page of `markdownPage` under the policy that lets its style apply. */
function sendPage(html: string, response: Response): void {
  response.setHeader("content-security-policy", POLICY);
  response.type("html").send(html);
}

/** A page of this program's own text. */
function markdownPage(title: string, markdown: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · millrace</title>
<style>${STYLE}</style>
<main>
${marked.parse(markdown, { async: false })}</main>
</html>
`;
}
