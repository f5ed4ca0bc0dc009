import { StringDecoder } from "node:string_decoder";
import { type Masker, maskText } from "../../secrets/masking/mask.ts";
import type { HarnessEvent } from "../harness/harness-event.ts";

/** In characters, of each text of an event. The transcript has all of it. */
const MAX_TEXT = 32_000;

/** What hides secrets in the events of a program, in their order. */
export interface EventMasker {
  mask(event: HarnessEvent): HarnessEvent[];
  /** What was held back, once nothing more comes. */
  end(): HarnessEvent[];
}

/**
 * Hides secrets in events as they are hidden in the transcript: each text of an event as a whole, before it is cut, and lines
 * that are no events as the stream that they are, in which a secret may go over several of them.
 */
export function maskEvents(createMasker: () => Masker): EventMasker {
  const lines = createMasker();
  const decoder = new StringDecoder("utf8");
  const shorten = (text: string) => cut(maskText(text, createMasker));

  function output(bytes: Buffer): HarnessEvent[] {
    const text = decoder.write(bytes);
    return text.trim() === "" ? [] : [{ type: "output", text: cut(text.replace(/\n$/, "")) }];
  }

  return {
    mask(event) {
      if (event.type === "output") return output(lines.push(Buffer.from(`${event.text}\n`)));
      const entries = Object.entries(event).map(([key, value]) => [
        key,
        typeof value === "string" && key !== "type" ? shorten(value) : value,
      ]);
      return [Object.fromEntries(entries)];
    },
    end: () => output(lines.end()),
  };
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n[${text.length - MAX_TEXT} more characters are in the text of the transcript]`;
}
