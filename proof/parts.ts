import { clockJumps } from "./clock-jumps.ts";
import { crashes } from "./crashes.ts";
import { fullDisk } from "./full-disk.ts";
import { fuzz } from "./fuzz.ts";
import type { Part } from "./given/part.ts";
import { hostileAgents } from "./hostile-agents.ts";
import { hostileDefinitions } from "./hostile-definitions.ts";
import { servers } from "./servers.ts";
import { soak } from "./soak.ts";
import { windows } from "./windows.ts";
import { workers } from "./workers.ts";

/** Every kind of harm, in the order in which it is done. */
export const PARTS: readonly Part[] = [
  crashes,
  fuzz,
  soak,
  fullDisk,
  clockJumps,
  windows,
  hostileDefinitions,
  hostileAgents,
  workers,
  servers,
];

/** The part of a name, or all of them where none is named. */
export function partsNamed(name: string | undefined): readonly Part[] {
  if (!name) return PARTS;
  const named = PARTS.filter((part) => part.name === name);
  if (named.length > 0) return named;
  const known = PARTS.map((part) => `"${part.name}"`).join(", ");
  throw new Error(`The proof has no part "${name}". Name one of ${known}, or none for all of them.`);
}
