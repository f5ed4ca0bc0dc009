/**
 * Writes output of others to a stream. On a terminal, the last line gets an end even if its author gave it none: the next
 * prompt would stand behind it. In a file or a pipe, the output stays byte for byte.
 */
export function writeLines(to: "stdout" | "stderr"): { write(text: string | Uint8Array): void; end(): void } {
  const stream = process[to];
  let last = "\n";
  return {
    write(text) {
      if (text.length === 0) return;
      stream.write(text);
      const shown =
        typeof text === "string" ? text.replace(COLOURS_AT_END, "") : Buffer.from(text.slice(-1)).toString();
      if (shown !== "") last = shown.slice(-1);
    },
    end() {
      if (stream.isTTY && last !== "\n") stream.write("\n");
      last = "\n";
    },
  };
}

/** Shows nothing: a text that ends with a line and then a change of colour has ended its line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour
const COLOURS_AT_END = /(?:\x1b\[[\d;:]{0,40}m)+$/;
