import { chmod, lstat, unlink } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { markAsProxied } from "../../platform/proxy-sockets.ts";
import { type HttpListener, listen } from "./listen.ts";

/** For the proxy's user by way of the group that it shares with the server. */
const OWNER_AND_GROUP = 0o660;

/**
 * Listens on a unix socket for a proxy of this machine. Who may open it is said by the modes of its file and folder; an agent
 * in a sandbox does not see it.
 * @param socket what a service manager listens on already
 */
export async function listenForProxy(
  path: string | undefined,
  handler: RequestListener,
  { socket, ...given }: Parameters<typeof listen>[2],
): Promise<HttpListener | undefined> {
  const options = { ...given, flag: "MILLRACE_PROXY_SOCKET", onConnection: markAsProxied };
  if (socket !== undefined) return listen({ path: path ?? "" }, handler, { ...options, socket });
  if (path === undefined) return undefined;
  // What a server before this one has left: the data folder has one at a time.
  if ((await lstat(path).catch(() => undefined))?.isSocket()) await unlink(path);
  const listener = await listen({ path }, handler, options);
  await chmod(path, OWNER_AND_GROUP);
  return listener;
}
