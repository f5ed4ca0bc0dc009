/** Above this a value is only looked for as it is: its forms would fill the memory, and nobody prints a file's encoding by accident. */
const MAX_ENCODED_BYTES = 16 * 1024;

/**
 * The forms in which a value can be found in what a program writes, as bytes, but for base64: as it is, percent-encoded by
 * any of the usual rules, and between the quotes of JSON.
 */
export function formsInOneLine(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  if (bytes.length > MAX_ENCODED_BYTES) return [bytes];
  const json = JSON.stringify(value).slice(1, -1);
  const texts = new Set([...percentForms(bytes), json, inAscii(json), json.replaceAll("/", "\\/")]);
  texts.delete(value);
  return [bytes, ...[...texts].map((text) => Buffer.from(text))];
}

/** As those write JSON who leave nothing beyond ASCII in it. */
function inAscii(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value in base64 of any alignment and of both alphabets, which many programs break into lines. */
export function formsOverLines(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  if (bytes.length > MAX_ENCODED_BYTES) return [];
  return [...new Set(base64Forms(bytes))].map((text) => Buffer.from(text));
}

/** Shorter lines of a secret, such as a closing bracket, stand in many other texts. */
const MIN_LINE = 12;

/** The lines of a value that are masked each by itself: programs indent them, and end them in other ways. */
export function longLines(value: string): string[] {
  const lines = linesOf(value);
  return lines.length < 2 ? [] : lines.filter((line) => Buffer.byteLength(line) >= MIN_LINE);
}

/** What stands between the first and the last line of a key in PEM, without line breaks: it may be broken in other places. */
export function joinedLines(value: string): Buffer[] {
  const lines = linesOf(value);
  if (!lines.some((line) => line.startsWith("-----BEGIN "))) return [];
  const body = lines.filter((line) => /^[A-Za-z0-9+/=]+$/.test(line));
  return body.length < 2 ? [] : [Buffer.from(body.join(""))];
}

function linesOf(value: string): string[] {
  return value
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Six bits make a character of base64. */
const BITS = 6;

/**
 * Base64 of three bytes is four characters, so a value looks different when one or two bytes stand before it. Characters
 * that also hold bits of a neighbour are not known; they say at most four bits of the value.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const begin = Math.ceil((before * 8) / BITS);
    const known = Math.floor(((before + bytes.length) * 8) / BITS);
    // In the middle of other bytes, and at their end, where padding may follow.
    forms.push(encoded.slice(begin, known), encoded.slice(begin).replace(/=+$/, ""), encoded.slice(begin));
  }
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** The characters beside letters and digits that rules for encoding leave as they are: strict, URI component, path, form. */
const LEFT_AS_THEY_ARE = ["-_.~", "-_.!~*'()", "-_.~/", "-_.*", ""];

function percentForms(bytes: Buffer): string[] {
  const everyByte = [...bytes].map((byte) => percent(byte)).join("");
  const upper = LEFT_AS_THEY_ARE.map((left) => percentEncoded(bytes, left)).concat(everyByte);
  const all = [...upper, ...upper.map(lowerHex)];
  return [...all, ...all.map((form) => form.replaceAll("%20", "+"))];
}

function percentEncoded(bytes: Buffer, left: string): string {
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9]/.test(character) || left.includes(character) ? character : percent(byte);
    })
    .join("");
}

const percent = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
const lowerHex = (form: string) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
