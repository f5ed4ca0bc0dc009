import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { automationOn, FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "../../test/given/definition.ts";
import { type Files, folderWith, temporaryFolder } from "../../test/given/folder.ts";
import { type Server, startServer, waitFor } from "../../test/given/server.ts";
import { AMPLE_BUDGETS } from "../../test/given/serving.ts";
import { storyOf } from "../../test/given/story.ts";
import { TOKEN } from "./sent.ts";

export const CONCURRENCY = 3;

/** Each run has a file of its own, which tells what its agent was given and that it came to its end. */
const AGENT = `
file="$1/$MILLRACE_RUN_ID"
sum=none
[ -f event-payload.json ] && sum=$(sha256sum < event-payload.json | cut -d' ' -f1)
echo "start $MILLRACE_TURN $sum" >> "$file"
sleep 0.0$(($$ % 10))
echo end >> "$file"
`;

/** What the agents of a run have written down themselves. */
export interface Witness {
  starts: number;
  ends: number;
  /** The SHA-256 of the payload that the agent found, or none. */
  payload: string | undefined;
}

/** A server that a part of the proof does harm to, and what is known of it from outside. */
export interface Stage {
  server: Server;
  dataDir: string;
  /** The folder of the definition, which the server watches. */
  source: string;
  /** The paths of the webhooks, by way; they outlive every crash. */
  paths: Record<string, string>;
  start(): Promise<void>;
  witnesses(): Map<string, Witness>;
}

export interface StageOptions {
  files?: Files;
  env?: Record<string, string>;
  wrapper?: string[];
  dataDir?: string;
}

/** Starts a server with three webhooks and an automation that listens to all of them. */
export async function openStage({ files = {}, env = {}, wrapper, dataDir }: StageOptions): Promise<Stage> {
  const witness = temporaryFolder("millrace-witness");
  const scripts = folderWith({ "agent.sh": AGENT });
  const source = folderWith({
    ...FACTORY,
    "webhooks/token.yaml": TOKEN_WEBHOOK,
    "webhooks/signed.yaml": signatureWebhook("github", "CI_SECRET"),
    "webhooks/link.yaml": "authMode: url_token\nsecretName: CI_SECRET\n",
    "automations/work.md": automationOn(["token", "signed", "link"], { go: [true] }),
    ...files,
  });
  const options = {
    sources: [source],
    dataDir: dataDir ?? join(temporaryFolder("millrace-proof"), "data"),
    env: {
      ...AMPLE_BUDGETS,
      MILLRACE_AGENT_COMMAND: `bash ${join(scripts, "agent.sh")} ${witness}`,
      MILLRACE_RUN_CONCURRENCY: String(CONCURRENCY),
      MILLRACE_LOG_LEVEL: "error",
      ...env,
    },
    ...(wrapper ? { wrapper } : {}),
  };
  mkdirSync(options.dataDir, { recursive: true });
  const stage: Stage = {
    server: await startServer(options),
    dataDir: options.dataDir,
    source,
    paths: {},
    async start() {
      stage.server = await startServer(options);
      const isServed = async () => (await stage.server.fetch("/readyz")).ok || undefined;
      await waitFor(isServed, 60);
    },
    witnesses: () => readWitnesses(witness),
  };
  const story = storyOf(stage.server);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  for (const way of ["token", "signed", "link"]) {
    const { pathname } = new URL((await story.urlOf(way)).replace("/{token}", ""));
    stage.paths[way] = pathname;
  }
  return stage;
}

function readWitnesses(folder: string): Map<string, Witness> {
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder).map((run) => {
      const lines = readFileSync(join(folder, run), "utf8").split("\n");
      const starts = lines.filter((line) => line.startsWith("start "));
      const payload = starts[0]?.split(" ")[2];
      const witness = {
        starts: starts.length,
        ends: lines.filter((line) => line === "end").length,
        payload: payload === "none" ? undefined : payload,
      };
      return [run, witness];
    }),
  );
}
