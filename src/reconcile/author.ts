import type { Principal } from "../principals/principal.ts";

/** A principal as git names the author of a commit: `Name <email>`, of which neither can hold what ends it. */
export function authorOf({ displayName, uid }: Principal): string {
  const name = displayName
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replace(/[\u0000-\u001f\u007f<>]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
  const address = uid.replace(/[^A-Za-z0-9._-]+/g, "-");
  return `${name === "" ? address : name} <${address}@millrace.localhost>`;
}
