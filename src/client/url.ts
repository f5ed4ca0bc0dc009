export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { [key: string]: QueryValue };

/**
 * Fills in the parameters of a path: `/secrets/{name}`.
 * @throws TypeError for a value that would lead to another path than the one that was meant
 */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    if (["", ".", ".."].includes(value))
      throw new TypeError(`${name}: "${value}" is not valid in the path ${path}.`);
    return encodeURIComponent(value);
  });
}

/** A query with its question mark: arrays repeat their key, objects put theirs in brackets. */
export function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const pairs = new URLSearchParams(Object.entries(query).flatMap(([key, value]) => pairsOf(key, value)));
  return pairs.size > 0 ? `?${pairs}` : "";
}

function pairsOf(key: string, value: QueryValue): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(key, item));
  if (typeof value === "object")
    return Object.entries(value).flatMap(([inner, item]) => pairsOf(`${key}[${inner}]`, item));
  return [[key, String(value)]];
}
