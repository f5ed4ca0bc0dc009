import { Command } from "commander";
import { dataOf, type Models } from "../client/client.ts";
import { allPages, asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { ago, print, printJson, printTable } from "./output.ts";

export function agentsCommand(): Command {
  const agents = new Command("agents").description("whom runs execute as");
  asClientCommand(
    agents.command("list").description("list the agents of definitions and those that the API has made"),
  ).action(list);
  return agents;
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const agents = await allPages<Models["AgentResponse"]>(async (cursor) => {
    const params = { query: { limit: 500, ...(cursor ? { cursor } : {}) } };
    const page = await dataOf(client.GET("/agent/identities", { params }));
    return { items: page.agents, page_info: page.page_info };
  });
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
