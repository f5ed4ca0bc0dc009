import { setTimeout as sleep } from "node:timers/promises";
import { SERVICE_DELIVERY_HEADER } from "../../src/ingress/identify.ts";
import { ADMIN_KEY, waitFor } from "./server.ts";

/** A server, or a request to it, may be gone: the same request goes to the next one, as a load balancer or a sender does it. */
interface Attempt {
  url: string;
  /** Or why there was no answer. */
  status: number | string;
  text: string;
}

export interface Load {
  /** Where requests go, to each in turn. */
  urls: string[];
  /** The deliveries that were answered with 202, by the identity that their sender gave them. */
  accepted: Map<string, string>;
  /** The runs that the API was asked for and has made. */
  created: Set<string>;
  /** Requests that no server has answered as they should be, with what each said. */
  failed: Attempt[][];
  /** What servers answered that were not there any more, or refused. */
  repeated: Attempt[];
  /** Resolves when so many more deliveries were accepted. */
  progress(count: number): Promise<void>;
  /** Ends it when every request was answered. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  urls: readonly string[];
  /** Of the webhook, and its token. */
  path: string;
  token: string;
  senders?: number;
  /** Whether servers are asked if they are ready, as load balancers do, and each request is sent once. */
  checks?: boolean;
}

const PAUSE_MS = 150;
const BETWEEN_CHECKS_MS = 2_000;

/** Sends deliveries and asks the API, through whichever server is there. */
export function startLoad({ urls, path, token, senders = 3, checks = false }: LoadOptions): Load {
  const load = {
    urls: [...urls],
    accepted: new Map<string, string>(),
    created: new Set<string>(),
    failed: [] as Attempt[][],
    repeated: [] as Attempt[],
  };
  let isOver = false;
  let turn = 0;
  /** Those that were ready when they were asked last. */
  let ready: readonly string[] = load.urls;

  async function check(): Promise<void> {
    while (!isOver) {
      const found = await Promise.all(load.urls.map((url) => attemptAt(url, "/readyz", {})));
      ready = found.filter(({ status }) => status === 200).map(({ url }) => url);
      await sleep(BETWEEN_CHECKS_MS);
    }
  }

  /** @returns the JSON of the first answer that is none of a server that is going */
  async function ask(where: string, init: RequestInit): Promise<Record<string, unknown> | undefined> {
    turn += 1;
    const order = ready.map((_, at) => ready[(at + turn) % ready.length] ?? "");
    const attempts: Attempt[] = [];
    for (const url of checks ? order.slice(0, 1) : order) {
      const attempt = await attemptAt(url, where, init);
      if (typeof attempt.status === "number" && attempt.status < 300) return JSON.parse(attempt.text);
      attempts.push(attempt);
      load.repeated.push(attempt);
      if (typeof attempt.status === "number" && ![502, 503].includes(attempt.status)) break;
    }
    load.failed.push(attempts);
    return undefined;
  }

  const api = (method: string, where: string, key: string, body?: object) =>
    ask(`/api/v1${where}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        "content-type": "application/json",
        ...(body ? { "idempotency-key": key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  async function send(sender: number): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const identity = `delivery-${sender}-${n}`;
      const answer = await ask(path, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, [SERVICE_DELIVERY_HEADER]: identity },
        body: JSON.stringify({ sender, n }),
      });
      if (answer) load.accepted.set(identity, String(answer.delivery_id));
      await sleep(PAUSE_MS);
    }
  }

  async function askApi(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const made = await api("POST", "/agent/runs", `run-${n}`, { prompt: `Number ${n}.` });
      if (made) load.created.add(String(made.run_id));
      for (const where of ["/agent/runs?limit=5", "/factories", "/deliveries?limit=5", "/secrets"])
        await api("GET", where, "");
      await sleep(PAUSE_MS);
    }
  }

  const sending = Promise.all([
    ...(checks ? [check()] : []),
    askApi(),
    ...Array.from({ length: senders }, (_, sender) => send(sender)),
  ]);
  return {
    ...load,
    async progress(count) {
      const wanted = load.accepted.size + count;
      await waitFor(() => load.accepted.size >= wanted, 60);
    },
    async stop() {
      isOver = true;
      await sending;
    },
  };
}

async function attemptAt(url: string, where: string, init: RequestInit): Promise<Attempt> {
  try {
    const answer = await fetch(url + where, init);
    return { url, status: answer.status, text: await answer.text() };
  } catch (error) {
    const { cause, message } = error as Error;
    return { url, status: cause instanceof Error ? cause.message : message, text: "" };
  }
}
