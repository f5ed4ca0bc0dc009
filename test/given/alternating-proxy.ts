import { forwardingProxy } from "./forwarding-proxy.ts";

/** Stands in front of several servers, and gives each request to the next one of them. */
export function alternatingProxy(targets: readonly string[]): Promise<string> {
  let turn = 0;
  return forwardingProxy(({ url = "/" }) => {
    turn += 1;
    return new URL(url, targets[turn % targets.length]);
  });
}
