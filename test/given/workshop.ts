import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import { folderWith, temporaryFolder } from "./folder.ts";
import { repositoryAt } from "./repository.ts";
import { ADMIN_KEY, type Server, type ServerOptions, startServer, waitFor } from "./server.ts";
import { type Run, storyOf } from "./story.ts";

export const EXAMPLE = fileURLToPath(new URL("../../examples/factory", import.meta.url));
export const PROGRAMS = join(EXAMPLE, "programs");
const SECRET = "the-secret-of-the-sender";
const ISSUE = JSON.parse(readFileSync(join(EXAMPLE, "issue.json"), "utf8"));

/** A task as the board shows it. */
export interface ShownTask {
  uid: string;
  title: string;
  stage: string;
}

/** A family of runs, oldest first. */
export interface ShownTree {
  root_run_id: string;
  runs: { run_id: string; parent_run_id: string | null; agent: string; title: string; state: string }[];
}

/**
 * What examples/factory is served with: a repository that its agents clone, and the programs that play them.
 * @param settings more of millrace.yaml, for an example that was changed to other harnesses
 */
export function workshopOptions({
  source = EXAMPLE,
  settings = {},
}: {
  source?: string;
  settings?: object;
} = {}) {
  const forge = folderWith({ "acme/README": "" });
  const repository = repositoryAt(join(forge, "acme", "shop.git"));
  const files = ["total.sh", "test.sh"].map((name) => [
    name,
    readFileSync(join(EXAMPLE, "shop", name), "utf8"),
  ]);
  repository.push(Object.fromEntries(files));
  const config = JSON.stringify({ ...settings, forges: { example: { baseUrl: `file://${forge}` } } });
  return {
    sources: [source],
    dataDir: join(temporaryFolder("millrace-workshop"), "data"),
    args: ["--config", join(folderWith({ "millrace.yaml": config }), "millrace.yaml")],
    env: { MILLRACE_AGENT_COMMAND: `sh ${PROGRAMS}/agent.sh ${PROGRAMS}` },
    sharesProcess: false,
  };
}

/** A served example. */
export async function openWorkshop(
  options: ServerOptions = workshopOptions(),
  secrets: Record<string, string> = {},
): Promise<Server> {
  const server = await startServer(options);
  for (const [name, value] of Object.entries({ ...secrets, ISSUES_WEBHOOK_SECRET: SECRET }))
    await storyOf(server).setSecret(name, value);
  await storyOf(server).sync();
  return server;
}

/** Reports an issue as its sender does. @returns the run that the delivery has started */
export async function reportIssue(server: Server, mark: string): Promise<string> {
  const story = storyOf(server);
  const { url } = await story.webhook("issues");
  const id = await story.accept(url, SECRET, JSON.stringify({ ...ISSUE, mark }));
  const { run_ids } = await story.delivery(id);
  if (run_ids.length !== 1) throw new Error(`the issue has started ${run_ids.length} runs`);
  return run_ids[0] ?? "";
}

export const treeOf = (server: Server, run: string) =>
  server.api<ShownTree>("GET", `/agent/runs/${run}/tree`);

/** The task that a run works on. */
export async function taskOf(server: Server, run: string): Promise<ShownTask> {
  const { uid } = await storyOf(server).factory();
  return server.api<ShownTask>("GET", `/factory/${uid}/task-by-run?run_id=${run}`);
}

/** Every stage that the task of a run was in, oldest first, and the run whose agent has moved it there. */
export async function stagesOf(server: Server, run: string) {
  const { uid } = await taskOf(server, run);
  const database = new BetterSqlite(join(server.dataDir, "millrace.db"), { readonly: true });
  try {
    return database
      .prepare("SELECT to_stage AS stage, run_id AS movedBy FROM task_events WHERE task_uid = ? ORDER BY seq")
      .all(uid) as { stage: string; movedBy: string | null }[];
  } finally {
    database.close();
  }
}

/** What a person has said to a turn of a run, once, and whether the server has confirmed it. */
interface Said {
  run: string;
  message: string;
  isConfirmed: boolean;
}

/** Someone who answers questions, and sends one message to each turn that ended because of the server. */
export function aPerson({ approves = true } = {}) {
  const said = new Map<string, Said>();
  async function lookAt(server: Server, root: string): Promise<void> {
    for (const { run_id, state } of (await treeOf(server, root)).runs) {
      if (state !== "BLOCKED" && state !== "ERROR") continue;
      const key = `${run_id}.${await lastTurn(server, run_id)}.${state}`;
      const message = state === "ERROR" ? "Go on." : approves ? "Approve" : "Reject";
      const one = said.get(key) ?? { run: run_id, message, isConfirmed: false };
      if (one.isConfirmed) continue;
      said.set(key, one);
      // Repeated under its key after a crash, when nobody knows whether it was taken.
      const answer = await server.fetch(`/api/v1/agent/runs/${run_id}/followups`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${ADMIN_KEY}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify({ message }),
      });
      if (!answer.ok) throw new Error(`the message was answered ${answer.status}: ${await answer.text()}`);
      one.isConfirmed = true;
    }
  }
  return { said, lookAt };
}

async function lastTurn(server: Server, run: string): Promise<number> {
  const events = await storyOf(server).timeline(run);
  return Math.max(...events.map(({ payload }) => payload?.turn ?? 1));
}

/** Waits until a run has ended well, while a person does what a person is there for. */
export function seeThrough(
  server: Server,
  root: string,
  person: ReturnType<typeof aPerson>,
  seconds = 180,
): Promise<Run> {
  return waitFor(async () => {
    const run = await storyOf(server).run(root);
    if (run.state === "SUCCEEDED") return run;
    if (run.state === "FAILED" || run.state === "CANCELLED")
      throw new Error(`the run is ${run.state}: ${run.status_message?.message}`);
    await person.lookAt(server, root);
    return undefined;
  }, seconds);
}
