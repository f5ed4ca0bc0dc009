/** A stretch of a line, and where it leads if it is an address. */
export interface LinkPart {
  text: string;
  href?: string;
}

/** Up to what cannot stand in an address, or mostly stands after one; none is longer than browsers take. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\p{C}]{1,2000}/giu;
/** What ends a sentence or closes a bracket around an address, and is none of it. */
const AFTER = /[.,;:!?*_\]})]+$/;
/** An agent can write a line in which there are a hundred thousand. */
const MAX_LINKS = 100;

/** The parts of a line, with the web addresses in it as parts of their own. */
export function foundLinks(line: string): LinkPart[] {
  if (!line.includes("://")) return [{ text: line }];
  const parts: LinkPart[] = [];
  let at = 0;
  let links = 0;
  for (const { 0: found, index } of line.matchAll(ADDRESS)) {
    if (links === MAX_LINKS) break;
    const address = trimmed(found);
    if (!URL.canParse(address)) continue;
    if (index > at) parts.push({ text: line.slice(at, index) });
    parts.push({ text: address, href: address });
    at = index + address.length;
    links += 1;
  }
  if (at < line.length) parts.push({ text: line.slice(at) });
  return parts;
}

/** A bracket that closes one of the address itself stays: `https://en.wikipedia.org/wiki/Mill_(grinding)`. */
function trimmed(address: string): string {
  const bare = address.replace(AFTER, "");
  const rest = address.slice(bare.length);
  return rest.startsWith(")") && bare.split("(").length > bare.split(")").length ? `${bare})` : bare;
}

/** The parts of a text around what is sought in it, whatever its case: every other part, from the second on, is what was found. */
export function foundParts(text: string, sought: string): string[] {
  if (sought === "") return [text];
  const parts: string[] = [];
  const folded = text.toLowerCase();
  let from = 0;
  for (let at = 0; ; from = at + sought.length) {
    at = folded.indexOf(sought.toLowerCase(), from);
    if (at < 0) return [...parts, text.slice(from)];
    parts.push(text.slice(from, at), text.slice(at, at + sought.length));
  }
}
