/** What turns off the weights: the codes of those that were on. */
const WEIGHTS_OFF: Readonly<Record<number, readonly number[]>> = {
  22: [1, 2],
  23: [3],
  24: [4],
  25: [5],
  27: [7],
  28: [8],
  29: [9],
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the language of terminals
const SELECT = /\u001b\[([\d;]*)m/g;

/**
 * The style that a terminal goes on to write in: what stands before a line so that the line looks as if all before it had been
 * written too (ECMA-48, 8.3.117). It has at most one code of each kind, however long the text is.
 * @param before the style that the text begins in, as this function has returned it
 */
export function styleAfter(before: string, text: string): string {
  if (!text.includes("\u001b[")) return before;
  const set = new Map<string, string>();
  for (const [, codes = ""] of `${before}${text}`.matchAll(SELECT)) select(set, codes);
  return [...set.values()].map((code) => `\u001b[${code}m`).join("");
}

/** Carries out one sequence: `1;31`, `38;5;208`, or nothing at all, which is a reset. */
function select(set: Map<string, string>, codes: string): void {
  const left = codes.split(";").map(Number);
  while (left.length > 0) {
    const code = left.shift() ?? 0;
    if (code === 0) set.clear();
    else if (code < 10) set.set(`weight ${code}`, String(code));
    else if (WEIGHTS_OFF[code]) for (const off of WEIGHTS_OFF[code]) set.delete(`weight ${off}`);
    else colour(set, code, left);
  }
}

/** A colour of the letters or of the ground behind them; those beyond the sixteen take their numbers from what follows. */
function colour(set: Map<string, string>, code: number, left: number[]): void {
  const isGround = (code >= 40 && code < 50) || code >= 100;
  const kind = isGround ? "ground" : "letters";
  if (code === 39 || code === 49) set.delete(kind);
  else if (code === 38 || code === 48) {
    const numbers = left.splice(0, left[0] === 5 ? 2 : 4);
    set.set(kind, [code, ...numbers].join(";"));
  } else if (code >= 30) set.set(kind, String(code));
}
