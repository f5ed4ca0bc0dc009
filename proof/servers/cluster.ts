import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../../test/given/definition.ts";
import { temporaryFolder } from "../../test/given/folder.ts";
import { freePort } from "../../test/given/port.ts";
import { emptyRepository } from "../../test/given/repository.ts";
import { waitFor } from "../../test/given/server.ts";
import { storyOf } from "../../test/given/story.ts";
import type { Chance } from "../given/chance.ts";
import { TOKEN } from "../given/sent.ts";
import { startWorker } from "../workers/fleet-worker.ts";
import { type Divisible, type Holder, startHolder } from "../workers/namespaces.ts";
import { clientOf, outsideOf, type Site } from "../workers/site.ts";
import { openWitnesses } from "../workers/witnesses.ts";
import { openPostgres, type Place, type Postgres } from "./postgres.ts";
import { type ServerNode, serverName, startServerNode } from "./server-node.ts";

/** How many runs of the automation `capped` execute at the same time at most. */
export const CAP = 2;
/** Runs execute in a pool of workers, on a worker that is alone, on the servers, and there with a cap. */
const PLACES = ["pool", "pool", "solo", "servers", "servers", "servers", "capped", "capped"] as const;
/** Deliveries to this webhook start nothing. */
export const PROBE = "probe";
const HOUR_MS = 3_600_000;
const CLOCKS_MS = [0, -HOUR_MS, HOUR_MS];

/** Several servers on one database, and workers, each on a machine of its own as far as a machine can be divided. */
export interface Cluster extends Site {
  place: Place;
  servers: ServerNode[];
  /** The one that is written to. */
  postgres: Postgres;
  /** Where probes are sent. */
  probePath: string;
}

export interface ClusterSize {
  servers: number;
  workers: number;
}

export async function openCluster(divisible: Divisible, size: ClusterSize): Promise<Cluster> {
  const serverNames = Array.from({ length: size.servers }, (_, at) => serverName(at + 1));
  const workerNames = Array.from({ length: size.workers }, (_, at) =>
    at > 0 && at === size.workers - 1 ? "solo" : `pool-${at + 1}`,
  );
  const names = [...serverNames, ...workerNames];
  const hasSolo = workerNames.includes("solo");
  const folder = temporaryFolder("millrace-cluster");
  chmodSync(folder, 0o755);
  const at = (...more: string[]) => join(folder, ...more);
  for (const name of names) mkdirSync(at(name, "home"), { recursive: true });
  const hiddenFrom = (name: string) => names.filter((other) => other !== name).map((other) => at(other));
  const witnesses = openWitnesses(at("witnesses"));
  const repository = emptyRepository();
  repository.push(definition());

  const ports = await Promise.all(serverNames.map(() => (divisible.networks ? 8787 : freePort())));
  const network = await startBalancer(at("balancer"), ports, divisible);
  const place = { network, divisible, said: [] };
  const url = await outsideOf(at("balancer"));
  const postgres = await openPostgres(place);
  const servers: ServerNode[] = [];
  for (const [index, name] of serverNames.entries()) {
    const server = await startServerNode({
      ...{ number: index + 1, cable: index + 1, source: repository.url, folder: at(name), postgres, url },
      ...{ hidden: hiddenFrom(name), port: ports[index] ?? 0, network, witnesses, divisible },
      clockMs: CLOCKS_MS[index % CLOCKS_MS.length] ?? 0,
    });
    servers.push(server);
  }
  await Promise.all(servers.map((server) => server.ready()));
  const client = clientOf(url);
  await waitFor(async () => (await client.isReady()) || undefined, 60);
  const story = storyOf(client);
  await story.setSecret("CI_SECRET", TOKEN);
  for (const server of servers) await storyOf(server).sync();
  const pathOf = async (name: string) => new URL(await story.urlOf(name)).pathname;
  const paths: Record<string, string> = {};
  for (const name of new Set(PLACES)) paths[name] = await pathOf(name);

  const tokens = new Map<string, string>();
  for (const host of hasSolo ? ["pool", "solo"] : ["pool"])
    tokens.set(host, (await client.api<{ token: string }>("POST", "/workers", { name: host })).token);
  const workers = [];
  for (const [index, name] of workerNames.entries()) {
    const worker = await startWorker({
      ...{ name, folder: at(name), hidden: hiddenFrom(name), number: size.servers + index + 1 },
      ...{ network, port: network.port, witnesses, divisible },
      token: tokens.get(name === "solo" ? "solo" : "pool") ?? "",
      clockMs: CLOCKS_MS[index % CLOCKS_MS.length] ?? 0,
    });
    workers.push(worker);
  }
  return {
    ...{ divisible, url, paths, workers, witnesses, ...client, place, servers, postgres },
    probePath: await pathOf(PROBE),
    choosePlace(chance: Chance) {
      const chosen = chance.oneOf(PLACES);
      return chosen === "solo" && !hasSolo ? "pool" : chosen;
    },
    talkHosts: ["pool", ...(hasSolo ? ["solo"] : []), undefined],
  };
}

async function startBalancer(socket: string, ports: number[], divisible: Divisible): Promise<Holder> {
  const addresses = ports.map(
    (port, index) => `${divisible.networks ? `10.77.${index + 1}.2` : "127.0.0.1"}:${port}`,
  );
  const own = divisible.networks ? 8787 : await freePort();
  return startHolder("../servers/balancer.mjs", [socket, String(own), ...addresses], divisible);
}

function definition(): Record<string, string> {
  const files: Record<string, string> = { ...FACTORY, [`webhooks/${PROBE}.yaml`]: TOKEN_WEBHOOK };
  for (const name of new Set(PLACES)) {
    const where = name === "pool" || name === "solo" ? `workerHost: ${name}\n` : "";
    const cap = name === "capped" ? `millrace: { concurrency: ${CAP} }\n` : "";
    const trigger = `triggers:\n  - provider: webhook\n    event: received\n    millrace: { webhooks: [${name}] }\n`;
    files[`webhooks/${name}.yaml`] = TOKEN_WEBHOOK;
    files[`automations/${name}/automation.md`] = automationWith(where + cap + trigger);
  }
  return files;
}
