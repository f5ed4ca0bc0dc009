/** Names under which runs execute on this server: that of the public service, where it is the default, and our own. */
const THIS_SERVER: ReadonlySet<string> = new Set(["warp", "local", "millrace"]);

/** Names that no worker can have, in letters of any case: runs for them never leave this server. */
export const SERVER_NAMES: readonly string[] = [...THIS_SERVER];

/** Whether a worker host is this server; without one, it is. */
export function isThisServer(workerHost: string | null | undefined): boolean {
  return !workerHost || THIS_SERVER.has(workerHost);
}
