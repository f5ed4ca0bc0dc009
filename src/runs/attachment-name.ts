import { MillraceError } from "../error.ts";
import { OWN_NAMES } from "./workspace/own-names.ts";

/** What Linux file systems allow for one name. */
const LONGEST_NAME_BYTES = 255;

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
      remedy: "Give every attachment a plain file name of its own, for example report.txt.",
      extra: { field },
    });
  });
}

function whyRefused(name: string, before: readonly string[]): string | undefined {
  const shown = JSON.stringify(name.slice(0, 80));
  if (name === "") return "the name is empty";
  if (name === "." || name === "..") return `${shown} is a folder, not a file`;
  if (/[/\\]/.test(name)) return `${shown} has a path in it, where the name alone was expected`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  if (/[\u0000-\u001f\u007f]/.test(name)) return `${shown} has a control character in it`;
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES)
    return `${shown}… has ${Buffer.byteLength(name)} bytes, where at most ${LONGEST_NAME_BYTES} were expected`;
  // File systems that take no notice of case would give one file to both.
  const key = name.toLowerCase();
  if (OWN_NAMES.has(key)) return `${shown} is the name of a file that millrace gives to every run`;
  if (before.some((other) => other.toLowerCase() === key))
    return `${shown} is the name of another attachment`;
  return undefined;
}
