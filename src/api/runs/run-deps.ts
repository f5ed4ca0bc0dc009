import type { CommitSignal } from "../../concurrency/rounds.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { IdentityStore } from "../../runs/agents/agent-identity.ts";
import type { EnvironmentStore } from "../../runs/agents/cloud-environment.ts";
import type { ArtifactBytes } from "../../runs/output/artifact-bytes.ts";
import type { RunMasks } from "../../runs/output/run-masks.ts";
import type { TranscriptStore } from "../../runs/output/transcript.ts";
import type { Pauses } from "../../runs/pauses.ts";
import type { Queue } from "../../runs/queue.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { TurnMeter } from "../../runs/turn-meter.ts";
import type { DefaultFactory } from "../agents/reached-agent.ts";
import type { Cursors } from "../http/cursor.ts";
import type { ApiRequest } from "../http/endpoint.ts";

/** A request for a run; both paths that take one are one operation. */
export type CreateRequest = ApiRequest<"createRun" | "createRunAlias">;

/** What the endpoints of runs stand on. */
export interface RunDeps {
  runs: RunStore;
  transcripts: TranscriptStore;
  factories: Factories;
  identities: Pick<IdentityStore, "find">;
  environments: Pick<EnvironmentStore, "find">;
  /** Whether a type is a public one or one of the settings. */
  hasHarness(type: string): boolean;
  defaultFactory: DefaultFactory;
  queue: Queue;
  /** Where the files that agents leave are kept. */
  artifacts: ArtifactBytes;
  /** Hides the secrets of a run in what its agent says. */
  masks: Pick<RunMasks, "maskOf" | "fileMaskOf">;
  pauses: Pauses;
  /** Is told of runs that end without a worker. */
  meter: Pick<TurnMeter, "ended">;
  cursors: Cursors;
  commits: CommitSignal;
  publicUrl: () => string;
  now: () => Date;
}
