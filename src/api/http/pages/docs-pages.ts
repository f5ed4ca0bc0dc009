import { posix } from "node:path";
import type { Request, Response, Router } from "express";
import { MillraceError } from "../../../errors/error.ts";
import { listAssets, readAsset } from "../../../platform/assets.ts";
import { markdownPage, textPages } from "./markdown-page.ts";

const FOLDER = "docs";
const START = "README.md";

/**
 * The documentation of the version that runs, for whoever reads the dashboard: at the paths of its files, so that the links
 * between them lead on. Pictures are left out, as the program does not carry them.
 */
export function docsPagesRoute(router: Router): void {
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
