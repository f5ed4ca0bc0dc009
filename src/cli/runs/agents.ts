import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";
import { lastRunText, successText } from "./run-text.ts";

export function agentsCommand(): Command {
  const agents = new Command("agents").description("list agents");
  asClientCommand(
    agents.command("list").description("list agents of definitions and agents created through the API"),
  ).action(list);
  return agents;
}

async function list(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const agents = await listAgents(client);
  const { agents: activities } = await client.agentActivity();
  const activityOf = new Map(activities.map((activity) => [activity.uid, activity]));
  if (options.json) printJson(agents.map((agent) => ({ ...agent, activity: activityOf.get(agent.uid) })));
  else if (agents.length === 0) print("There are no agents. To add one, create agents/<name>/agent.md.");
  else {
    printTable(
      ["NAME", "FACTORY", "TYPE", "RUNS", "LAST RUN", "SUCCESS", "UPDATED"],
      agents.map((agent) => {
        const activity = activityOf.get(agent.uid);
        return [
          agent.name,
          activity?.factory ?? "-",
          agent.agent_type ?? "-",
          runsText(activity),
          lastRunText(activity),
          successText(activity),
          ago(agent.updated_at),
        ];
      }),
    );
  }
}

/** Runs are counted up to a number. */
function runsText(activity: Models["AgentActivity"] | undefined): string {
  if (!activity) return "-";
  return `${activity.runs}${activity.has_more_runs ? "+" : ""}`;
}

function listAgents(client: Millrace): Promise<Models["AgentResponse"][]> {
  return client.identities.list({ limit: 500 }).toArray();
}

/** An agent by its uid, or by its name when no other has it. @throws MillraceError */
export async function findAgent(client: Millrace, name: string): Promise<Models["AgentResponse"]> {
  const all = await listAgents(client);
  const named = all.filter((agent) => agent.name === name);
  const found = all.find(({ uid }) => uid === name) ?? named[0];
  if (found && (found.uid === name || named.length === 1)) return found;
  if (found) {
    throw new MillraceError("invalid_request", `Several agents are named "${name}".`, {
      remedy: `Specify one by its UID: ${named.map(({ uid }) => uid).join(", ")}.`,
    });
  }
  throw new MillraceError("resource_not_found", `There is no agent "${name}".`, {
    remedy: "Run `millrace agents list` to list the agents that the API key can access.",
  });
}
