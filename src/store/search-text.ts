/** As much of a prompt is searched. */
export const SEARCHED_PROMPT_CHARACTERS = 1_000;

/** What a search looks at: title, skill and the beginning of the prompt, without case and accents. */
export function searchText(title: string, prompt: string, skills: readonly string[]): string {
  return fold([title, ...skills, prompt.slice(0, SEARCHED_PROMPT_CHARACTERS).toWellFormed()].join("\n"));
}

/** @returns whether a folded text has every word of a query, in any order and anywhere in a word */
export function createSearch(query: string): (text: string) => boolean {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return (stored) => {
    // What was stored before the server folded it itself has its accents yet.
    const text = ASCII.test(stored) ? stored : fold(stored);
    return words.every((word) => text.includes(word) || hasNearly(text, word));
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them
const ASCII = /^[\x00-\x7f]*$/;

/** Shorter words are too much like each other. */
const MIN_GUESSED = 5;

/** Whether a word of the title, which is the first line, is this one but for a letter left out, added or wrong. */
function hasNearly(text: string, word: string): boolean {
  if (word.length < MIN_GUESSED) return false;
  const title = text.slice(0, text.indexOf("\n"));
  return title.split(/[^\p{L}\p{N}]+/u).some((other) => isOneEditAway(other, word));
}

function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)];
  return (
    restOfA.slice(1) === restOfB.slice(1) || restOfA.slice(1) === restOfB || restOfA === restOfB.slice(1)
  );
}

/** Text without case and accents, as everything that is searched is compared. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
