import { type GuardedKey, guardKey, takesBaseUrl } from "../harness/guarded-key.ts";
import { harnessEnvironment } from "../harness/harness-environment.ts";
import { LOCAL_ORIGIN, PROXY_URL } from "../network/proxy-environment.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { BegunTurn } from "./prepare-turn.ts";

/** Where a program finds no service of its own machine, because all that it asks for goes to another proxy. */
const ELSEWHERE = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/**
 * What the program of a turn is given for its key. Where the network is limited, the proxy of the run has it. Otherwise, a program
 * that can be told where to find its model finds it on the loopback interface; others have their key.
 */
export function keyOfTurn(
  { assignment, program, key: named }: Pick<BegunTurn, "assignment" | "program" | "key">,
  { sharesNetwork }: Pick<Sandbox, "sharesNetwork">,
): GuardedKey {
  const { network, secrets: granted, injections: injected = [] } = assignment;
  if (network) return guardKey(program, { granted, named, injected, origin: PROXY_URL });
  const environment = { ...Object.fromEntries(granted), ...harnessEnvironment(program, granted, named) };
  const isElsewhere = ELSEWHERE.some((name) => environment[name] !== undefined);
  if (sharesNetwork && takesBaseUrl(program) && !isElsewhere)
    return guardKey(program, { granted, named, origin: LOCAL_ORIGIN });
  return {
    environment: harnessEnvironment(program, granted, named),
    arguments: [],
    secrets: granted,
    injections: [],
    endpoints: [],
  };
}
