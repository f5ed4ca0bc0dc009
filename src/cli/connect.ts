import type { Command } from "commander";
import { CLIENT_HEADER } from "../api/http/api-header.ts";
import { Millrace } from "../client/client.ts";
import { DEFAULT_SERVER } from "../client/options.ts";
import { MillraceError } from "../errors/error.ts";
import { askServer } from "./reach-server.ts";

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
