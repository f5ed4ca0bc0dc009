import { openRunProxy, type ProxySpec } from "../network/proxy/run-proxy.ts";
import type { ProgramMessage } from "./supervised-program.ts";
import type { NetworkReport } from "./supervisor-messages.ts";

/** The network of one program, and what is told of it. */
export interface ProgramNetwork {
  /** What the program has reached and used so far. */
  report(): NetworkReport;
  /** Tells it once more: somebody else listens now. */
  tellAgain(): void;
  /** Has models answer no more. */
  refuseModels(): void;
  /** Ends it with the program, and tells what that has reached. */
  close(): void;
}

/** A program can make thousands of requests in a second. */
const TELL_MS = 1_000;

/** Opens the proxy of a program that is about to start. @throws what the system says when it cannot listen */
export async function openProgramNetwork(
  spec: ProxySpec,
  send: (message: ProgramMessage) => void,
): Promise<ProgramNetwork> {
  let timer: NodeJS.Timeout | undefined;
  const proxy = await openRunProxy(spec, () => {
    timer ??= setTimeout(tell, TELL_MS).unref();
  });
  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    send({ event: "network", network: report() });
  }
  const report = (): NetworkReport => ({ reaches: proxy.reaches(), usage: [...proxy.usage()] });
  return {
    report,
    tellAgain: tell,
    refuseModels: proxy.refuseModels,
    close() {
      proxy.close();
      tell();
    },
  };
}
