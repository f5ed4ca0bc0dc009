/** What every page of the reference begins with. */
export function page(title, introduction, sections) {
  const note = "<!-- Made by `npm run build`. Do not edit. -->";
  return `${[`# ${title}`, note, introduction, ...sections].join("\n\n")}\n`;
}

/** A table in Markdown; nothing when it has no rows. */
export function table(heads, rows) {
  if (rows.length === 0) return "";
  const line = (cells) => `| ${cells.map((cell) => inCell(cell)).join(" | ")} |`;
  return [line(heads), `|${"---|".repeat(heads.length)}`, ...rows.map(line)].join("\n");
}

/** A text that neither ends a cell nor, outside of code, begins a tag. */
function inCell(text) {
  const line = String(text ?? "")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
  return line.replaceAll(/`[^`]*`|</g, (found) => (found === "<" ? "&lt;" : found));
}

export const code = (text) => `\`${text}\``;
