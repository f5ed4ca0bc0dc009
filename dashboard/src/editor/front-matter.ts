/** A Markdown file of a definition in its two parts. */
export interface FrontMatter {
  /** YAML, without the lines that open and close it; ends with a line end unless it is empty. */
  head: string;
  /** What stands below. */
  body: string;
}

/** The two parts of a file, or nothing where it has no front matter: only a line that is exactly `---` opens and closes one. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const closing = lines.indexOf("---", 1);
  if (lines[0] !== "---" || closing < 0) return undefined;
  const head = lines.slice(1, closing);
  return { head: head.length > 0 ? `${head.join("\n")}\n` : "", body: lines.slice(closing + 1).join("\n") };
}

/** The file that the parts make. */
export function joinFrontMatter({ head, body }: FrontMatter): string {
  const ended = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return `---\n${ended}---\n${body}`;
}
