import { Command } from "commander";
import type { Models } from "../../client/typed-paths.ts";
import { runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { print, printJson, printTable } from "../output.ts";
import { findRunOrLatest, RUN_OR_LATEST } from "./find-run.ts";

/** What a person reads for the reason of a refusal. */
const REASONS: Readonly<Record<Models["RunNetwork"]["refused"][number]["reason"], string>> = {
  not_allowed: "not in the allowlist",
  private_address: "a private address that the allowlist does not name",
  host_mismatch: "another host was asked for inside of the connection",
  invalid: "not a valid request",
  unresolved: "the name could not be resolved",
  unreachable: "could not be reached",
  too_many_connections: "too many open connections",
  over_budget: "the budget of the run is used up",
};

export function runNetworkCommand(): Command {
  return asClientCommand(
    new Command("network")
      .argument("[id]", RUN_OR_LATEST, runIdStart)
      .description("list the hosts that a run reached, and those that it was refused"),
  ).action(network);
}

async function network(given: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const found = await client.runs.network(await findRunOrLatest(client, given));
  if (options.json) return printJson(found);
  const { reached, refused } = found;
  if (reached.length + refused.length === 0) {
    print(
      "No connections are recorded for this run. They are recorded only for runs whose network is limited.",
    );
    return;
  }
  printTable(
    ["HOST", "PORT", "REQUESTS", "RESULT"],
    [
      ...reached.map((one) => [one.host, String(one.port), String(one.requests), "reached"]),
      ...refused.map((one) => [
        one.host,
        String(one.port),
        String(one.requests),
        `refused: ${REASONS[one.reason]}`,
      ]),
    ],
  );
}
