import { join } from "node:path";
import { type Clock, movableClock } from "../../test/given/clockwork.ts";
import { automationOn, FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "../../test/given/definition.ts";
import { folderWith, temporaryFolder } from "../../test/given/folder.ts";
import { SIGNING_SECRET } from "../../test/given/sender.ts";
import { type Server, startServer, waitFor } from "../../test/given/server.ts";
import { AMPLE_BUDGETS } from "../../test/given/serving.ts";
import { storyOf } from "../../test/given/story.ts";

/** Windows stay open until somebody sets the clock: a kill never comes after the end of one by chance. */
export const QUIET_MS = 10 * 60_000;

const grouped = (webhook: string, block: string) =>
  automationOn([webhook]).replace("---\n", `---\nmillrace: ${block}\n`);
const JOINED = (key: string) =>
  `{ concurrency: { key: "${key}", whileRunning: join }, debounce: { quiet: 10m, longest: 24h } }`;

/** Each turn takes a moment. */
const AGENT = "sleep 0.0$(($$ % 5))\n";

/** A server that is killed while windows are open, and the clock that it goes by. */
export interface WindowsStage {
  server: Server;
  clock: Clock & { shift: number };
  /** The addresses of the webhooks, by name; they outlive every crash. */
  paths: Record<string, string>;
  start(): Promise<void>;
}

/** Pull requests of GitHub and alerts join windows; a thread of Slack is one conversation. */
export async function openWindowsStage(): Promise<WindowsStage> {
  const clock = { ...movableClock(), shift: 0 };
  const scripts = folderWith({ "agent.sh": AGENT });
  const source = folderWith({
    ...FACTORY,
    "webhooks/github.yaml": signatureWebhook("github", "CI_SECRET"),
    "webhooks/alerts.yaml": TOKEN_WEBHOOK,
    "webhooks/slack.yaml": signatureWebhook("slack", "CI_SECRET"),
    "automations/review.md": grouped("github", JOINED("{{thread}}")),
    "automations/outage.md": grouped("alerts", JOINED("{{groupKey}}")),
    "automations/talk.md": grouped(
      "slack",
      '{ concurrency: { key: "{{thread}}", whileRunning: continue, forgetAfter: 90d } }',
    ),
  });
  const options = {
    sources: [source],
    dataDir: join(temporaryFolder("millrace-proof"), "data"),
    sharesProcess: false,
    env: {
      ...AMPLE_BUDGETS,
      ...clock.env,
      MILLRACE_AGENT_COMMAND: `bash ${join(scripts, "agent.sh")}`,
      MILLRACE_RUN_CONCURRENCY: "4",
      MILLRACE_LOG_LEVEL: "error",
    },
  };
  const stage: WindowsStage = {
    server: await startServer(options),
    clock,
    paths: {},
    async start() {
      stage.server = await startServer(options);
      await waitFor(async () => (await stage.server.fetch("/readyz")).ok || undefined, 60);
    },
  };
  const story = storyOf(stage.server);
  await story.setSecret("CI_SECRET", SIGNING_SECRET);
  await story.sync();
  for (const name of ["github", "alerts", "slack"])
    stage.paths[name] = new URL(await story.urlOf(name)).pathname;
  return stage;
}
