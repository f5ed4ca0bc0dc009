/** Control characters but the tab and the line end, and what has a line read in another order than it stands there. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/** A text of others with what would steer the terminal shown as text: `\x1b`. */
export function withoutControl(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
  });
}

/** The same inside of JSON, which escapes only some of these characters by itself. */
export function withoutControlInJson(json: string): string {
  return json.replace(CONTROL_CHARACTERS, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** What an agent writes, piece by piece, as a terminal may have it. */
export interface TerminalText {
  take(bytes: Uint8Array): string;
  /** What is left when nothing more comes. */
  end(): string;
}

const ESCAPE = "\x1b";
/** Sets colours and weights (ECMA-48, SGR). Number 8 hides text, so alone it is not one of them. */
const COLOURS = String.raw`(?!\[(?:\d*[;:])*0*8[;:m])\[[\d;:]{0,40}m|\[(?:38|48);(?:5;\d{1,3}|2;\d{1,3};\d{1,3};\d{1,3})m`;
const SPLIT_AT_COLOURS = new RegExp(`(${ESCAPE}(?:${COLOURS}))`);
/** The start of such a sequence, or of a line end, at the end of a piece. */
const UNFINISHED = new RegExp(`(?:${ESCAPE}(?:\\[[\\d;:]{0,40})?|\\r)$`);
const PLAIN = "\x1b[0m";

/**
 * Text of an agent for a terminal. Colours pass; everything else that would steer the terminal (its title, its clipboard,
 * its cursor, what it sends back) is shown as text.
 */
export function terminalText(): TerminalText {
  const decoder = new TextDecoder();
  let held = "";
  let hasColours = false;
  const show = (text: string): string =>
    text
      .replaceAll("\r\n", "\n")
      .split(SPLIT_AT_COLOURS)
      .map((part, index) => {
        // Every other part is what it was split at.
        if (index % 2 === 0) return withoutControl(part);
        hasColours = true;
        return part;
      })
      .join("");
  return {
    take(bytes) {
      const text = held + decoder.decode(bytes, { stream: true });
      held = UNFINISHED.exec(text)?.[0] ?? "";
      return show(text.slice(0, text.length - held.length));
    },
    end() {
      const last = show(held + decoder.decode());
      held = "";
      return hasColours ? last + PLAIN : last;
    },
  };
}

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
