import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { serverWithAgent } from "./agent.ts";
import { onFinished } from "./cleanup.ts";
import { automationOn, TOKEN_WEBHOOK, withFactoryLines } from "./definition.ts";
import { type Files, folderWith } from "./folder.ts";
import { listening } from "./port.ts";
import { AMPLE_BUDGETS } from "./serving.ts";

/** The token of the webhook of {@link serverThatPosts}. */
export const CI_TOKEN = "the-token-of-the-ci-webhook";

/** An outbound webhook, as its file has it. */
export function outboundFile(url: string, events: readonly string[], lines = ""): string {
  return `url: "${url}"\nsecretName: OUTBOUND\nevents: [${events.join(", ")}]\n${lines}`;
}

type Options = NonNullable<Parameters<typeof serverWithAgent>[1]> & {
  /** What stands under `millrace:` in the factory's file. */
  block?: string;
  agent?: string;
};

/** A server whose factory has these outbound webhooks by their names, and their secret; its runs do as their prompts say. */
export async function serverThatPosts(
  outbound: Record<string, string>,
  { block = "", agent = TOLD_AGENT, files = {}, env = {}, before, ...options }: Options = {},
) {
  const own: Files = {
    ...withFactoryLines(`millrace: { repositories: optional${block} }\n`),
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/on-ci.md": automationOn(["ci"]),
    ...Object.fromEntries(Object.entries(outbound).map(([name, text]) => [`outbound/${name}.yaml`, text])),
    ...files,
  };
  const given = await serverWithAgent(agent, {
    files: own,
    env: { ...LOOPBACK_ALLOWED, ...AMPLE_BUDGETS, ...env },
    ...(before ? { before } : {}),
    ...options,
  });
  if (!before) {
    await given.story.setSecret("CI_SECRET", CI_TOKEN);
    await given.story.setSecret("OUTBOUND", SIGNING_SECRET);
    await given.story.sync();
  }
  const { name: factory } = await given.story.factory();
  return {
    ...given,
    factory,
    /** Starts a run of the factory. @returns its id */
    startHere: (prompt: string) => given.start({ prompt, factory }),
  };
}

/** An agent whose runs fail, ask or end well, as their prompts say. */
export const TOLD_AGENT = `
  import { readFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const question = /PLEASE-ASK(.*)/s.exec(prompt)?.[1];
  if (question !== undefined) await fetch(url + "/api/v1/agent/runs/" + id + "/blocked",
    { method: "POST", headers, body: JSON.stringify({ message: question }) });
  process.exitCode = prompt.includes("PLEASE-FAIL") ? 3 : 0;`;

type ServerOptions = NonNullable<Parameters<typeof serverWithAgent>[1]>;

/** A server with this millrace.yaml, whose runs do as their prompts say. */
export async function serverThatTells(settings: object, options: ServerOptions = {}) {
  const config = join(folderWith({ "millrace.yaml": JSON.stringify(settings) }), "millrace.yaml");
  const env = { ...LOOPBACK_ALLOWED, ...options.env };
  return serverWithAgent(TOLD_AGENT, { ...options, env, args: ["--config", config] });
}

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
