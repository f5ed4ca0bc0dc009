import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { onFinished } from "./cleanup.ts";
import { listening } from "./port.ts";

/** A request that a receiver has got. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect of it
  json: any;
}

export interface Receiver {
  url: string;
  /** In order. */
  requests: Received[];
  /** How it answers from now on: 204 at first. */
  answer(how: number | ((response: ServerResponse) => void)): void;
  stop(): Promise<void>;
}

/** A server on loopback that takes what is posted to it. */
export async function receiver(port?: number): Promise<Receiver> {
  let respond: (response: ServerResponse) => void = (response) => response.writeHead(204).end();
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ headers: request.headers, body, json: parsed(body) });
    respond(response);
  });
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onFinished(stop);
  if (port !== undefined) await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const at = port ?? (await listening(server));
  return {
    url: `http://127.0.0.1:${at}/hook`,
    requests,
    answer(how) {
      respond = typeof how === "number" ? (response) => response.writeHead(how).end() : how;
    },
    stop,
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Lets requests go to receivers on this machine. */
export const LOOPBACK_ALLOWED = { MILLRACE_OUTBOUND_ALLOW: "127.0.0.1/32" };

/** A secret as Standard Webhooks has them. */
export const SIGNING_SECRET = `whsec_${Buffer.from("a secret that nobody can guess").toString("base64")}`;

/** The payload of a request, if the library of its receivers finds the signature right. @throws Error when it does not */
export function verified({ headers, body }: Received, secret = SIGNING_SECRET): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
