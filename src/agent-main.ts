import { Command } from "commander";
import { agentCommand } from "./cli/agent/agent-command.ts";
import { runCommand, throwInsteadOfExit } from "./cli/run-command.ts";

/** What agents find on their PATH under the name of the program: the commands for them, and no other part of it. */
function createAgentProgram(): Command {
  const program = new Command("millrace")
    .description("Commands for the agent of a run. `millrace agent --help` lists them.")
    .addCommand(agentCommand());
  throwInsteadOfExit(program);
  return program;
}

void runCommand(createAgentProgram, process.argv).then((code) => {
  process.exitCode = code;
});
