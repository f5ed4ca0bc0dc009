import { createHash } from "node:crypto";
import type { Response } from "express";
import { Marked } from "marked";

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
export function textPages(): (path: string, render: () => TextPage, response: Response) => void {
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
export function sendPage(html: string, response: Response): void {
  response.setHeader("content-security-policy", POLICY);
  response.type("html").send(html);
}

/** A page of this program's own text. */
export function markdownPage(title: string, markdown: string): string {
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
