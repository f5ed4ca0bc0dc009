import type { RepositoryReference } from "../definitions/definition.ts";
import type { LoadTree } from "../definitions/loading/load.ts";
import type { KnownForges } from "../definitions/rules/forge-rules.ts";
import type { KnownWorker } from "../definitions/rules/runner-rules.ts";
import type { NarrowedAutomation } from "../definitions/rules/server-rule.ts";
import type { RunnerHost } from "../definitions/runner-host.ts";
import type { Source } from "../git/revision.ts";
import type { NetworkRule } from "../network/network-rule.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { Vault } from "../secrets/vault.ts";
import type { ActiveDefinition } from "./active-definition.ts";
import type { FactoryRecord, FactoryStore } from "./factory.ts";
import type { Request } from "./outcome.ts";
import type { SecretRotation } from "./webhook-credentials.ts";

export interface ReconcileDeps {
  store: FactoryStore;
  vault: Vault;
  sealer: Sealer;
  load: LoadTree;
  hasHarness(type: string): boolean;
  /** Whether a variable says where the program of a harness sends its key. */
  redirectsKey(type: string, name: string): boolean;
  /** Whether it is known what a model costs. */
  hasPrice(model: string): boolean;
  /** The forges that a factory may use. */
  forgesOf(factoryUid: string): Promise<KnownForges>;
  /** Whether the agents of a factory may have a key of the server's environment. */
  mayUseWorkerEnvironment(factoryUid: string): Promise<boolean>;
  /** Where runs execute. */
  host: RunnerHost;
  /** What the settings say of the network of runs. */
  network?: NetworkRule | undefined;
  /** The workers that may execute runs of a factory, whether they are connected or not. */
  listWorkers(factoryUid: string): Promise<readonly KnownWorker[]>;
  /** The schedules of the API that automations of a factory can follow. */
  listScheduleIds(factoryUid: string): Promise<ReadonlySet<string>>;
  /** Whether a source of this start has the factory; the records of others rest. */
  isServed(factoryUid: string): boolean;
  /** When webhooks had their last delivery that was let in, by uid; those that had none since an instant are left out. */
  lastDelivered(
    factoryUid: string,
    webhookUids: readonly string[],
    since: string,
  ): Promise<Record<string, string>>;
  /** The automations that this version starts for fewer of the last days' deliveries than the one that has applied them. */
  findNarrowed(
    factoryUid: string,
    active: ActiveDefinition,
    repositories: readonly RepositoryReference[],
  ): Promise<NarrowedAutomation[]>;
  now: () => Date;
}

/** What a pass is about: a factory as it is recorded, where its definition comes from, and what is in force. */
export interface Subject {
  factory: FactoryRecord;
  source: Source;
  /** Names the factory when its definition does not. */
  sourceName: string;
  /** The factory that millrace keeps, by name or uid, with which the settings let this source go on. */
  goesOnWith?: string;
  active: ActiveDefinition | undefined;
  /** Names what is known of the source's files from the pass before; left out when nothing of it may be shared. */
  cacheName?: string;
  request: Request;
  /** Values that come into force together with the definition; they win over those that the vault has. */
  newSecrets?: ReadonlyMap<string, string>;
  /** The secret that they rotate. */
  rotation?: SecretRotation | undefined;
}
