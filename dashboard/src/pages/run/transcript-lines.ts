/** One line of a transcript. */
export interface TranscriptLine {
  text: string;
  isError: boolean;
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
        lines[lines.length - 1] = { ...last, text: overwritten(last.text + part, !isLastPart) };
      } else if (!isLastPart || part !== "") {
        lines.push({ text: overwritten(part, !isLastPart), isError });
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
function overwritten(text: string, isComplete: boolean): string {
  const [written, end] = text.endsWith("\r") ? [text.slice(0, -1), "\r"] : [text, ""];
  const shown = written.slice(written.lastIndexOf("\r") + 1);
  return isComplete ? shown : shown + end;
}

/** The places of the lines that have a text in them, whatever its case. */
export function linesWith(lines: readonly TranscriptLine[], sought: string): number[] {
  if (sought === "") return [];
  const folded = sought.toLowerCase();
  return lines.flatMap(({ text }, place) => (text.toLowerCase().includes(folded) ? [place] : []));
}
