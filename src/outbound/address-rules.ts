import dns, { type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks of IPv6 that carry an address of IPv4, and where in the eight groups that begins. */
const CARRIERS = { rfc6052: 6, rfc6145: 6, "6to4": 1 } as const;

/** Says which addresses outbound requests may go to. */
export type AddressRules = (address: string) => boolean;

/**
 * Public addresses are permitted, and all others only where a network of the settings has them: loopback, private and
 * link-local ones lead to what trusts the machine or the network that the server is in.
 * @param allowed addresses and networks, as MILLRACE_OUTBOUND_ALLOW lists them
 */
export function addressRules(allowed: readonly string[]): AddressRules {
  const isNamed = networkRules(allowed);
  return (text) => isNamed(text) || formsOf(text)?.every(isPublic) === true;
}

/** Permits nothing but the given addresses and networks. */
export function networkRules(allowed: readonly string[]): AddressRules {
  const networks = allowed.map((network): [Address, number] => {
    const address = ipaddr.process(network.split("/")[0] ?? "");
    const bits = network.includes("/") ? Number(network.split("/")[1]) : undefined;
    return [address, bits ?? (address instanceof ipaddr.IPv4 ? 32 : 128)];
  });
  return (text) =>
    formsOf(text)?.some((form) => networks.some((network) => isWithin(form, network))) === true;
}

/** An address, and the one of IPv4 that a network delivers it to; nothing for what is no address. */
function formsOf(text: string): Address[] | undefined {
  // A zone, as in fe80::1%eth0, names an interface of this machine.
  if (!ipaddr.isValid(text) || text.includes("%")) return undefined;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return [address];
  const start = CARRIERS[address.range() as keyof typeof CARRIERS];
  return start === undefined ? [address] : [address, carriedIn(address, start)];
}

function carriedIn({ parts }: ipaddr.IPv6, start: number): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(start, start + 2);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

/**
 * Public by their range, and answered inside of a cloud: Azure's platform (WireServer, also the metadata of extensions), and IBM's
 * services and endpoints. Those of other clouds are link-local, shared or private already.
 */
const CLOUD = networkRules(["168.63.129.16", "161.26.0.0/16", "166.8.0.0/14"]);

/** Of IPv6 only what is assigned to the internet at large: the well-known prefix of NAT64 leads there too. */
function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast" && !CLOUD(address.toString());
  const isGlobal = address.range() === "unicast" && ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return isGlobal || isNat64(address);
}

function isNat64({ parts }: ipaddr.IPv6): boolean {
  return parts.slice(0, 6).join(":") === [0x64, 0xff9b, 0, 0, 0, 0].join(":");
}

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits as never);
}

/**
 * Resolves names for a connection, and only to permitted addresses. What was checked is what is connected to, so that a
 * name that resolves differently a moment later leads nowhere else.
 */
export function permittedLookup(isPermitted: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    resolvePermitted(hostname, isPermitted).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else if (first) callback(null, first.address, first.family);
      },
      (error) => callback(error, "", 0),
    );
  };
}

/**
 * The addresses of a host; an address is its own.
 * @throws OutboundError when there are none, or one of them is not permitted: a sender with one address inside and one
 * outside could otherwise choose by failing
 */
export async function resolvePermitted(
  hostname: string,
  isPermitted: AddressRules,
): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  const addresses = family === 0 ? await resolveHost(host) : [{ address: host, family }];
  if (addresses.length > 0 && addresses.every(({ address }) => isPermitted(address))) return addresses;
  throw new OutboundError(
    addresses.length === 0
      ? `${host} has no address`
      : `${host} leads to an address that outbound requests may not reach; MILLRACE_OUTBOUND_ALLOW lists exceptions`,
  );
}

/** @throws OutboundError for a name that cannot be resolved */
export function resolveHost(hostname: string): Promise<LookupAddress[]> {
  return new Promise((settle, reject) => {
    dns.lookup(hostname, { all: true }, (error, addresses) => {
      if (error) reject(new OutboundError(`${hostname} could not be resolved (${error.code ?? "error"})`));
      else settle(addresses);
    });
  });
}

/** Why an outbound request had no answer: in words that name neither a secret nor an address behind a name. */
export class OutboundError extends Error {
  override name = "OutboundError";
}
