import { parseAllowEntry } from "./allow-entry.ts";

/** Where a secret goes that programs use without having it. */
export interface InjectRule {
  /** The only hosts that it is sent to, each with its port unless that is 443. */
  hosts: string[];
  /** The only header that it is put into. */
  header?: string;
}

/** By the names of the secrets. */
export type InjectRules = Record<string, InjectRule>;

/** What is wrong with a host of a rule, the end of a sentence. */
export function injectedHostProblem(text: string): string | undefined {
  const entry = parseAllowEntry(text);
  if ("problem" in entry) return entry.problem;
  if (entry.kind === "host") return undefined;
  return 'a secret goes to hosts that are named one by one, for example "api.anthropic.com"';
}

/** A rule in the form in which hosts and headers are compared. */
export function canonicalInjectRule({ hosts, header }: InjectRule): InjectRule {
  return {
    hosts: hosts.flatMap((text) => {
      const entry = parseAllowEntry(text);
      if (!("kind" in entry) || entry.kind !== "host") return [];
      return entry.port === undefined || entry.port === 443 ? entry.name : `${entry.name}:${entry.port}`;
    }),
    ...(header === undefined ? {} : { header: header.toLowerCase() }),
  };
}
