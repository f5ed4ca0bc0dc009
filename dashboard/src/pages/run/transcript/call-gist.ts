/** In characters. */
const MAX_GIST = 160;

/** What is shown of a text that is folded: its beginning, in one line. */
export function gistOf(text: string): string {
  const line = text
    .slice(0, 4 * MAX_GIST)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > MAX_GIST ? `${line.slice(0, MAX_GIST)}…` : line;
}

/** The input that says most of a call, by the names that agents' programs have for it; the first one of them is shown. */
const TELLING = [
  ...["command", "cmd", "file_path", "filePath", "absolute_path", "path", "pattern", "query", "url"],
  ...["description", "prompt", "question", "title", "text"],
];

/**
 * What a call of a tool is about, beside its name: never the JSON that it is called with. Of several inputs it is the one that says
 * most, and otherwise all that are not JSON themselves. An input that was cut is no JSON any more, and is not shown.
 */
export function callGist(input: string): string {
  if (!/^\s*[[{]/.test(input)) return input;
  const value = parsed(input);
  // A lone text was written as it is, and can begin like JSON.
  if (value === undefined) return /^\s*\{\s*"/.test(input) ? "" : input;
  const entries = Object.entries(value ?? {}).filter(([, inner]) => isShown(inner));
  const telling = TELLING.map((name) => entries.find(([key]) => key === name)).find(Boolean);
  if (telling) return String(telling[1]);
  return entries
    .map(([name, inner]) => (Array.isArray(value) ? String(inner) : `${name}: ${inner}`))
    .join(", ");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isShown = (value: unknown) => ["string", "number", "boolean"].includes(typeof value) && value !== "";
