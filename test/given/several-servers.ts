import { automationOn, TOKEN_WEBHOOK, withWebhook } from "./definition.ts";
import type { Files } from "./folder.ts";
import { aPostgresDatabase } from "./postgres.ts";
import { emptyRepository } from "./repository.ts";
import { type Server, startServer } from "./server.ts";
import { storyOf } from "./story.ts";

const MASTER_KEY = "a-master-key-for-tests-that-is-long-enough";

/** The value of the secret OWN, for agents. */
export const OWN_SECRET = "a-secret-of-an-agent";

/** A webhook with the secret `ci-secret`, each delivery of which starts a run. */
const FILES: Files = {
  ...withWebhook(TOKEN_WEBHOOK),
  "automations/a.md": automationOn(["w"]),
};

export interface ServersOptions {
  /** The agent's program as JavaScript. */
  agent?: string;
  settings?: Record<string, string>;
  files?: Files;
  /** Another build of the program. */
  program?: string | undefined;
}

/** What starts servers, each a process with a data folder of its own, on one database of PostgreSQL. */
export async function serversOn(
  database: string,
  sources: string[],
  { agent, settings = {}, program: first }: Omit<ServersOptions, "files"> = {},
) {
  async function start(program: string | undefined, before?: Pick<Server, "dataDir">) {
    const server = await startServer({
      sources,
      sharesProcess: false,
      ...(agent === undefined ? {} : { agent }),
      ...(program === undefined ? {} : { program }),
      ...(before ? { dataDir: before.dataDir } : {}),
      env: {
        MILLRACE_DATABASE_URL: database,
        MILLRACE_MASTER_KEY: MASTER_KEY,
        MILLRACE_POLL_INTERVAL: "1s",
        ...settings,
      },
    });
    return {
      ...{ server, story: storyOf(server) },
      again: () => start(program, server),
      /** Starts another build in its place; nothing for the one that is tested. */
      as: (other: string | undefined) => start(other, server),
    };
  }
  return { start: () => start(first) };
}

/** Several servers on one database and one repository, with a webhook whose deliveries start runs. */
export async function severalServers(count: number, { files = {}, ...options }: ServersOptions = {}) {
  const repository = emptyRepository();
  repository.push({ ...FILES, ...files });
  // An earlier build makes its own schema.
  const database = await aPostgresDatabase({ hasSchema: options.program === undefined });
  const { start } = await serversOn(database, [repository.url], options);
  const servers = await Promise.all(Array.from({ length: count }, start));
  const [first] = servers;
  if (!first) throw new Error("at least one server is needed");
  await first.story.setSecret("CI_SECRET", "ci-secret");
  await first.story.setSecret("OWN", OWN_SECRET);
  await first.story.sync();
  const { url } = await first.story.webhook("w");
  const path = new URL(url).pathname;
  return {
    ...{ repository, database, servers, start },
    /** Where a server takes deliveries. */
    urlAt: ({ server }: { server: Server }) => server.url + path,
  };
}
