import { TREE_LIMITS } from "./loading/load-file.ts";

/** A delivery that becomes a test of an automation. */
export interface TestedBody {
  description: string;
  /** The name of the file of the webhook that received it. */
  webhook: string | undefined;
  /** What `X-GitHub-Event` said; nothing for other senders. */
  event: string | undefined;
  fires: boolean;
  /** JSON, as it was stored. */
  payload: string;
}

/**
 * The file of a test, with the payload as it was stored: only the space between its parts is another.
 * @returns nothing where that is larger than a file of a definition may be
 */
export function writeFilterTest({
  description,
  webhook,
  event,
  fires,
  payload,
}: TestedBody): string | undefined {
  const body = indented(payload, TREE_LIMITS.fileBytes);
  if (body === undefined) return undefined;
  const lines = [
    `description: ${JSON.stringify(description)}`,
    ...(webhook === undefined ? [] : [`webhook: ${JSON.stringify(webhook)}`]),
    ...(event === undefined ? [] : [`event: ${JSON.stringify(event)}`]),
    `fires: ${fires}`,
    "payload:",
    `  ${body}`,
  ];
  const text = `${lines.join("\n")}\n`;
  return Buffer.byteLength(text) <= TREE_LIMITS.fileBytes ? text : undefined;
}

/**
 * JSON with an entry on each line, which is YAML as well. It is not parsed: numbers stay as they are written.
 * @returns nothing where it has more characters than that, which deep nesting reaches early
 */
function indented(json: string, most: number): string | undefined {
  let text = "";
  let depth = 1;
  const lineEnd = () => `\n${"  ".repeat(depth)}`;
  for (const [part] of json.matchAll(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (part === "}" || part === "]") {
      depth -= 1;
      text += `${lineEnd()}${part}`;
    } else if (part === "{" || part === "[") {
      depth += 1;
      text += `${part}${lineEnd()}`;
    } else if (part === ",") text += `,${lineEnd()}`;
    else if (part === ":") text += ": ";
    else text += /^[{[]/.test(part) ? part.replaceAll(/\s/g, "") : part;
    if (text.length > most) return undefined;
  }
  return text;
}
