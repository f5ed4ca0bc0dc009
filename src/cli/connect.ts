import type { Command } from "commander";
import { API_HEADER, CLIENT_HEADER } from "../api/http/headers.ts";
import { Millrace } from "../client/client.ts";
import { DEFAULT_SERVER, type Outgoing, type Transport } from "../client/options.ts";
import { isJson } from "../client/send.ts";
import { errorMessage, MillraceError, systemCode } from "../errors/error.ts";
import { outgoingFetch } from "../platform/outgoing-fetch.ts";
import { proxyOf, proxySecrets, proxyVariableOf } from "../platform/proxies.ts";
import { asRequest, NoAnswer, overHttp } from "./http-transport.ts";

export interface ConnectOptions {
  server: string;
  factory?: string;
  json?: boolean;
}

/** Gives a command the options that every client of a server has. */
export function asClientCommand(command: Command, { ofFactory = false, reads = true } = {}): Command {
  command.option(
    "--server <url>",
    "URL of the server (MILLRACE_SERVER)",
    process.env.MILLRACE_SERVER ?? DEFAULT_SERVER,
  );
  if (ofFactory)
    command.option("--factory <name>", "factory name or UID; required if the server has several");
  if (reads) {
    command.option("--json", "print JSON");
    command.option("--no-color", "print no colors; by default, only a terminal gets colors (NO_COLOR)");
  }
  return command;
}

/** A client with the key of the environment. @throws MillraceError when there is no key, or the server is no URL */
export function connect({ server }: Pick<ConnectOptions, "server">): Millrace {
  if (!/^https?:\/\/[^/]/i.test(server) || !URL.canParse(server)) {
    throw new MillraceError("invalid_request", `"${server}" is not a valid server URL.`, {
      remedy: `Set --server or MILLRACE_SERVER to http://HOST:PORT, for example ${DEFAULT_SERVER}.`,
    });
  }
  const apiKey = process.env.MILLRACE_API_KEY;
  if (!apiKey) {
    throw new MillraceError("authentication_required", "MILLRACE_API_KEY is not set.", {
      remedy:
        "Set it to an API key. The server prints one at its first start; an admin can create others with `millrace keys create`.",
    });
  }
  // Patience is the business of `askServer`: a timer of the client would keep a process alive that has nothing left to
  // wait for.
  return new Millrace({
    baseUrl: server,
    apiKey,
    transport: askServer(server),
    timeoutMs: Number.POSITIVE_INFINITY,
    defaultHeaders: { [CLIENT_HEADER]: "cli" },
  });
}

/** The factory that a command is about: the one that its argument or an option names, or the only one. */
export async function chosenFactory(
  client: Millrace,
  { factory }: ConnectOptions,
  named = factory,
): Promise<string> {
  return named ?? (await onlyFactory(client)).name;
}

/**
 * The only factory of a server. Before its definition is active it goes by the name of its source, which can change
 * between two requests; its uid cannot.
 */
export async function onlyFactory(client: Millrace): Promise<{ name: string; uid: string }> {
  const { items } = await client.factories.list();
  const [only, another] = items;
  if (only && !another) return only;
  const names = items.map(({ name }) => name).join(", ");
  throw new MillraceError(
    "invalid_request",
    items.length === 0
      ? "The server has no factory that this API key can access."
      : `The server has several factories: ${names}.`,
    { remedy: "Specify one with --factory." },
  );
}

/** How long an answer may take; the server itself needs milliseconds. */
const ANSWER_WITHIN_MS = 30_000;

/**
 * How commands ask a server: with a limit to their patience, and never taking another program's answer for its own.
 * What waits on purpose (`?wait=…`) has no limit, nor has a plan, for which the server may have to fetch; a transcript has
 * none once it has begun.
 */
export function askServer(server: string): Transport {
  // A server that has answered this command and does not answer now is started again, or is about to be.
  let wasThere = false;
  return async (request) => {
    const stop = new AbortController();
    const timer = takesItsTime(new URL(request.url))
      ? undefined
      : setTimeout(() => stop.abort(silent(server)), ANSWER_WITHIN_MS);
    // Node's fetch never settles when the other end closes before it has sent: then nothing is left to wait for, and
    // the process would end without a word.
    timer?.unref();
    const closed = () => stop.abort(unreachable(server, "the server closed the connection", wasThere));
    process.once("beforeExit", closed);
    try {
      const response = await ask({ ...request, signal: AbortSignal.any([request.signal, stop.signal]) });
      if (!response.headers.has(API_HEADER)) {
        response.body?.cancel().catch(() => {});
        throw anotherProgram(server, response);
      }
      wasThere = true;
      if (!isJson(response)) return response;
      const bytes = await response.arrayBuffer();
      return response.bodyUsed ? new Response(bytes, response) : response;
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      throw error instanceof MillraceError ? unusableProxy(error) : unreachable(server, error, wasThere);
    } finally {
      clearTimeout(timer);
      process.off("beforeExit", closed);
    }
  };
}

/** Only Node's own library for `fetch` knows proxies. */
function ask(request: Outgoing): Promise<Response> {
  const url = new URL(request.url);
  const isDirect = isOnThisMachine(url) || proxyOf(url, process.env) === undefined;
  return isDirect ? overHttp(request) : outgoingFetch(asRequest(request));
}

/** No proxy leads back here, whatever the environment names for all other hosts. */
function isOnThisMachine({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function takesItsTime({ searchParams, pathname }: URL): boolean {
  return searchParams.has("wait") || pathname.endsWith("/plan");
}

function anotherProgram(server: string, { status, headers }: Response): NoAnswer {
  const type = headers.get("content-type")?.split(";")[0];
  return new NoAnswer(
    "Not a millrace server",
    `${server} did not respond like a millrace server: it returned ${status}${type ? ` with ${type}` : ""}.`,
    "Check --server or MILLRACE_SERVER, and any proxy between you and the server.",
  );
}

function silent(server: string): NoAnswer {
  return new NoAnswer(
    "The server does not respond",
    `${server} accepted the connection but did not respond like a millrace server within ${ANSWER_WITHIN_MS / 1_000} s.`,
    "Check --server or MILLRACE_SERVER, and the log of the server.",
  );
}

/** OpenSSL's name for it, or its text, says nothing to the one who has written https for http. */
function saysNoTls(cause: unknown): boolean {
  const code = systemCode(cause);
  return (
    code === "ERR_SSL_WRONG_VERSION_NUMBER" ||
    (code === "EPROTO" && /wrong version number/.test(errorMessage(cause)))
  );
}

function withoutTls(server: string, retryable: boolean): NoAnswer {
  return new NoAnswer(
    "The server cannot be reached",
    `${server} did not respond like a millrace server: it does not use TLS.`,
    `Set --server or MILLRACE_SERVER to ${server.replace(/^https/i, "http")}, or to the address of the proxy that terminates TLS.`,
    retryable,
  );
}

function unusableProxy({ message, remedy }: MillraceError): NoAnswer {
  const direct = "or add the host of the server to NO_PROXY.";
  return new NoAnswer("The proxy cannot be used", message, `${remedy?.replace(/\.$/, "")}, ${direct}`);
}

function unreachable(server: string, error: unknown, retryable: boolean): NoAnswer {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  const why = proxySecrets(process.env).reduce(
    (text, secret) => text.replaceAll(secret, "***"),
    errorMessage(cause) || "the connection failed",
  );
  const url = new URL(server);
  const proxy = isOnThisMachine(url) ? undefined : proxyVariableOf(url, process.env)?.toUpperCase();
  if (saysNoTls(cause) && proxy === undefined) return withoutTls(server, retryable);
  const remedy =
    proxy === undefined
      ? "Start it with `millrace serve`, or check --server or MILLRACE_SERVER."
      : `Check ${proxy}, or add the host of the server to NO_PROXY.`;
  return new NoAnswer(
    "The server cannot be reached",
    `${server} did not respond like a millrace server: ${why}.`,
    remedy,
    retryable,
  );
}

/** The version that a change is made of, as the server named it. @throws MillraceError `conflict` when it named none */
export function etagOf(response: Response): string {
  const etag = response.headers.get("etag");
  if (etag !== null) return etag;
  throw new MillraceError("conflict", "The server sent no ETag, so nothing was changed.", {
    remedy:
      "Use the CLI version that matches the server, and make sure that no proxy in front of the server removes the ETag header.",
  });
}
