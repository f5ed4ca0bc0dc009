import { randomBytes, timingSafeEqual } from "node:crypto";
import { MillraceError } from "../../errors/error.ts";
import { canonicalInjectRule, type InjectRules } from "../../network/inject-rule.ts";
import type { Target } from "./network-guard.ts";

/** A secret that the programs of a run use without having it: they have a text in its place, and their proxy puts the secret in. */
export interface Injection {
  /** The variable that has the text in its place. */
  name: string;
  /** What programs have in place of the value: nobody can guess it, so a request with it is one of this run. */
  placeholder: string;
  value: string;
  /** The only hosts that the value is sent to, each with its port unless that is 443. */
  hosts: string[];
  /** The only header that it is put into, in lower case; without one, it is every header with the text in it. */
  header?: string;
}

/** What a header can hold (RFC 9110 section 5.5), without white space around it. */
const HEADER_VALUE = /^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

export const isHeaderValue = (value: string): boolean => HEADER_VALUE.test(value);

/**
 * What of the secrets of a run its programs are not given.
 * @throws MillraceError `environment_setup_failed` for a secret that cannot be put into a header
 */
export function injectionsOf(
  rules: InjectRules | undefined,
  secrets: ReadonlyMap<string, string>,
): Injection[] {
  return Object.entries(rules ?? {}).flatMap(([name, rule]) => {
    const value = secrets.get(name);
    if (value !== undefined && !isHeaderValue(value)) throw noHeaderValue(name);
    return value === undefined
      ? []
      : [{ name, placeholder: newPlaceholder(), value, ...canonicalInjectRule(rule) }];
  });
}

function noHeaderValue(name: string): MillraceError {
  return new MillraceError(
    "environment_setup_failed",
    `The secret ${name} cannot be injected: a header of a request cannot contain its value, for example because of a line break`,
    {
      remedy:
        "Remove line breaks and white space around the value, or grant the secret under secrets: instead.",
    },
  );
}

/** The secrets of a run as its programs have them. */
export function withPlaceholders(
  secrets: ReadonlyMap<string, string>,
  injections: readonly Injection[],
): ReadonlyMap<string, string> {
  return new Map([...secrets, ...injections.map(({ name, placeholder }) => [name, placeholder] as const)]);
}

/** Long enough that nobody guesses it, and without characters that a header, a URL or a shell gives a meaning to. */
export function newPlaceholder(): string {
  return `${PREFIX}${randomBytes(BYTES).toString("hex")}`;
}

const PREFIX = "millrace-placeholder-";
const BYTES = 20;
const PLACEHOLDER = new RegExp(`${PREFIX}[0-9a-f]{${2 * BYTES}}`, "g");

/** Whether a request comes from the programs of a run: one of its headers has a text that only they have. */
export function hasPlaceholder(headers: NodeJS.Dict<string[]>, injections: readonly Injection[]): boolean {
  const found = Object.values(headers)
    .flatMap((values = []) => values)
    .flatMap((value) => `${value} ${basicIn(value)?.decoded ?? ""}`.match(PLACEHOLDER) ?? []);
  return found.some((text) =>
    injections.some(
      ({ placeholder }) =>
        placeholder.length === text.length && timingSafeEqual(Buffer.from(placeholder), Buffer.from(text)),
    ),
  );
}

/** Those whose secrets belong to a host. */
export function injectionsFor(injections: readonly Injection[], target: Target): Injection[] {
  const wanted = injectedHost(target);
  return injections.filter(({ hosts }) => hosts.includes(wanted));
}

/** A host as injections name it. */
export const injectedHost = ({ host, port }: Target): string =>
  port === HTTPS_PORT ? host : `${host}:${port}`;

const HTTPS_PORT = 443;

/** The headers of a request in which secrets stand in the place of their texts, for one host. */
export function injectHeaders(
  headers: Readonly<Record<string, string[]>>,
  injections: readonly Injection[],
): Record<string, string[]> {
  let injected: Record<string, string[]> = { ...headers };
  for (const injection of injections) injected = injectOne(injected, injection);
  return injected;
}

function injectOne(
  headers: Readonly<Record<string, string[]>>,
  injection: Injection,
): Record<string, string[]> {
  const { header, value } = injection;
  const replaced = Object.entries(headers).map(([name, values]): [string, string[]] =>
    header === undefined || header === name
      ? [name, values.map((text) => replaceIn(text, injection))]
      : [name, values],
  );
  if (header === undefined || headers[header] !== undefined) return Object.fromEntries(replaced);
  return {
    ...Object.fromEntries(replaced),
    [header]: [header === "authorization" ? `Bearer ${value}` : value],
  };
}

/** Also in the name and password of Basic authentication (RFC 7617), as git sends them. */
function replaceIn(text: string, { placeholder, value }: Injection): string {
  const basic = basicIn(text);
  if (!basic) return text.replaceAll(placeholder, () => value);
  const { scheme, decoded } = basic;
  if (!decoded.includes(placeholder)) return text;
  return `${scheme}${Buffer.from(decoded.replaceAll(placeholder, () => value)).toString("base64")}`;
}

function basicIn(text: string): { scheme: string; decoded: string } | undefined {
  const [, scheme = "", encoded = ""] = /^(basic\s+)([A-Za-z0-9+/=]+)$/i.exec(text) ?? [];
  return encoded === "" ? undefined : { scheme, decoded: Buffer.from(encoded, "base64").toString("utf8") };
}
