import { Command } from "commander";
import { checkServersCommand } from "./check-servers.ts";
import { familyCommands } from "./family.ts";
import { agentFilesCommands } from "./files.ts";
import { oidcTokenCommand } from "./oidc-token.ts";
import { reportCommands } from "./reports.ts";
import { startCommands } from "./start.ts";

/** What an agent does with millrace from within its run. */
export function agentCommand(): Command {
  const agent = new Command("agent")
    .description("report, ask, and start other agents, from within a run")
    .addHelpText(
      "after",
      "\nFor the agent of a run: the server, the run and its token are found in\nMILLRACE_API_URL, MILLRACE_RUN_ID and MILLRACE_RUN_TOKEN.",
    );
  const commands = [
    ...reportCommands(),
    ...startCommands(),
    ...familyCommands(),
    ...agentFilesCommands(),
    oidcTokenCommand(),
  ];
  for (const command of commands) agent.addCommand(command.option("--json", "print JSON"));
  agent.addCommand(checkServersCommand(), { hidden: true });
  return agent;
}
