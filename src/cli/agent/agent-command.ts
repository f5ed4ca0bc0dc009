import { Command } from "commander";
import { print, printJson } from "../output.ts";
import { checkServersCommand } from "./check-servers.ts";
import { connectOwn } from "./connect-own.ts";
import { familyCommands } from "./family.ts";
import { agentFilesCommands } from "./files.ts";
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

/** With what an agent proves to other services which run it is. */
function oidcTokenCommand(): Command {
  return new Command("oidc-token")
    .description("print an OpenID Connect token, with which a service that trusts the server knows your run")
    .requiredOption("--audience <audience>", "who the token is for, as the service expects it (required)")
    .action(oidcToken);
}

/** The token alone, for a file or a variable. */
async function oidcToken({ audience, json }: { audience: string; json?: true }): Promise<void> {
  const { api, path } = connectOwn();
  const made = await api.call("post", "/agent/runs/{runId}/oidc-token", { path, body: { audience } }, {});
  if (json) printJson(made);
  else print(made.token);
}
