import type { ParseValue } from "./values.ts";

/** One setting: where it can be written, what it means, and what it is when no one wrote it. */
export interface Setting<T> {
  env: string;
  /** The command-line flag, when there is one. Secrets have none: arguments are visible to every user. */
  flag?: string;
  /** Whether millrace.yaml may hold it. Secrets may not: the file is for version control. */
  inFile: boolean;
  parse: ParseValue<T>;
  /** The default, as one would write it. */
  fallback?: string;
  secret?: boolean;
  /** How a value may be shown that has a secret in it. */
  show?: (text: string) => string;
  help: string;
}

export const required = <T>(setting: Setting<T> & { fallback: string }) => setting;
export const optional = <T>(setting: Omit<Setting<T>, "fallback">): Setting<T | undefined> => setting;
