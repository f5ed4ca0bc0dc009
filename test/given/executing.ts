import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { components } from "../../src/client/api-types.ts";
import { runHere } from "../../src/executor/files/file-jobs.ts";
import { unconfined } from "../../src/executor/sandbox/unconfined.ts";
import {
  type AgentSupervisor,
  startAgentSupervisor,
} from "../../src/executor/supervisor/agent-supervisor.ts";
import { openWorkspaces } from "../../src/executor/workspace/workspaces.ts";
import { createForges } from "../../src/forge/forge.ts";
import { createMirrorCache } from "../../src/git/mirrors/mirror-cache.ts";
import { priceTable } from "../../src/insight/prices.ts";
import { createLog, silentLog } from "../../src/log.ts";
import { createLiveQuestions } from "../../src/runs/agents/live-questions.ts";
import type { AnswerChecker } from "../../src/runs/answers/answer-checker.ts";
import { answerTo } from "../../src/runs/answers/check-answer.ts";
import { artifactFolder } from "../../src/runs/output/artifact-folder.ts";
import { createRunMasks } from "../../src/runs/output/run-masks.ts";
import { NO_METER } from "../../src/runs/turn-meter.ts";
import type { ExecuteHereDeps } from "../../src/server/create-executor.ts";
import { serverWithAgent } from "./agent.ts";
import { onFinished } from "./cleanup.ts";
import { withNeededRepository } from "./definition.ts";
import { type Files, folderWith, temporaryFolder } from "./folder.ts";
import { aForge, type ObjectFormat, type TestForge } from "./repository.ts";
import type { aStore } from "./store.ts";

interface Changes {
  turns?: Partial<ExecuteHereDeps["turns"]>;
  execution?: Partial<ExecuteHereDeps["execution"]>;
}

/** Checks answers on this thread. */
export const checkedHere: Pick<AnswerChecker, "check" | "schemaProblem"> = {
  async check(schema, text) {
    const answer = answerTo({ schema: JSON.stringify(schema), text });
    return "checked" in answer ? answer.checked : { problems: [] };
  },
  async schemaProblem(schema) {
    const answer = answerTo({ schema: JSON.stringify(schema) });
    return "problem" in answer ? answer.problem : undefined;
  },
};

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
      answers: checkedHere,
      environments: { find: async () => undefined },
      activeOf: () => undefined,
      webhookSecrets: () => new Set(),
      forges: { isConfigured: false, of: async () => createForges([]) },
      mayUseWorkerEnvironment: async () => false,
      hasForges: false,
      usesImages: false,
      meter: NO_METER,
      onHold() {},
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

/** The built program of the process whose children the programs of runs are. */
export const SUPERVISOR_PROGRAM = new URL(
  "../../dist/executor/supervisor/supervisor-main.js",
  import.meta.url,
);

/** Such a process, which ends with the test. */
export function anAgentSupervisor(program = SUPERVISOR_PROGRAM): AgentSupervisor {
  const host = startAgentSupervisor({ log: silentLog, folder: temporaryFolder(), program });
  onFinished(() => host.stop());
  return host;
}

type Environment = components["schemas"]["CloudEnvironment"];
type EnvironmentConfig = components["schemas"]["CloudEnvironmentConfig"];

/** Tells what is in its workspace, two levels deep, and ends. */
export const LIST_WORKSPACE = `
  import { readdirSync } from "node:fs";
  const list = (path) => readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== ".git" && path.split("/").length < 4
      ? [\`\${path}/\${entry.name}/\`, ...list(\`\${path}/\${entry.name}\`)]
      : [\`\${path}/\${entry.name}\`]);
  console.log(list(".").sort().join("\\n"));`;

/** A server with one agent and a forge, whose repository acme/shop is the factory's. */
export async function preparingServer(
  agent: string,
  {
    files = {},
    env = {},
    settings = "",
    forge = aForge(),
    shop = { "README.md": "The shop.\n" } as Files,
    format,
    dataDir,
  }: {
    files?: Files;
    env?: Record<string, string>;
    settings?: string;
    /** Where the data of the server is. */
    dataDir?: string;
    forge?: TestForge;
    shop?: Files;
    format?: ObjectFormat;
  } = {},
) {
  const repository = forge.repository("acme/shop", shop, format);
  const config = join(folderWith({ "millrace.yaml": forge.settings + settings }), "millrace.yaml");
  const started = await serverWithAgent(agent, {
    files: { ...withNeededRepository(), ...files },
    env,
    args: ["--config", config],
    ...(dataDir === undefined
      ? {}
      : { before: { source: folderWith({ ...withNeededRepository(), ...files }), server: { dataDir } } }),
  });
  return {
    ...started,
    forge,
    repository,
    workspaceOf: (runId: string) => join(started.server.dataDir, "workspaces", runId),
    workspaces: () => readdirSync(join(started.server.dataDir, "workspaces")).sort(),
    /** Makes an environment. @returns its uid */
    async environment(config: Partial<EnvironmentConfig>): Promise<string> {
      const { uid } = await started.server.api<Environment>("POST", "/agent/environments", {
        name: "node",
        ...config,
      });
      return uid;
    },
  };
}
