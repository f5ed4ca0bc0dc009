import { setTimeout as sleep } from "node:timers/promises";
import { formatBytes } from "../../config/values.ts";
import type { AgentHost } from "../host/agent-host.ts";
import { diskUsage } from "./disk-usage.ts";

const EVERY_MS = 2_000;
/** Counting takes at most this part of the time, however many files there are. */
const REST_FACTOR = 10;

/**
 * Looks at the size of a workspace again and again while a turn is prepared and works.
 * @param limitBytes 0 for no limit
 * @param host what starts the program that looks
 * @param onOver is called once, with a message that says which limit
 * @returns what ends the watch
 */
export function watchQuota(
  folder: string,
  limitBytes: number,
  host: Pick<AgentHost, "start">,
  onOver: (message: string) => void,
): () => void {
  if (limitBytes === 0) return () => {};
  const watching = new AbortController();
  const { signal } = watching;
  const watch = async () => {
    let rest = EVERY_MS;
    while (!signal.aborted) {
      await sleep(rest, undefined, { signal, ref: false });
      const begun = performance.now();
      const used = await diskUsage(folder, host);
      if (signal.aborted) return;
      if (used !== undefined && used > limitBytes) return onOver(overLimit(used, limitBytes));
      rest = Math.max(EVERY_MS, (performance.now() - begun) * REST_FACTOR);
    }
  };
  watch().catch(() => {});
  return () => watching.abort();
}

function overLimit(used: number, limit: number): string {
  return (
    `The run was ended: its workspace has grown to ${formatBytes(used)}, ` +
    `and the limit is ${formatBytes(limit)} (MILLRACE_WORKSPACE_QUOTA).`
  );
}
