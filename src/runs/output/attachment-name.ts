import { MillraceError } from "../../errors/error.ts";
import { OWN_NAMES } from "../rules/workspace-names.ts";

/** What Linux file systems allow for one name. */
const MAX_NAME_BYTES = 255;

/**
 * Holds the names of a request's attachments against what can be a file of its own in the run's workspace.
 * @throws MillraceError `invalid_request` for the first that cannot
 */
export function checkAttachmentNames(names: readonly string[]): void {
  names.forEach((name, index) => {
    const why = whyRefused(name, names.slice(0, index));
    if (why === undefined) return;
    const field = `attachments[${index}].file_name`;
    throw new MillraceError("invalid_request", `${field}: ${why}.`, {
      remedy: "Use a unique plain file name for each attachment, for example report.txt.",
      extra: { field },
    });
  });
}

function whyRefused(name: string, before: readonly string[]): string | undefined {
  const shown = JSON.stringify(name.slice(0, 80));
  if (name === "") return "the name is empty";
  if (name === "." || name === "..") return `${shown} is a folder, not a file`;
  if (/[/\\]/.test(name)) return `${shown} contains a path; expected a file name only`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  if (/[\u0000-\u001f\u007f]/.test(name)) return `${shown} contains a control character`;
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    return `${shown}… is ${Buffer.byteLength(name)} bytes long; the limit is ${MAX_NAME_BYTES}`;
  // File systems that take no notice of case would give one file to both.
  const key = name.toLowerCase();
  if (OWN_NAMES.has(key))
    return `${shown} is reserved: millrace creates a file with this name in every workspace`;
  if (before.some((other) => other.toLowerCase() === key))
    return `${shown} is already the name of another attachment`;
  return undefined;
}
