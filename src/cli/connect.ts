import type { Command } from "commander";
import { type createClient as CreateClient, createClient, dataOf } from "../client/client.ts";
import { MillraceError } from "../error.ts";
import { fetchFrom } from "./reach-server.ts";

export type Client = ReturnType<typeof CreateClient>;

export interface ConnectOptions {
  server: string;
  factory?: string;
  json?: boolean;
}

const DEFAULT_SERVER = "http://127.0.0.1:8787";

/** Gives a command the options that every client of a server has. */
export function asClientCommand(command: Command, { ofFactory = false, reads = true } = {}): Command {
  command.option(
    "--server <url>",
    "the server (MILLRACE_SERVER)",
    process.env.MILLRACE_SERVER ?? DEFAULT_SERVER,
  );
  if (ofFactory) command.option("--factory <name>", "the factory, when the server has several");
  if (reads) command.option("--json", "print JSON");
  return command;
}

/** A client with the key of the environment. @throws MillraceError when there is no key, or the server is no URL */
export function connect({ server }: ConnectOptions): Client {
  if (!/^https?:\/\/[^/]/i.test(server) || !URL.canParse(server)) {
    throw new MillraceError("invalid_request", `"${server}" is not the URL of a server.`, {
      remedy: `Write --server or MILLRACE_SERVER as http://HOST:PORT, for example ${DEFAULT_SERVER}.`,
    });
  }
  const apiKey = process.env.MILLRACE_API_KEY;
  if (!apiKey) {
    throw new MillraceError("authentication_required", "MILLRACE_API_KEY is not set.", {
      remedy: "Set it to an API key; an admin makes one with `millrace keys create`.",
    });
  }
  return createClient({ baseUrl: server, apiKey, fetch: fetchFrom(server) });
}

/** The factory that a command is about: the one that is named, or the only one. */
export async function chosenFactory(client: Client, { factory }: ConnectOptions): Promise<string> {
  if (factory !== undefined) return factory;
  const { factories } = await dataOf(client.GET("/factories", {}));
  const [only, another] = factories;
  if (only && !another) return only.name;
  const names = factories.map(({ name }) => name).join(", ");
  throw new MillraceError(
    "invalid_request",
    factories.length === 0
      ? "The server has no factory that this key reaches."
      : `The server has several factories: ${names}.`,
    { remedy: "Name one with --factory." },
  );
}

/** Every page of a list. */
export async function allPages<Item>(
  fetchPage: (cursor: string | undefined) => Promise<{ items: Item[]; page_info: { next_cursor?: string } }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    items.push(...page.items);
    cursor = page.page_info.next_cursor;
  } while (cursor !== undefined);
  return items;
}
