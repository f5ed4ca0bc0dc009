import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { connectPostgres } from "../../src/store/postgres/postgres-client.ts";
import { onFinished } from "../given/cleanup.ts";
import { automationOn, withWebhook } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";
import { serverOf } from "../given/isolated.ts";
import { pgbouncerBefore } from "../given/pgbouncer.ts";
import { freePort } from "../given/port.ts";
import { agentsIn } from "../given/processes.ts";
import { emptyRepository } from "../given/repository.ts";
import { waitFor } from "../given/server.ts";
import { createCluster, otherUser, postgresPrograms } from "../given/start-postgres.ts";

/** What the database is stored on, and what fills it. */
const VOLUME_MEGABYTES = 192;

/**
 * A cluster of PostgreSQL whose database is on a small volume. It starts again whenever it ends, as a service manager has it, with
 * its volume.
 */
async function failingPostgres() {
  const folder = temporaryFolder("millrace-failing");
  chmodSync(folder, 0o755);
  const owner = otherUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const env = { PATH: process.env.PATH, LC_ALL: "C" };
  const data = join(folder, "data");
  const volume = join(folder, "volume");
  createCluster(data, { owner, cwd: folder, env });
  const port = await freePort();
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: 300 };
  const args = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const { uid, gid } = owner ?? { uid: 0, gid: 0 };
  const asOwner = owner ? `setpriv --reuid=${uid} --regid=${gid} --clear-groups` : "";
  const script = [
    `mkdir '${volume}' && mount -t tmpfs -o size=${VOLUME_MEGABYTES}m,mode=700,uid=${uid},gid=${gid} tmpfs '${volume}' || exit 1`,
    `while :; do ${asOwner} '${join(postgresPrograms(), "postgres")}' -D '${data}' ${args.join(" ")}; sleep 1; done`,
  ].join("\n");
  const asRoot = owner ? [] : ["--map-root-user"];
  const keeper = spawn("unshare", [...asRoot, "--mount", "sh", "-c", script], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
    // All of it ends together.
    detached: true,
  });
  let said = "";
  keeper.stderr.on("data", (piece) => {
    said = (said + piece).slice(-20_000);
  });
  onFinished(() => endGroup(keeper));
  const urlOf = (database: string) => `postgres://millrace@127.0.0.1:${port}/${database}`;
  const ask = async (sql: string) => {
    const client = await connectPostgres({ url: urlOf("postgres"), name: "administrator" });
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const isThere = () =>
    ask("SELECT 1").then(
      () => true,
      () => false,
    );
  await waitFor(() => {
    if (keeper.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
    return isThere();
  });
  await ask(`CREATE TABLESPACE small LOCATION '${volume}'`);
  await ask("CREATE DATABASE mill TABLESPACE small");
  const cut = () =>
    ask(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'mill' AND pid <> pg_backend_pid()",
    );
  return {
    url: urlOf("mill"),
    ask,
    cut,
    /** Ends its first process, and waits until it is there again. */
    async restart(signal: NodeJS.Signals) {
      const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
      process.kill(pid, signal);
      await waitFor(async () => !(await isThere()));
      await waitFor(isThere);
    },
    /** Begins a transaction that lets nobody read or write a table. @returns what ends it */
    async lock(table: string) {
      const client = await connectPostgres({ url: urlOf("mill"), name: "administrator" });
      await client.query("SET idle_in_transaction_session_timeout = 0");
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      return () => client.end();
    },
    /** Takes all that is free on the volume of the database. */
    fill: () =>
      ask(
        `COPY (SELECT repeat('x', 1000000) FROM generate_series(1, ${VOLUME_MEGABYTES})) TO '${join(volume, "fill")}'`,
      ).catch((error) => expect(String(error)).toContain("No space left")),
    free: () => ask(`COPY (SELECT 1) TO PROGRAM 'cat > /dev/null; rm ${join(volume, "fill")}'`),
  };
}

async function endGroup({ pid, exitCode }: ChildProcess) {
  if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGKILL");
}

/** Notes that it was started, and works for a second, or until it may end. */
const AGENT = `
  import { appendFileSync, existsSync, readFileSync } from "node:fs";
  appendFileSync("starts", "started\\n");
  console.log("began");
  const stays = readFileSync("prompt.md", "utf8").includes("Stay.");
  const until = Date.now() + 1_000;
  while (stays ? !existsSync("enough") : Date.now() < until) await new Promise((next) => setTimeout(next, 50));
  console.log("done");`;

/** Each takes a page of the database, so that a full disk is noticed. */
const FILLER = "x".repeat(20_000);
/** How many deliveries come in during each fault. */
const LEAST = 6;

test("a server that is not root loses and doubles nothing while its database fails in all ways", async () => {
  const postgres = await failingPostgres();
  const pgbouncer = await pgbouncerBefore(postgres.url, { pool_mode: "session", default_pool_size: 100 });
  const env = {
    MILLRACE_DATABASE_URL: pgbouncer.url,
    MILLRACE_MASTER_KEY: "a-master-key-for-tests-that-is-long-enough",
    MILLRACE_DELIVERIES_PER_MINUTE: "6000",
    // No turn ends because the machine is busy.
    MILLRACE_WORKER_LEASE: "10m",
  };
  const files = {
    ...withWebhook("secretName: CI_SECRET\ndeliveryIdHeader: x-piece\n"),
    "automations/a.md": automationOn(["w"]),
  };
  const repository = emptyRepository();
  repository.push(files);
  chmodSync(dirname(repository.url), 0o755);
  const before = { source: repository.url, dataDir: join(temporaryFolder("millrace-served"), "data") };
  const given = await serverOf("nobody", "bwrap", AGENT, { env, before });
  let { server, story } = given;
  await story.setSecret("CI_SECRET", "ci-secret");
  await story.sync();
  const path = new URL(await story.urlOf("w")).pathname;
  const workspaceOf = (id: string) => join(given.dataDir, "workspaces", id);
  const startsOf = (id: string) => readFileSync(join(workspaceOf(id), "starts"), "utf8");

  /** The ids with which pieces were accepted: nothing for those that were not yet. */
  const accepted = new Map<string, string | undefined>();
  let refused = 0;
  async function send(piece: string): Promise<void> {
    const body = JSON.stringify({ piece, filler: FILLER });
    const answer = await story.deliver(server.url + path, "ci-secret", body, { "x-piece": piece });
    const text = await answer.text();
    if (answer.status !== 202) {
      expect(answer.status, text).toBe(503);
      refused += 1;
      return;
    }
    const { delivery_id } = JSON.parse(text);
    const before = accepted.get(piece);
    if (before !== undefined) expect(delivery_id).toBe(before);
    accepted.set(piece, delivery_id);
  }
  /** Sends new pieces until enough were, and as many were refused as said. */
  async function sendUntil(name: string, refusals: number): Promise<void> {
    const before = refused;
    for (let n = 0; n < LEAST || refused - before < refusals; n += 1) {
      if (n > 300) throw new Error(`${name}: no delivery was refused`);
      accepted.set(`${name}-${n}`, undefined);
      await send(`${name}-${n}`);
    }
  }
  /** What senders do whose deliveries were refused; those that were accepted are sent once more. */
  async function sendAgain(name: string): Promise<void> {
    for (const piece of accepted.keys()) {
      if (!piece.startsWith(`${name}-`)) continue;
      await waitFor(async () => {
        await send(piece);
        return accepted.get(piece) !== undefined || undefined;
      }, 60);
    }
  }

  const { run_id: staying } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
    prompt: "Stay.",
  });
  await waitFor(async () => (await story.transcript(staying)).includes("began") || undefined);
  const pid = server.pid;

  await sendUntil("calm", 0);
  await Promise.all([postgres.restart("SIGINT"), sendUntil("restarted", 1)]);
  await sendAgain("restarted");
  await Promise.all([postgres.restart("SIGQUIT"), sendUntil("crashed", 1)]);
  await sendAgain("crashed");
  for (let cut = 0; cut < 3; cut += 1) {
    await Promise.all([postgres.cut(), sendUntil(`cut${cut}`, 0)]);
    await sendAgain(`cut${cut}`);
  }

  await pgbouncer.kill();
  await sendUntil("unpooled", 3);
  await pgbouncer.start();
  await sendAgain("unpooled");

  await postgres.ask("ALTER DATABASE mill SET default_transaction_read_only = on");
  await postgres.cut();
  await sendUntil("readonly", 3);
  await postgres.ask("ALTER DATABASE mill RESET default_transaction_read_only");
  await postgres.cut();
  await sendAgain("readonly");

  await postgres.ask("ALTER DATABASE mill SET statement_timeout = '500ms'");
  await postgres.cut();
  const unlock = await postgres.lock("deliveries");
  await sendUntil("timeout", 2);
  await unlock();
  await postgres.ask("ALTER DATABASE mill RESET statement_timeout");
  await postgres.cut();
  await sendAgain("timeout");

  await postgres.fill();
  await sendUntil("full", 3);
  await postgres.free();
  await sendAgain("full");

  // None of it has ended the server, or the agent that was there all the time.
  expect([server.exitCode(), server.pid]).toEqual([null, pid]);
  expect(await story.run(staying)).toMatchObject({ state: "INPROGRESS" });

  // The server ends while its database is away, and the next one goes on with its agents.
  await pgbouncer.kill();
  await sendUntil("left", 1);
  await server.kill();
  await pgbouncer.start();
  ({ server, story } = await serverOf("nobody", "bwrap", AGENT, { env, before }));
  await sendAgain("left");
  writeFileSync(join(workspaceOf(staying), "enough"), "");
  expect(await story.ended(staying, 60)).toMatchObject({ state: "SUCCEEDED" });
  expect(await story.transcript(staying)).toMatch(/^began\n(?:\[millrace: .*\n)*done\n$/);

  const ids = [...accepted.values()].map(String);
  expect(new Set(ids).size).toBe(accepted.size);
  const runs = [staying];
  for (const id of ids) {
    const run = await waitFor(() => story.endedRunOf(id), 60);
    expect([run.state, run.status_message]).toEqual(["SUCCEEDED", undefined]);
    runs.push(run.run_id);
  }
  expect(new Set(runs).size).toBe(accepted.size + 1);
  expect((await story.runs()).map(({ run_id }) => run_id).sort()).toEqual(runs.sort());
  for (const id of runs) {
    expect(startsOf(id)).toBe("started\n");
    const events = (await story.timeline(id)).filter(({ event_type }) => event_type === "agent_started");
    expect(events).toHaveLength(1);
  }
  await waitFor(() => agentsIn(given.dataDir).length === 0);
}, 600_000);
