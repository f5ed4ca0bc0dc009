import type { Agent, Automation, StartGrant } from "./definition.ts";
import type { WrittenGrant } from "./written.ts";

const DEFAULT_CHILDREN = 10;
const DEFAULT_DEPTH = 2;

/**
 * The grant that a file writes; nothing where it writes none.
 * @param ofForeman who may start every agent, unless the file names some
 */
export function writtenGrant(
  { mayStart, children, depth }: WrittenGrant = {},
  ofForeman: boolean,
): StartGrant | undefined {
  if (mayStart === undefined && children === undefined && depth === undefined) return undefined;
  return {
    agents: mayStart ?? (ofForeman ? "all" : []),
    children: children ?? DEFAULT_CHILDREN,
    depth: depth ?? DEFAULT_DEPTH,
  };
}

/**
 * Which agents a run may start: what its automation says, else what its agent says, else every agent for the foreman. The
 * default is not stored with a definition, so that a definition which an earlier version has stored is still equal to it.
 * @returns nothing for a run that may start none
 */
export function grantOf(agent: Agent | undefined, automation?: Automation): StartGrant | undefined {
  const written = automation?.starts ?? agent?.starts;
  if (written) return written.agents.length === 0 ? undefined : written;
  if (agent?.type !== "FOREMAN") return undefined;
  return { agents: "all", children: DEFAULT_CHILDREN, depth: DEFAULT_DEPTH };
}

/** Whether a grant names an agent. */
export function grantsAgent({ agents }: Pick<StartGrant, "agents">, name: string): boolean {
  return agents === "all" || agents.includes(name);
}

/** Whether a run with a grant may start an agent now; without a name, whether it may start any. */
export function mayStart(grant: StartGrant | undefined, name?: string): boolean {
  if (!grant || grant.depth <= 0) return false;
  return name === undefined ? grant.agents.length > 0 : grantsAgent(grant, name);
}

/** What a run has of a grant when it was started by a run that has this many generations left. */
export function reducedGrant(grant: StartGrant, parentDepth: number): StartGrant {
  return { ...grant, depth: Math.max(0, Math.min(grant.depth, parentDepth - 1)) };
}
