/** PostgreSQL takes every character in a text but this one. A server on SQLite keeps to the same, so that it can be moved. */
const NUL = "\0";
/** What stands in the place of a character that cannot be shown. */
const REPLACEMENT = "\ufffd";

/** The keys and indexes that lead to a text in a value. */
export type TextPath = readonly (string | number)[];

/** Why a text is not stored as it is by every database; nothing where it is. SQLite reads half of a pair as three characters. */
export function whyUnstorable(text: string): string | undefined {
  if (text.includes(NUL)) return "expected a string without a NUL character (U+0000)";
  return text.isWellFormed() ? undefined : "expected valid Unicode text; found half of a surrogate pair";
}

/**
 * What a program, an agent or a sender has said without asking for an answer, as it can be stored: U+FFFD stands in the place of
 * U+0000 and of half of a surrogate pair. Bytes stay as they are, and so does everything in which there is nothing to replace.
 */
export function storable<Value>(value: Value): Value {
  return replaced(value) as Value;
}

function replaced(value: unknown): unknown {
  if (typeof value === "string") {
    const whole = value.toWellFormed();
    return whole.includes(NUL) ? whole.replaceAll(NUL, REPLACEMENT) : whole;
  }
  if (Array.isArray(value)) {
    const items = value.map(replaced);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isPlainObject(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([key, inner]) => [replaced(key) as string, replaced(inner)] as const);
  const isSame = after.every(
    ([key, inner], index) => key === before[index]?.[0] && inner === before[index][1],
  );
  return isSame ? value : Object.fromEntries(after);
}

/** The texts of a value that cannot be stored, a key as a text of its own, and where they stand. */
export function unstorableTexts(
  value: unknown,
  { most, isText = () => true }: { most: number; isText?: (path: TextPath) => boolean },
): { path: TextPath; text: string }[] {
  const found: { path: TextPath; text: string }[] = [];
  const isFound = (text: string, path: TextPath): boolean => {
    const isUnstorable = whyUnstorable(text) !== undefined && isText(path);
    if (isUnstorable && found.length < most) found.push({ path, text });
    return isUnstorable;
  };
  const visit = (inner: unknown, path: TextPath): void => {
    if (found.length >= most) return;
    if (typeof inner === "string") isFound(inner, path);
    else if (Array.isArray(inner)) for (const [index, item] of inner.entries()) visit(item, [...path, index]);
    else if (isPlainObject(inner)) {
      for (const [key, each] of Object.entries(inner)) {
        const own = [...path, key];
        if (!isFound(key, own)) visit(each, own);
      }
    }
  };
  visit(value, []);
  return found;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
