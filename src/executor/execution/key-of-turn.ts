import { MillraceError } from "../../errors/error.ts";
import { namesProxy } from "../../platform/proxies.ts";
import {
  type GuardedKey,
  guardKey,
  redirectsKey,
  takesBaseUrl,
  unguardedKey,
} from "../harness/guarded-key.ts";
import { LOCAL_ORIGIN, PROXY_URL } from "../network/proxy-environment.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { BegunTurn } from "./prepare-turn.ts";

/**
 * What the program of a turn is given for its key. Where the network is limited, the proxy of the run has it. Otherwise, a program
 * that can be told where to find its model finds it on the loopback interface; others have their key.
 * @throws MillraceError `environment_setup_failed` where the proxy of a run cannot put the key in, or a secret would say where a key
 *   goes that whoever executes the run has in its environment
 */
export function keyOfTurn(
  { assignment, program, key: named }: Pick<BegunTurn, "assignment" | "program" | "key">,
  { findsLocalServices }: Pick<Sandbox, "findsLocalServices">,
): GuardedKey {
  const { network, secrets: granted, injections: injected = [] } = assignment;
  const isOwn = named !== undefined && assignment.key !== undefined && "fromEnvironment" in assignment.key;
  const redirecting = [...granted.keys()].find((name) => redirectsKey(program, name));
  // Whoever writes a definition would take the key otherwise, also by having it given to the program itself.
  if (isOwn && redirecting !== undefined) throw wouldRedirect(redirecting);
  if (network) {
    const guarded = guardKey(program, { granted, named, injected, origin: PROXY_URL });
    if ("problem" in guarded) throw cannotGuard(guarded.problem);
    return guarded;
  }
  // It would ask its own proxy for the loopback interface.
  const hasProxy = namesProxy({ ...Object.fromEntries(granted), ...program.environment });
  if (!findsLocalServices || hasProxy || !takesBaseUrl(program))
    return unguardedKey(program, { granted, named });
  const guarded = guardKey(program, { granted, named, origin: LOCAL_ORIGIN });
  return "problem" in guarded ? unguardedKey(program, { granted, named }) : guarded;
}

function wouldRedirect(name: string): MillraceError {
  return new MillraceError(
    "environment_setup_failed",
    `The secret ${name} would determine where the API key of the agent's program is sent, and this key belongs to the server or worker (auth.source is workerEnvironment)`,
    {
      remedy: `Remove ${name} from the secrets of the run, or specify a secret in auth. For a gateway or a proxy for all runs, set ${name} under environment: of the harness in millrace.yaml.`,
    },
  );
}

function cannotGuard(problem: string): MillraceError {
  return new MillraceError(
    "environment_setup_failed",
    `The network proxy cannot put in the API key of the agent's program: ${problem}`,
    { remedy: "Correct the value, or set injectKey: false for the harness in millrace.yaml." },
  );
}
