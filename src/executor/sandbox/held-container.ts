import { behindForwarder } from "../network/forwarder.ts";
import { proxyEnvironment } from "../network/proxy-environment.ts";
import { FORWARDER_INSIDE, PORTABLE_SHELL, PORTABLE_SOCAT } from "./portable-forwarder.ts";
import type { Launch, RunProgram } from "./sandbox.ts";
import { shownProxy } from "./shown-proxy.ts";

/** What containers need so that their network can be held; the reason why it cannot be, as a sentence. */
export type HeldContainers = { forwarder: string; sockets: string; socat: string } | { reason: string };

/** What a container needs for a program whose network is held. */
export interface HeldContainer {
  options: string[];
  /** What stands before the program. */
  before: readonly string[];
  /** Variables that must reach the program without having been those of the engine's command, which they would steer. */
  environment: Record<string, string>;
  launch: Pick<Launch, "proxy">;
}

const NOT_HELD: HeldContainer = { options: [], before: [], environment: {}, launch: {} };

/** @returns nothing to be added for a program whose network is not held */
export function heldContainer(
  { runId, network }: Pick<RunProgram, "runId" | "network">,
  held: HeldContainers,
): HeldContainer {
  if (!network || "reason" in held) return NOT_HELD;
  const { proxy, files } = shownProxy(runId, network, held.sockets, held.socat);
  const shown = [{ path: held.forwarder, inside: FORWARDER_INSIDE }, ...files];
  return {
    options: shown.flatMap(({ path, inside }) => [
      "--mount",
      `type=bind,source=${path},target=${inside},readonly`,
    ]),
    before: behindForwarder({ socat: PORTABLE_SOCAT, shell: PORTABLE_SHELL }),
    environment: proxyEnvironment(network, PORTABLE_SOCAT),
    launch: { proxy },
  };
}

/** Why the network of programs in containers cannot be held; nothing where it can, or where they have none at all. */
export function unheldInContainers({
  network,
  options,
  held,
}: {
  network: boolean;
  options: readonly string[];
  held: HeldContainers;
}): string | undefined {
  if (!network) return undefined;
  if (
    /(^|\s)--(net|network|network-alias|pod|pod-id-file|dns\S*|ip6?|mac-address)([= ]|$)/.test(
      options.join(" "),
    )
  )
    return "MILLRACE_CONTAINER_OPTIONS set the network of containers, for example with --network, --dns or --pod";
  return "reason" in held ? held.reason : undefined;
}

/**
 * What a program gets through the environment of the engine's command, which shows no values to others, and what it is
 * given on the command line, because the engine would obey it itself. The image has its own PATH.
 */
export function dividedEnvironment({ environment }: Pick<RunProgram, "environment">, held: HeldContainer) {
  const { HOME, PATH, ...others } = environment;
  const given = { ...held.environment, ...(HOME === undefined ? {} : { HOME }) };
  const passed = Object.fromEntries(Object.entries(others).filter(([name]) => !(name in given)));
  return { passed, given };
}
