import type { Platform } from "../../definitions/definition.ts";
import type { Located } from "../../forge/forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { Claim } from "../run.ts";
import type { Injection } from "./injection.ts";
import type { NetworkPolicy } from "./network-policy.ts";

/** A repository of a run, and where it is cloned from, or why nobody knows. */
export interface AssignedRepository {
  owner: string;
  name: string;
  remote: Located<GitAccess> | { missing: string };
}

/** Where the key of a harness's program comes from: the value is here, or in the environment of whoever executes the turn. */
export type AssignedKey = { value: string } | { fromEnvironment: true };

/** A claimed turn with all that its executor needs: whoever executes it looks nothing up. */
export interface Assignment extends Claim {
  repositories: readonly AssignedRepository[];
  /** Who lists them: that is where it is said whether the run may go without. */
  repositoriesOf: "environment" | "factory";
  /** Whether the run goes without those that cannot be cloned. */
  repositoriesAreOptional: boolean;
  setupCommands: readonly SetupCommand[];
  /**
   * Whether what they make is kept for later workspaces; null: unless they see secrets. A server of an earlier version
   * does not have it, and would refuse a report about snapshots; then there are none.
   */
  cacheSetup?: boolean | null;
  machine: Machine;
  /** What its programs may reach over the network; without it, everything that the sandbox lets through. */
  network?: NetworkPolicy;
  /** Secrets that its programs use without having them, and whose texts are among `secrets`. */
  injections?: Injection[];
  /** The credential with which an engine pulls the image of the machine: what stands under `auths` in docker's settings. */
  registryAuths: Record<string, unknown> | undefined;
  /** The granted secrets by name, as they are now. */
  secrets: ReadonlyMap<string, string>;
  key: AssignedKey | undefined;
  /** A token with which the agent may push to one repository. */
  pushToken: string | undefined;
  /** What the agent reaches the API with. */
  runToken: string;
  /** What must not be shown: all of these values. */
  hidden: readonly string[];
  /** What the transcript of the turn begins with, a sentence each. */
  notes: readonly string[];
  /** The number of the last piece of output of earlier turns. */
  lastSeq: number;
  /** For the preparation, and for the agent. */
  timeoutMs: number;
  /** For each setup command; a server of an earlier version does not name it. */
  setupTimeoutMs?: number;
}

/** The machine that a runner or an environment asks for. */
export interface Machine {
  /** What a container is made of; the image of the settings where it is not given. */
  image?: string;
  /** The secret with which the image is pulled. */
  registrySecret?: string;
  /** What its programs may use of the machine: processors, and memory in gibibytes. */
  shape?: { vcpus: number; memoryGb: number };
  /** The system that it asks for, which is the server's own in any case. */
  platform?: Platform;
}

/** A line for a shell, and whose it is. */
export interface SetupCommand {
  command: string;
  of: string;
}
