import type { TranscriptWriter } from "./transcript.ts";

/** Enough for what is printed of an error, with its stack. */
const KEPT_CHARACTERS = 8_192;
const MAX_LINE = 500;

/** What a line looks like that says why a program ends. Lines of a stack are indented. */
const REASON = /^\S.*(?:error|exception|fatal|fail|cannot|could not|not found|denied|invalid|refused)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;

/** Remembers what a program wrote to standard error last, on the way into its transcript. */
export function rememberLastWords({ append }: Pick<TranscriptWriter, "append">) {
  let tail = "";
  return {
    append(pieces: Parameters<typeof append>[0]) {
      for (const { stream, bytes } of pieces)
        if (stream === "stderr") tail = (tail + Buffer.from(bytes).toString("utf8")).slice(-KEPT_CHARACTERS);
      return append(pieces);
    },
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
  };
}
