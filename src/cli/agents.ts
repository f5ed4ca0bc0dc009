import { Command } from "commander";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { ago, print, printJson, printTable } from "./output.ts";

export function agentsCommand(): Command {
  const agents = new Command("agents").description("whom runs execute as");
  asClientCommand(
    agents.command("list").description("list the agents of definitions and those that the API has made"),
  ).action(list);
  return agents;
}

async function list(options: ConnectOptions): Promise<void> {
  const agents = await connect(options).identities.list({ limit: 500 }).toArray();
  if (options.json) printJson(agents);
  else if (agents.length === 0) print("There are no agents. Add one: agents/<name>/agent.md.");
  else {
    printTable(
      ["NAME", "UID", "TYPE", "FACTORY", "UPDATED"],
      agents.map((agent) => [
        agent.name,
        agent.uid,
        agent.agent_type ?? "-",
        agent.factory_uid ?? "-",
        ago(agent.updated_at),
      ]),
    );
  }
}
