import type { Config } from "../../config/config.ts";
import { formatAddress } from "../../config/setting-rows.ts";
import { loopbackUrl } from "./listen.ts";

/** The URLs of this server, the port among them that the system may choose when it listens. */
export function createAddresses({ listen: { host, port }, publicUrl, webhookUrl }: Config) {
  let bound = port;
  const own = () => publicUrl ?? `http://${formatAddress(host, bound)}`;
  return {
    publicUrl: own,
    webhookUrl: () => webhookUrl ?? own(),
    ownUrl: () => loopbackUrl(host, bound),
    listensOn: (port: number) => {
      bound = port;
    },
  };
}
