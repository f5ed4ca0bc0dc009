import { openRunProxy } from "../../src/executor/network/proxy/run-proxy.ts";
import type { HeldNetwork } from "../../src/executor/sandbox/sandbox.ts";
import type { NetworkPolicy } from "../../src/runs/turn/network-policy.ts";
import { onFinished } from "./cleanup.ts";
import { sandboxOf, start } from "./sandbox-of.ts";

interface Options extends Partial<Pick<HeldNetwork, "injections" | "endpoints" | "authorityFile">> {
  server?: "root" | "nobody";
  /** Where the API is that the programs reach. */
  apiUrl?: string;
}

/** A sandbox whose programs reach what a policy allows, through the proxy that a supervisor opens for them. */
export async function heldSandbox(
  policy: NetworkPolicy,
  {
    server = "root",
    apiUrl = "http://127.0.0.1:1",
    injections = [],
    endpoints = [],
    authorityFile,
  }: Options = {},
) {
  const network = { policy, apiUrl, injections, endpoints, authorityFile };
  const sandbox = await sandboxOf(server, { network });
  return {
    ...sandbox,
    /** Runs a program to its end. */
    async run(command: string[]) {
      const launch = await sandbox.launch(command);
      if (!launch.proxy) throw new Error("the sandbox does not hold the network");
      const proxy = await openRunProxy(launch.proxy, () => {});
      onFinished(proxy.close);
      const { code, said } = await start(launch).closed;
      const reaches = proxy.reaches();
      proxy.close();
      return { code, said, ...reaches };
    },
    sh(script: string) {
      return this.run(["sh", "-c", script]);
    },
  };
}
