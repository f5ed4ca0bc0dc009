import type { Router } from "express";
import { FF_CODES } from "../../../definitions/problem.ts";
import { ERROR_CODES, MillraceError } from "../../../errors/error.ts";
import { readAsset } from "../../../platform/assets.ts";
import { markdownPage, sendPage, textPages } from "./markdown-page.ts";

/**
 * The pages that the `type` of a problem names (RFC 9457, 3.1.1): what the code means, when it comes, and what to do. They
 * are those of docs/errors, as a browser shows them or, to whoever asks for it, as they are written.
 */
export function errorPagesRoute(router: Router): void {
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
