import { createAutomaton } from "./pattern-automaton.ts";
import { BEGIN_BYTES, createBegins, NEWLINE, RETURN } from "./pattern-begins.ts";

/** Looks for patterns in a text that comes in pieces. */
export interface PatternScan {
  /**
   * Scans a text from a place on; before it is what may be a beginning, as the last scan has left it.
   * @param found gets each stretch that is covered, in the order of their ends; one that began in what is not held any
   * more has a start below 0
   * @returns where the beginning of a pattern lies that the text ends with; its length when there is none
   */
  scan(text: Uint8Array, from: number, found: (start: number, end: number) => void): number;
}

/** The two bytes of one line break: what is longer is none within a pattern, so that what may be a beginning has an end. */
const MAX_BREAK = 2;

/**
 * Nearly every line ends with a byte that begins some pattern, and has to be seen before the next one comes. So a shorter
 * beginning is not held back over a line break; it is looked for further all the same, and only it can be seen.
 */
const LEAST_HELD_OVER_LINES = 4;

/**
 * Prepares scans for two kinds of patterns at once: those that stand in one line, and those between whose bytes a line
 * break may stand, which is passed over. Both are looked for by one table, since most of a text begins no pattern.
 * @returns what makes a scan for each text
 */
export function createScanning(
  inOneLine: readonly Uint8Array[],
  overLines: readonly Uint8Array[],
): () => PatternScan {
  const [whole, broken] = [createAutomaton(inOneLine), createAutomaton(overLines)];
  const nextBegin = createBegins(inOneLine, overLines);

  return () => {
    let wholeState = 0;
    let brokenState = 0;
    /** Bytes of the line break that has been passed over last. */
    let passed = 0;

    /** Where what may be the beginning of a pattern begins. */
    function pendingFrom(text: Uint8Array, at: number): number {
      return Math.min(at - whole.depth(wholeState), backOverLines(text, at, broken.depth(brokenState), 0));
    }

    return {
      scan(text, from, found) {
        let at = from;
        let covered = 0;
        while (at < text.length) {
          if (wholeState === 0 && brokenState === 0) at = nextBegin(text, at);
          let until = at + BEGIN_BYTES;
          // Shorter beginnings are left to the table: it knows more of them at one look.
          while (
            at < text.length &&
            (at < until || whole.depth(wholeState) >= BEGIN_BYTES || broken.depth(brokenState) >= BEGIN_BYTES)
          ) {
            const byte = text[at] as number;
            at += 1;
            wholeState = whole.next(wholeState, byte);
            if (brokenState !== 0 && isLineBreak(byte) && passed < MAX_BREAK) {
              passed += 1;
              until += 1;
            } else {
              passed = 0;
              brokenState = broken.next(brokenState, byte);
            }
            const wholeLength = whole.ending(wholeState);
            const brokenLength = passed > 0 ? 0 : broken.ending(brokenState);
            if (wholeLength + brokenLength === 0) continue;
            // Those that overlap are one to whoever is told, so nothing is walked twice.
            found(Math.min(at - wholeLength, backOverLines(text, at, brokenLength, covered)), at);
            covered = at;
          }
          if (at < text.length) {
            at = pendingFrom(text, at);
            wholeState = 0;
            brokenState = 0;
            passed = 0;
          }
        }
        if (isLineBreak(text.at(-1)) && broken.depth(brokenState) < LEAST_HELD_OVER_LINES) {
          return text.length - whole.depth(wholeState);
        }
        return Math.max(0, pendingFrom(text, text.length));
      },
    };
  };
}

function isLineBreak(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN;
}

/** The place before so many bytes that are no line break; or, where that is before `enough`, any that is. */
function backOverLines(text: Uint8Array, from: number, count: number, enough: number): number {
  let at = from;
  for (let left = count; left > 0 && at >= enough; at -= 1) if (!isLineBreak(text[at - 1])) left -= 1;
  return at;
}
