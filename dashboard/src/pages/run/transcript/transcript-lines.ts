import { isErrorLine } from "./error-lines.ts";
import { styleAfter } from "./terminal-style.ts";

/** One line of a transcript. */
export interface TranscriptLine {
  text: string;
  /** The style of the terminal that the line begins in. */
  style: string;
  isError: boolean;
  /** Whether its words say that something failed. */
  saysError: boolean;
}

interface Piece {
  text: string;
  stream: "stdout" | "stderr";
}

/** What an agent wrote so far, as lines. Pieces end anywhere: the last line goes on with the next piece. */
export interface TranscriptText {
  lines: readonly TranscriptLine[];
  /** Whether the last line waits for its rest. */
  isOpen: boolean;
}

export const NO_TEXT: TranscriptText = { lines: [], isOpen: false };

/** A transcript with more of it. */
export function withPieces(before: TranscriptText, pieces: readonly Piece[]): TranscriptText {
  const lines = [...before.lines];
  let { isOpen } = before;
  for (const piece of pieces) {
    const isError = piece.stream === "stderr";
    const parts = piece.text.split("\n");
    parts.forEach((part, place) => {
      const last = lines.at(-1);
      const isLastPart = place === parts.length - 1;
      if (place === 0 && isOpen && last && last.isError === isError) {
        lines[lines.length - 1] = lineOf({ ...last, text: last.text + part }, !isLastPart);
      } else if (!isLastPart || part !== "") {
        const style = last ? styleAfter(last.style, last.text) : "";
        lines.push(lineOf({ text: part, style, isError, saysError: false }, !isLastPart));
      }
      isOpen = isLastPart && part !== "" ? true : isLastPart ? false : isOpen;
    });
  }
  return { lines, isOpen };
}

/**
 * A terminal that is told to go back to the beginning of a line writes over it, as bars of progress do. A line that is not
 * complete keeps a return at its end: what comes next either writes over it, or completes it as on Windows.
 */
function lineOf(line: TranscriptLine, isComplete: boolean): TranscriptLine {
  const { text, style } = line;
  const [written, end] = text.endsWith("\r") ? [text.slice(0, -1), "\r"] : [text, ""];
  const begin = written.lastIndexOf("\r") + 1;
  const shown = written.slice(begin);
  return {
    ...line,
    saysError: isErrorLine(shown),
    text: isComplete ? shown : shown + end,
    style: styleAfter(style, written.slice(0, begin)),
  };
}

/** The places of the lines that have a text in them, whatever its case. */
export function linesWith(lines: readonly TranscriptLine[], sought: string): number[] {
  if (sought === "") return [];
  const folded = sought.toLowerCase();
  return lines.flatMap(({ text }, place) => (text.toLowerCase().includes(folded) ? [place] : []));
}

/** The places of the lines that say that something failed. */
export function errorPlaces(lines: readonly TranscriptLine[]): number[] {
  return lines.flatMap(({ saysError }, place) => (saysError ? [place] : []));
}
