import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onFinished } from "../../test/given/cleanup.ts";
import { listening } from "../../test/given/port.ts";
import { ADMIN_KEY } from "../../test/given/server.ts";
import type { Chance } from "../given/chance.ts";
import type { FleetWorker } from "./fleet-worker.ts";
import type { Divisible } from "./namespaces.ts";
import type { Witnesses } from "./witnesses.ts";

/** What senders, talks and verdicts have to do with: how millrace is reached, and what is known of it from outside. */
export interface Site extends SiteClient {
  divisible: Divisible;
  url: string;
  /** The paths of the webhooks whose deliveries start runs, by the place where these execute. */
  paths: Record<string, string>;
  /** Where the next run is to execute. */
  choosePlace(chance: Chance): string;
  /** The names of the workers that talks choose from; nothing for the servers themselves. */
  talkHosts: readonly (string | undefined)[];
  workers: FleetWorker[];
  witnesses: Witnesses;
}

/** Requests to a site, with the admin key where they are to the API. */
export interface SiteClient {
  /** @throws Error when the answer is not 2xx */
  api<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  text(path: string): Promise<string>;
  isReady(): Promise<boolean>;
}

const PATIENCE_MS = 20_000;
/** A balancer that takes a busy server for a lost one breaks off what is under way there. */
const READS = 5;
const BETWEEN_READS_MS = 1_000;
const REFUSED = /answered 4\d\d/;

/** Reads until the answer is whole. @throws the error of the last attempt */
async function wholeRead<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt === READS || REFUSED.test(String(error))) throw error;
    }
    await sleep(BETWEEN_READS_MS);
  }
}

/** A port of loopback through which the proof reaches the server. @returns its URL */
export async function outsideOf(socketPath: string): Promise<string> {
  const outside = createServer((client) => {
    const inside = connect(socketPath);
    for (const [from, to] of [
      [client, inside],
      [inside, client],
    ] as const) {
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  onFinished(() => void outside.close());
  return `http://127.0.0.1:${await listening(outside)}`;
}

export function clientOf(
  url: string,
  headers: Record<string, string> = {},
): SiteClient & { fetch(path: string, init?: RequestInit): Promise<Response> } {
  const authorization = `Bearer ${ADMIN_KEY}`;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string>) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  async function once<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await ask(`/api/v1${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === "" ? (undefined as Answer) : JSON.parse(text);
  }
  return {
    fetch: ask,
    api: <Answer>(method: string, path: string, body?: unknown) =>
      method === "GET" ? wholeRead(() => once<Answer>(method, path)) : once<Answer>(method, path, body),
    text: (path) =>
      wholeRead(async () => {
        const answer = await ask(`/api/v1${path}`, { headers: { authorization } });
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        return answer.text();
      }),
    isReady: () =>
      ask("/readyz").then(
        ({ ok }) => ok,
        () => false,
      ),
  };
}
