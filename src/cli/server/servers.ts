import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, printJson, printTable } from "../output.ts";

const HEADINGS = ["UID", "NAME", "STATUS", "LEADER", "LOAD", "VERSION", "STARTED", "LAST SEEN"];

export function serversCommand(): Command {
  const servers = new Command("servers").description("show the servers that share one PostgreSQL database");
  asClientCommand(
    servers.command("list").description("list servers with their status, load and last contact"),
  ).action(list);
  return servers;
}

async function list(options: ConnectOptions): Promise<void> {
  const servers = await connect(options).servers.list({ limit: 500 }).toArray();
  if (options.json) return printJson(servers);
  printTable(HEADINGS, servers.map(cells));
}

function cells(server: Models["Server"]): string[] {
  return [
    server.uid,
    server.name,
    server.status,
    server.is_leader ? "yes" : "no",
    server.status === "away" ? "-" : `${server.executing} of ${server.concurrency}`,
    server.version,
    ago(server.started_at),
    ago(server.last_seen_at),
  ];
}
