import { openLocalEndpoints } from "../network/proxy/local-endpoints.ts";
import type { TakeRelay } from "../network/proxy/relay.ts";
import { openRunProxy, type RunProxy } from "../network/proxy/run-proxy.ts";
import { LOCAL_ORIGIN } from "../network/proxy-environment.ts";
import type { Launch } from "../sandbox/sandbox.ts";
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

/**
 * Opens the network of a program that is about to start.
 * @returns the network, and the launch with the addresses in it
 * @throws what the system says when it cannot listen
 */
export async function openProgramNetwork(
  launch: Launch,
  send: (message: ProgramMessage) => void,
  takeRelay: TakeRelay,
): Promise<{ network: ProgramNetwork; launch: Launch }> {
  let timer: NodeJS.Timeout | undefined;
  const onChange = () => {
    timer ??= setTimeout(tell, TELL_MS).unref();
  };
  const { proxy, origin } = await openFor(launch, onChange, takeRelay);
  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    send({ event: "network", network: report() });
  }
  const report = (): NetworkReport => ({ reaches: proxy.reaches(), usage: [...proxy.usage()] });
  const network: ProgramNetwork = {
    report,
    tellAgain: tell,
    refuseModels: proxy.refuseModels,
    close() {
      proxy.close();
      tell();
    },
  };
  return { network, launch: origin === undefined ? launch : launchAt(origin, launch) };
}

async function openFor(
  { proxy, endpoints }: Launch,
  onChange: () => void,
  takeRelay: TakeRelay,
): Promise<{ proxy: RunProxy; origin?: string }> {
  if (proxy) return { proxy: await openRunProxy(proxy, onChange, takeRelay) };
  if (!endpoints) throw new Error("the program has no proxy");
  const local = await openLocalEndpoints(endpoints, onChange);
  return { proxy: local, origin: local.origin };
}

function launchAt(origin: string, launch: Launch): Launch {
  const placed = (text: string) => text.replaceAll(LOCAL_ORIGIN, () => origin);
  const environment = Object.entries(launch.environment).map(([name, value]) => [name, placed(value)]);
  return { ...launch, args: launch.args.map(placed), environment: Object.fromEntries(environment) };
}
