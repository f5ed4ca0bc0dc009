/**
 * JSON's reader takes numbers for the nearest that JavaScript has: 9007199254740993 becomes another integer, 1.10 loses a digit,
 * and 1e999 becomes infinite. What a sender wrote stays in the body, which is looked at again only where somebody asks.
 */
const BODY = Symbol("the body that it was read from");
const utf8 = new TextDecoder();

/**
 * Remembers what a value was read from, as long as there is the value. Nothing that goes through the value comes across it. A
 * WeakMap would keep the bodies of thousands of values that are gone, until old objects are collected.
 */
export function rememberBody(value: unknown, bytes: Uint8Array): void {
  if (typeof value === "object" && value !== null) Object.defineProperty(value, BODY, { value: bytes });
}

/**
 * A number of a payload as its sender wrote it.
 * @param payload as a whole, as it was read
 * @param path where the number is in it
 * @returns nothing for a payload that was not read from a body
 */
export function sentNumber(payload: unknown, path: readonly string[], value: number): string | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { [BODY]: bytes } = payload as { [BODY]?: Uint8Array };
  return bytes && numberAt(utf8.decode(bytes), path, value);
}

/** Finds a number in valid JSON. Where a key stands twice, only the value that was read counts. */
function numberAt(text: string, path: readonly string[], value: number): string | undefined {
  const numbers = /-?\d[\d.eE+-]*/y;
  // Of the objects and lists that are open at a place, those that lead to the path, with the index that a list has come to.
  const open: (number | "object")[] = [];
  let depth = 0;
  let leads = true;
  for (let place = 0; place < text.length; place += 1) {
    const isOnPath = depth === open.length;
    switch (text[place]) {
      case '"': {
        const end = endOfText(text, place);
        if (isOnPath && open[depth - 1] === "object" && !leads)
          leads = isKey(text, end) && JSON.parse(text.slice(place, end)) === path[depth - 1];
        place = end - 1;
        break;
      }
      case "{":
      case "[": {
        if (isOnPath && leads && depth < path.length) {
          open.push(text[place] === "{" ? "object" : 0);
          leads = text[place] === "[" && path[depth] === "0";
        }
        depth += 1;
        break;
      }
      case "}":
      case "]":
        if (isOnPath) {
          open.pop();
          leads = false;
        }
        depth -= 1;
        break;
      case ",": {
        const index = open[depth - 1];
        if (!isOnPath) break;
        if (typeof index === "number") open[depth - 1] = index + 1;
        leads = typeof index === "number" && path[depth - 1] === String(index + 1);
        break;
      }
      default: {
        numbers.lastIndex = place;
        const [digits] = numbers.exec(text) ?? [];
        if (digits === undefined) break;
        if (isOnPath && leads && depth === path.length && Object.is(Number(digits), value)) return digits;
        place += digits.length - 1;
      }
    }
  }
  return undefined;
}

/** Where a text that begins at a place has ended. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

const COLON = /\s*:/y;

function isKey(text: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(text);
}
