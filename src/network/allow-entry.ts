import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** One entry of an allowlist: which hosts, or which addresses, and on which port. */
export type AllowEntry = {
  /** The only port; without one, those of the web. */
  port?: number;
} & (
  | { kind: "host"; name: string }
  /** Every host below the name, and not the name itself. */
  | { kind: "below"; name: string }
  /** An address or a network in CIDR form. */
  | { kind: "network"; network: string }
);

/** What an entry without a port allows: HTTPS and HTTP. */
export const WEB_PORTS: readonly number[] = [443, 80];

/** A name of DNS (RFC 1035 with the underscores of RFC 8552) whose last label is no number, which would be an address. */
const NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+$|0x)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The form in which hosts are compared: lower case, without the dot of the root; nothing for what is no name of a host. */
export function hostName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, "");
  return NAME.test(name) ? name : undefined;
}

const NO_URL = "only a host or a network such as 10.0.0.0/8 is expected, without a scheme or a path";

/** Reads an entry. @returns what is wrong with it, the end of a sentence */
export function parseAllowEntry(text: string): AllowEntry | { problem: string } {
  if (text.includes("://")) return { problem: NO_URL };
  const { host, port: digits } = splitPort(text.trim());
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (!/^\d{1,5}$/.test(digits ?? "") || port < 1 || port > 65_535))
    return { problem: `the port ${JSON.stringify(digits)} is not a number from 1 to 65535` };
  const of = port === undefined ? {} : { port };
  const network = networkOf(host);
  if (network !== undefined) return { kind: "network", network, ...of };
  if (host.includes("/")) return { problem: NO_URL };
  const isBelow = host.startsWith("*.");
  const name = hostName(isBelow ? host.slice(2) : host);
  if (name !== undefined) return { kind: isBelow ? "below" : "host", name, ...of };
  if (host.includes("*"))
    return {
      problem:
        'a "*" can only stand for everything before a domain, as in "*.github.com"; for every host, write network: all',
    };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII is meant
  if (/[^\x00-\x7f]/.test(host)) return { problem: "names of hosts have to be in ASCII form (xn--…)" };
  return {
    problem:
      'a host name, an address or a network is expected, for example "api.anthropic.com", "*.github.com:443" or "10.0.0.0/8"',
  };
}

/** Whether an entry allows a host by its name. */
export function allowsHost(entry: AllowEntry, name: string, port: number): boolean {
  if (!allowsPort(entry, port)) return false;
  if (entry.kind === "host") return entry.name === name;
  return entry.kind === "below" && name.endsWith(`.${entry.name}`);
}

export function allowsPort({ port: own }: AllowEntry, port: number): boolean {
  return own === undefined ? WEB_PORTS.includes(port) : own === port;
}

/** Whether all that an entry allows is allowed by another one. */
export function coversEntry(wide: AllowEntry, narrow: AllowEntry): boolean {
  const ports = narrow.port === undefined ? WEB_PORTS : [narrow.port];
  if (!ports.every((port) => allowsPort(wide, port))) return false;
  if (wide.kind === "network") return narrow.kind === "network" && contains(wide.network, narrow.network);
  if (narrow.kind === "network") return false;
  if (wide.kind === "host") return narrow.kind === "host" && narrow.name === wide.name;
  if (narrow.name.endsWith(`.${wide.name}`)) return true;
  return narrow.kind === "below" && narrow.name === wide.name;
}

/** `[::1]:80` and `::1` are addresses of IPv6; everything else has at most one colon. */
function splitPort(text: string): { host: string; port?: string } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
  if (bracketed)
    return { host: bracketed[1] ?? "", ...(bracketed[2] === undefined ? {} : { port: bracketed[2] }) };
  const address = text.split("/")[0] ?? "";
  if (isIP(address) === 6) return { host: text };
  const [host = "", ...rest] = text.split(":");
  return rest.length === 0 ? { host } : { host, port: rest.join(":") };
}

/** An address or a network in one form each, with its bits; nothing for what is neither. */
function networkOf(text: string): string | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || rest.length > 0) return undefined;
  const parsed = ipaddr.process(address);
  const most = parsed instanceof ipaddr.IPv4 ? 32 : 128;
  if (bits === undefined) return `${parsed.toString()}/${most}`;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? `${parsed.toString()}/${Number(bits)}` : undefined;
}

function contains(wide: string, narrow: string): boolean {
  const [[outer, outerBits], [inner, innerBits]] = [ipaddr.parseCIDR(wide), ipaddr.parseCIDR(narrow)];
  return (
    outer.kind() === inner.kind() && innerBits >= outerBits && inner.match(outer as never, outerBits as never)
  );
}
