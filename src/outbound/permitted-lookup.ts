import dns, { type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import type { AddressRules } from "./address-rules.ts";
import { OutboundError } from "./outbound-error.ts";

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
