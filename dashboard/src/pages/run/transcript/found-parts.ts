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
