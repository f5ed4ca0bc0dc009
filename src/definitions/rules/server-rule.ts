import type { NetworkRule } from "../../network/network-rule.ts";
import type { DefinitionChange } from "../changes/plan.ts";
import type { WarningCode } from "../changes/plan-warning.ts";
import type { Definition } from "../definition.ts";
import type { Loaded } from "../loading/loaded.ts";
import type { DataPath } from "../loading/parse.ts";
import type { Problem, ProblemCode, Severity } from "../problem.ts";
import type { RunnerHost } from "../runner-host.ts";
import type { KnownForges } from "./forge-rules.ts";
import type { KnownWorker } from "./runner-rules.ts";

/** What only the server knows, and a definition has to agree with when it is applied. */
export interface ServerState {
  /** The values of those secrets of its webhooks that exist and that the factory may use. */
  secrets: ReadonlyMap<string, string>;
  /** Names of the secrets that exist and that agents of the factory may have. */
  agentSecrets: ReadonlySet<string>;
  /** Where the settings keep a secret that the factory may use, in words; nothing for any other. */
  placeOfSecret(name: string): string | undefined;
  /** Whether it is a credential that the settings use, which no agent gets. */
  isSecretOfServer(name: string): boolean;
  /** Whether the definition is in force already, and is only looked at once more. */
  isActive: boolean;
  /** The uids of the factory's webhooks, those of deleted ones that return with this definition included. */
  webhookUids: ReadonlySet<string>;
  /** The schedules of the API that automations of the factory can follow. */
  scheduleIds: ReadonlySet<string>;
  /** Whether signatures may wait for their secret: millrace keeps the definition, and takes the secret in a second step. */
  mayAwaitSecrets: boolean;
  /** Whether there is a harness of this name. */
  hasHarness(type: string): boolean;
  /** Whether a variable says where the program of a harness sends its key. */
  redirectsKey(type: string, name: string): boolean;
  /** Whether it is known what a model costs. */
  hasPrice(model: string): boolean;
  /** The forges that the factory may use. */
  forges: KnownForges;
  /** What millrace.yaml has to say for its agents to have the model key of the server; nothing where they may. */
  neededForServerKey: string | undefined;
  /** What the factory is called now, whatever the definition will have it called. */
  factoryName: string;
  /** Where runs execute. */
  host: RunnerHost;
  /** What the settings say of the network of runs. */
  network: NetworkRule | undefined;
  /** The workers that may execute runs of the factory, whether they are connected or not. */
  workers: readonly KnownWorker[];
  /** How the definition differs from what is stored. */
  changes: readonly DefinitionChange[];
  /** The automations that this version starts for fewer of the last days' deliveries than the one that has applied them. */
  narrowed: readonly NarrowedAutomation[];
}

/** An automation that this version starts for fewer deliveries than the version that has applied it. */
export interface NarrowedAutomation {
  name: string;
  /** How many deliveries of the last days started it and would not now. */
  dropped: number;
  /** How many started it. */
  started: number;
}

interface Subject {
  definition: Definition;
  loaded: Loaded;
  state: ServerState;
  problem(path: string, at: DataPath, code: ProblemCode, message: string, severity?: Severity): Problem;
}

/** One thing in which a definition has to agree with the server. */
export type ServerRule = (subject: Subject) => Problem[];

/** What the settings file of a server says, without its store and its machine: `validate --config` knows as much. */
export type SettingsState = Pick<
  ServerState,
  "hasHarness" | "hasPrice" | "forges" | "network" | "isActive"
> & {
  /** Left out where the file does not tell. */
  host?: RunnerHost;
};

/** One thing in which a definition has to agree with the settings of a server. */
export type SettingsRule = (subject: Omit<Subject, "state"> & { state: SettingsState }) => Problem[];

/** A problem between a tree and this server, and what a plan warns of with it. */
export interface ServerFinding {
  problem: Problem;
  warning: WarningCode | undefined;
}
