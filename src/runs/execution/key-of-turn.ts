import { type GuardedKey, guardKey, takesBaseUrl, unguardedKey } from "../harness/guarded-key.ts";
import { LOCAL_ORIGIN, PROXY_URL, PROXY_VARIABLES } from "../network/proxy-environment.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { BegunTurn } from "./prepare-turn.ts";

/**
 * What the program of a turn is given for its key. Where the network is limited, the proxy of the run has it. Otherwise, a program
 * that can be told where to find its model finds it on the loopback interface; others have their key.
 */
export function keyOfTurn(
  { assignment, program, key: named }: Pick<BegunTurn, "assignment" | "program" | "key">,
  { findsLocalServices }: Pick<Sandbox, "findsLocalServices">,
): GuardedKey {
  const { network, secrets: granted, injections: injected = [] } = assignment;
  if (network) return guardKey(program, { granted, named, injected, origin: PROXY_URL });
  const hasOtherProxy = PROXY_VARIABLES.some((name) => granted.has(name) || program.environment?.[name]);
  return findsLocalServices && !hasOtherProxy && takesBaseUrl(program)
    ? guardKey(program, { granted, named, origin: LOCAL_ORIGIN })
    : unguardedKey(program, { granted, named });
}
