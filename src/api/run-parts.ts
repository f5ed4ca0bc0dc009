import type { Config } from "../config/config.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { IdentityStore } from "../runs/agent-identity.ts";
import type { EnvironmentStore } from "../runs/cloud-environment.ts";
import type { Pauses } from "../runs/pauses.ts";
import type { Queue } from "../runs/queue.ts";
import type { RunStore } from "../runs/run.ts";
import type { TranscriptStore } from "../runs/transcript.ts";
import type { CommitSignal } from "./commit-signal.ts";
import type { Cursors } from "./cursor.ts";

/** What the endpoints of runs stand on. */
export interface RunParts {
  runs: RunStore;
  transcripts: TranscriptStore;
  factories: Factories;
  identities: Pick<IdentityStore, "find">;
  environments: Pick<EnvironmentStore, "find">;
  /** Whether a type is a public one or one of the settings. */
  hasHarness(type: string): boolean;
  config: Pick<Config, "defaultFactory">;
  queue: Queue;
  pauses: Pauses;
  cursors: Cursors;
  commits: CommitSignal;
  publicUrl: () => string;
  now: () => Date;
}
