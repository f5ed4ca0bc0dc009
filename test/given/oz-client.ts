import OzAPI, { type ClientOptions } from "oz-agent-sdk";
import { ADMIN_KEY, type Server } from "./server.ts";

/** The public API's own client, with the admin key; what it is answered is held to the API's description. */
export function ozClient(server: Server, options: ClientOptions = {}): OzAPI {
  return new OzAPI({
    apiKey: ADMIN_KEY,
    baseURL: `${server.url}/api/v1`,
    fetch: (url, init) => server.fetch(String(url).slice(server.url.length), init as RequestInit),
    ...options,
  });
}
