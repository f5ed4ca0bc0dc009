import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../../test/given/definition.ts";
import { temporaryFolder, writeFiles } from "../../test/given/folder.ts";
import { freePort } from "../../test/given/port.ts";
import { ADMIN_KEY, waitFor } from "../../test/given/server.ts";
import { AMPLE_BUDGETS } from "../../test/given/serving.ts";
import { storyOf } from "../../test/given/story.ts";
import { TOKEN } from "../given/sent.ts";
import { type FleetWorker, settingsFile, startWorker } from "./fleet-worker.ts";
import { type Divisible, startHolder } from "./namespaces.ts";
import { type FleetNode, startNode } from "./node.ts";
import { clientOf, outsideOf, type Site } from "./site.ts";
import { openWitnesses } from "./witnesses.ts";

export const LEASE_MS = 10_000;
/** The hosts that automations name: a pool of two processes, and a worker that is alone. */
const HOSTS = ["pool", "solo"] as const;
const HOUR_MS = 3_600_000;
/** `clockMs` is how far the clock of a machine is from that of the server. */
const WORKERS = [
  { name: "pool-1", host: "pool", clockMs: 0 },
  { name: "pool-2", host: "pool", clockMs: -HOUR_MS },
  { name: "solo", host: "solo", clockMs: HOUR_MS },
] as const;

/** A server and three workers, each on a machine of its own as far as a machine can be divided. */
export interface Fleet extends Site {
  dataDir: string;
  server: FleetNode;
  /** Has the next start of the server give leases of `LEASE_MS`; until then they are as long as they are by default. */
  shortenLease(): void;
}

export async function openFleet(divisible: Divisible): Promise<Fleet> {
  const folder = temporaryFolder("millrace-fleet");
  chmodSync(folder, 0o755);
  const at = (...names: string[]) => join(folder, ...names);
  for (const name of ["server", ...WORKERS.map(({ name }) => name)])
    mkdirSync(at(name, "home"), { recursive: true });
  writeFiles(at("server", "definition"), {
    ...FACTORY,
    ...Object.fromEntries(HOSTS.flatMap(definitionFor)),
  });
  const witnesses = openWitnesses(at("witnesses"));
  const settingsOf = (more: object) => settingsFile(at("server"), "server", witnesses, more);
  const port = divisible.networks ? 8787 : await freePort();
  const network = await startHolder("entrance.mjs", [at("server", "socket"), String(port)], divisible);
  const url = await outsideOf(at("server", "socket"));
  const dataDir = at("server", "data");
  const server = await startNode({
    name: "server",
    args: ["serve", at("server", "definition"), "--config", settingsOf({})],
    env: {
      ...AMPLE_BUDGETS,
      HOME: at("server", "home"),
      MILLRACE_LISTEN: `${divisible.networks ? "0.0.0.0" : "127.0.0.1"}:${port}`,
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_ADMIN_KEY: ADMIN_KEY,
      MILLRACE_DRAIN_TIMEOUT: "1s",
      MILLRACE_SANDBOX: "none",
      MILLRACE_WORKERS: "none",
      MILLRACE_LOG_LEVEL: "warn",
    },
    hidden: [],
    network,
    divisible,
  });
  const client = clientOf(url);
  await waitFor(async () => (await client.isReady()) || undefined, 60);
  const story = storyOf(client);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const paths: Record<string, string> = {};
  for (const host of HOSTS) paths[host] = new URL(await story.urlOf(host)).pathname;

  const tokens = new Map<string, string>();
  for (const host of HOSTS)
    tokens.set(host, (await client.api<{ token: string }>("POST", "/workers", { name: host })).token);
  const workers: FleetWorker[] = [];
  for (const [index, { name, host, clockMs }] of WORKERS.entries()) {
    const hidden = ["server", ...WORKERS.map((other) => other.name).filter((other) => other !== name)];
    const worker = await startWorker({
      ...{ name, clockMs, folder: at(name), number: index + 1, network, port, witnesses, divisible },
      token: tokens.get(host) ?? "",
      hidden: hidden.map((other) => at(other)),
    });
    workers.push(worker);
  }
  return {
    ...{ divisible, url, dataDir, paths, server, workers, witnesses, ...client },
    choosePlace: (chance) => (chance.of(0.7) ? "pool" : "solo"),
    talkHosts: HOSTS,
    shortenLease: () => void settingsOf({ workerLease: `${LEASE_MS / 1_000}s` }),
  };
}

function definitionFor(host: string): [string, string][] {
  const lines = `workerHost: ${host}\ntriggers:\n  - provider: webhook\n    event: received\n    millrace: { webhooks: [${host}] }\n`;
  return [
    [`webhooks/${host}.yaml`, TOKEN_WEBHOOK],
    [`automations/${host}/automation.md`, automationWith(lines)],
  ];
}
