/** A parsed delivery; whatever is in it comes from outside. */
export type Payload = unknown;
/** The values that a filter is held against; nothing where the payload does not say. */
export type Read = (payload: Payload, beside?: Beside) => (string | number)[] | undefined;

/** What is known of a delivery and stands not in its body. */
export interface Beside {
  /** Who opened the pull requests that it is linked to, as far as earlier deliveries have told. */
  authors?: readonly string[];
}

/** Something that the filter of an event can ask for. */
export interface PayloadField {
  read: Read;
  /** Why a payload does not say, for a person, where the event's provider is not to blame. */
  unsaid?(payload: Payload): string;
  /**
   * Names are the same to their provider in upper and lower case. Branches and paths may be patterns with `*`; a path that
   * names a folder stands for all that lies below it too. A keyword stands somewhere in the text.
   */
  compare: "exact" | "name" | "branch" | "path" | "keyword";
  /** Where the one number that it reads stands, which is shown as it was sent. */
  numberAt?: readonly string[];
  /** What the provider's data has, for a value that cannot stand there; nothing for one that can. */
  never?(value: string): string | undefined;
}

/** The value at a path of own properties. */
export const at = (payload: Payload, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    payload,
  );

export const scalars = (values: readonly unknown[]) =>
  values.filter((value) => typeof value === "string" || typeof value === "number");

export const one =
  (...path: string[]): Read =>
  (payload) =>
    scalars([at(payload, ...path)]);

/** What one of several places says: an id here, a name there. Nothing when none of them is there. */
export const anyOf =
  (...paths: string[][]): Read =>
  (payload) => {
    const values = paths.map((path) => at(payload, ...path));
    return values.every((value) => value === undefined) ? undefined : scalars(values);
  };

export const each = (path: string[], ...inner: string[]): Read =>
  once((payload) => {
    const list = at(payload, ...path);
    return Array.isArray(list) ? scalars(list.map((item) => at(item, ...inner))) : undefined;
  });

export const name = (read: Read): PayloadField => ({ read, compare: "name" });
export const exact = (read: Read): PayloadField => ({ read, compare: "exact" });
export const number = (...path: string[]): PayloadField => ({ ...exact(one(...path)), numberAt: path });
export const branch = (read: Read): PayloadField => ({ read, compare: "branch" });
export const path = (read: Read): PayloadField => ({ read, compare: "path" });
export const keyword = (read: Read): PayloadField => ({ read, compare: "keyword" });

/** A field whose values have a form of their own. @param has what the data has, for a person */
export const only = (field: PayloadField, form: RegExp, has: string): PayloadField => ({
  ...field,
  never: (value) => (form.test(value) ? undefined : has),
});

/** Many triggers ask the same delivery: what takes its time is read once. */
export function once(read: Read): Read {
  const known = new WeakMap<object, ReturnType<Read>>();
  return (payload) => {
    if (typeof payload !== "object" || payload === null) return read(payload);
    if (!known.has(payload)) known.set(payload, read(payload));
    return known.get(payload);
  };
}
