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
      "text/html": () => void response.send(page.html),
      "text/markdown": () => void response.send(page.markdown),
    });
  };
}

/** A page of this program's own text. */
export function markdownPage(title: string, markdown: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · millrace</title>
<main>
${marked.parse(markdown, { async: false })}</main>
</html>
`;
}
