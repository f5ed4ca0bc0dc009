import { join } from "node:path";
import express from "express";
import { createAuthLimit } from "../../src/api/http/caller-limits.ts";
import { type CloneAsked, type FoundClone, gitRoutes } from "../../src/api/workers/git-routes.ts";
import { createBodyRooms } from "../../src/edge/body-room.ts";
import type { Mirror } from "../../src/git/mirrors/mirror.ts";
import { createMirrorCache, type ForgeRemote } from "../../src/git/mirrors/mirror-cache.ts";
import { CLONE_LIMITS, type CloneLimits, openCloneServer } from "../../src/git/serve/clone-server.ts";
import { createRefreshes, type RefreshLimits } from "../../src/git/serve/refreshes.ts";
import { listen } from "../../src/server/http/listen.ts";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";

export const WORKER_TOKEN = `mrw_${"w".repeat(40)}`;
const never = () => new AbortController().signal;

/** A server whose workers may clone one repository of a forge, as acme/shop. */
export interface ServedRepository {
  /** What a worker's mirrors have as their remote. */
  url: string;
  /** The git folder of the server. */
  gitFolder: string;
  /** The server's own mirror of the forge. */
  mirror: Mirror;
  /** What was asked, and what was answered. */
  asked: CloneAsked[];
  seen: { method: string; url: string; status: number; bytes: number }[];
  /** How many requests are not answered yet. */
  underWay: number;
  warnings: unknown[];
  /** Those that the server goes by, also when a test changes them. */
  limits: CloneLimits;
  /** What a refresh does; by default, it brings the mirror up to date and fetches the heads. */
  refresh: FoundClone["refresh"];
  /** What happens before a request is answered. */
  before: (method: string) => Promise<void>;
  /** Heads that the runs of the worker are about. */
  heads: string[];
}

interface ServeOptions {
  limits?: Partial<CloneLimits>;
  refreshes?: RefreshLimits;
  /** Tokens of further workers that may clone it. */
  others?: readonly string[];
}

export async function serveClones(
  forge: string,
  { limits = {}, refreshes, others = [] }: ServeOptions = {},
): Promise<ServedRepository> {
  const gitFolder = join(temporaryFolder("millrace-clones"), "git");
  const mirror = createMirrorCache(gitFolder).of(remoteOf(forge));
  const app = express();
  const served: ServedRepository = {
    url: "",
    gitFolder,
    mirror,
    asked: [],
    seen: [],
    underWay: 0,
    limits: { ...CLONE_LIMITS, ...limits },
    warnings: [],
    before: async () => {},
    heads: [],
    async refresh(signal) {
      await mirror.refresh(signal);
      for (const head of served.heads) await mirror.fetchRef(head, signal);
    },
  };
  app.use((request, response, next) => {
    const before = request.socket.bytesWritten;
    const { method, originalUrl: url } = request;
    served.underWay += 1;
    response.on("close", () => {
      served.underWay -= 1;
      const bytes = request.socket.bytesWritten - before;
      served.seen.push({ method, url, status: response.statusCode, bytes });
    });
    served.before(method).then(() => next(), next);
  });
  const log = { warn: (...said: unknown[]) => void served.warnings.push(said) };
  app.use(
    "/api/v1",
    gitRoutes({
      async findClone(asked) {
        served.asked.push(asked);
        const isKnown = [WORKER_TOKEN, ...others].includes(asked.authorization.slice("Bearer ".length));
        if (!isKnown) return "unauthenticated";
        const isHere = asked.forge === "home" && asked.owner === "acme/web" && asked.name === "shop";
        return isHere ? { mirror, refresh: (signal) => served.refresh(signal) } : undefined;
      },
      clones: await openCloneServer(gitFolder, served.limits),
      refreshes: createRefreshes(refreshes),
      room: createBodyRooms().api,
      authLimit: createAuthLimit({ failedAuthPerMinute: 5, trustProxy: [] }),
      log: log as never,
    }),
  );
  const { port, close } = await listen({ host: "127.0.0.1", port: 0 }, app, {
    keepAliveMs: 5_000,
    publicUrl: () => "http://127.0.0.1",
  });
  onFinished(close);
  served.url = `http://127.0.0.1:${port}/api/v1/workers/door/git/home/acme/web/shop.git`;
  return served;
}

/**
 * A worker's mirror of what a server serves, in a data folder of its own.
 * @param originUrl where the server has it from, which workers are told
 */
export function workerMirror(url: string, token = WORKER_TOKEN, originUrl?: string) {
  const gitFolder = join(temporaryFolder("millrace-worker"), "git");
  const access = { token: async () => token };
  const mirror = createMirrorCache(gitFolder).of({
    ...{ ...remoteOf(url), access },
    ...(originUrl === undefined ? {} : { originUrl }),
  });
  return { mirror, gitFolder };
}

function remoteOf(url: string): ForgeRemote {
  return { forge: "home", url, access: {}, tokenIn: "--token-file" };
}

/** A clone of what a mirror has after a refresh. */
export async function clonedFrom(mirror: Mirror, checkout?: Awaited<ReturnType<Mirror["find"]>>) {
  const into = join(temporaryFolder(), "shop");
  await mirror.refresh(never());
  await mirror.clone(into, never(), { checkout });
  return into;
}
