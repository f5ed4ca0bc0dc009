import type { OutputPiece } from "../../runs/output/transcript.ts";

/** Enough for what is printed of an error, with its stack. */
const KEPT_CHARACTERS = 8_192;
const MAX_LINE = 500;

/** What a line looks like that says why a program ends. Lines of a stack are indented. */
const REASON = /^\S.*(?:error|exception|fatal|fail|cannot|could not|not found|denied|invalid|refused)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;

/** What is shown of an output as the answer of its program. */
const ANSWER_LINES = 20;
const ANSWER_CHARACTERS = 4_000;

/** What is remembered: the ends of standard error and of standard output. */
export interface LastWords {
  tail: string;
  said: string;
}

/** Remembers what a program wrote last. @param from what was remembered of it before */
export function rememberLastWords(from: LastWords = { tail: "", said: "" }) {
  let { tail, said } = from;
  return {
    hear(pieces: readonly OutputPiece[]): void {
      for (const { stream, bytes } of pieces) {
        if (stream === "harness" || stream === "event") continue;
        const text = Buffer.from(bytes.subarray(-4 * KEPT_CHARACTERS)).toString("utf8");
        if (stream === "stderr") tail = (tail + text).slice(-KEPT_CHARACTERS);
        else said = (said + text).slice(-KEPT_CHARACTERS);
      }
    },
    remembered: (): LastWords => ({ tail, said }),
    /** The last line that reads like a reason, else the last one; nothing of a program that wrote none. */
    reason(): string | undefined {
      const lines = tail
        .replace(COLOURS, "")
        .split("\n")
        .map((line) => line.trimEnd())
        .filter(Boolean);
      const line = lines.findLast((line) => REASON.test(line)) ?? lines.at(-1);
      return line?.trim().slice(0, MAX_LINE);
    },
    /** The last lines of standard output; empty for a program that wrote none. */
    answer(): string {
      const lines = said.replace(COLOURS, "").trimEnd().split("\n").slice(-ANSWER_LINES);
      return lines.join("\n").slice(-ANSWER_CHARACTERS).trim();
    },
  };
}
