import { join } from "node:path";
import { runHere } from "../../src/executor/files/file-jobs.ts";
import { unconfined } from "../../src/executor/sandbox/unconfined.ts";
import { openWorkspaces } from "../../src/executor/workspace/workspaces.ts";
import { createForges } from "../../src/forge/forge.ts";
import { createMirrorCache } from "../../src/git/mirrors/mirror-cache.ts";
import { priceTable } from "../../src/insight/prices.ts";
import { createLog } from "../../src/log.ts";
import { createLiveQuestions } from "../../src/runs/agents/live-questions.ts";
import { artifactFolder } from "../../src/runs/output/artifact-folder.ts";
import { createRunMasks } from "../../src/runs/output/run-masks.ts";
import { NO_METER } from "../../src/runs/turn-meter.ts";
import type { ExecuteHereDeps } from "../../src/server/create-executor.ts";
import { anAgentSupervisor } from "./agent-supervisor.ts";
import { temporaryFolder } from "./folder.ts";
import type { aStore } from "./store.ts";

interface Changes {
  turns?: Partial<ExecuteHereDeps["turns"]>;
  execution?: Partial<ExecuteHereDeps["execution"]>;
}

/** What carries out the runs of a store on this thread, with an agent that ends well at once. */
export function executing(
  { runs: store, transcripts }: Pick<Awaited<ReturnType<typeof aStore>>, "runs" | "transcripts">,
  { turns, execution }: Changes = {},
): ExecuteHereDeps {
  const common = {
    mirrors: createMirrorCache(temporaryFolder()),
    log: createLog("silent"),
    now: () => new Date(),
  };
  const copied = execution?.artifacts ?? join(temporaryFolder(), "artifacts");
  return {
    artifacts: { kept: artifactFolder(copied), copied, swept: [] },
    turns: {
      store,
      transcripts,
      vault: { open: async () => new Map() },
      questions: createLiveQuestions(),
      masks: createRunMasks(),
      environments: { find: async () => undefined },
      activeOf: () => undefined,
      webhookSecrets: () => new Set(),
      forges: { isConfigured: false, of: async () => createForges([]) },
      mayUseWorkerEnvironment: async () => false,
      hasForges: false,
      usesImages: false,
      meter: NO_METER,
      prices: priceTable(),
      budgets: () => ({}),
      timeoutMs: 10_000,
      ...common,
      ...turns,
    },
    execution: {
      harnesses: { has: () => true, find: () => ({ command: ["true"], stdin: "none", output: "text" }) },
      environment: {},
      sandbox: unconfined(),
      host: anAgentSupervisor(),
      files: runHere,
      artifacts: copied,
      registryAuths: join(temporaryFolder(), "registry-auths"),
      workspaces: openWorkspaces(join(temporaryFolder(), "workspaces")),
      usage: { watch: () => ({ look: async () => {}, end: () => undefined }) },
      apiUrl: () => "http://127.0.0.1:1",
      ...common,
      ...execution,
    },
  };
}

/** What nobody tells a run that it carries out. */
export function noSignals() {
  return { stop: new AbortController().signal, cancel: new AbortController().signal, onMessage() {} };
}
