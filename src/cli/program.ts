import { Command } from "commander";
import { buildInfo, programVersion } from "../platform/version.ts";
import { agentCommand } from "./agent/agent-command.ts";
import { completionCommand } from "./completion.ts";
import { deliveriesCommand } from "./deliveries/deliveries.ts";
import { filterCommand } from "./deliveries/filter.ts";
import { exitCodeHelp } from "./exit-code.ts";
import { factoriesCommand } from "./factories/factories.ts";
import { exportCommand, importCommand } from "./factories/import-export.ts";
import { initCommand } from "./factories/init.ts";
import { holdsCommand, pauseCommand, pausesCommand, unpauseCommand } from "./factories/pause.ts";
import { planCommand } from "./factories/plan.ts";
import { historyCommand, resumeCommand, rollbackCommand, suspendCommand } from "./factories/revisions.ts";
import { driftCommand, statusCommand, syncCommand } from "./factories/status.ts";
import { validateCommand } from "./factories/validate.ts";
import { inboxCommand } from "./messages/inbox.ts";
import { notificationsCommand } from "./messages/notifications.ts";
import { outboundCommand } from "./messages/outbound.ts";
import { print, printJson, refuseColor } from "./output.ts";
import { runCommand, throwInsteadOfExit } from "./run-command.ts";
import { agentsCommand } from "./runs/agents.ts";
import { environmentsCommand } from "./runs/environments.ts";
import { eventsCommand } from "./runs/events.ts";
import { runsCommand } from "./runs/runs.ts";
import { schedulesCommand } from "./runs/schedules.ts";
import { tasksCommand } from "./runs/tasks.ts";
import { usageCommand } from "./runs/usage.ts";
import { waitCommand } from "./runs/wait.ts";
import { auditCommand } from "./server/audit.ts";
import { backupCommand, restoreCommand } from "./server/backup.ts";
import { doctorCommand } from "./server/doctor.ts";
import { keysCommand } from "./server/keys.ts";
import { moveCommand } from "./server/move.ts";
import { quickstartCommand } from "./server/quickstart.ts";
import { serveCommand } from "./server/serve.ts";
import { serversCommand } from "./server/servers.ts";
import { automationsCommand } from "./webhooks/automations.ts";
import { secretsCommand } from "./webhooks/secrets.ts";
import { webhooksCommand } from "./webhooks/webhooks.ts";
import { workerCommand } from "./workers/worker.ts";
import { workersCommand } from "./workers/workers.ts";

/** Runs a command line. @returns the exit code */
export function runProgram(argv: readonly string[]): Promise<number> {
  return runCommand(createProgram, argv);
}

/** The whole command line, before anything of it runs: the reference is made from it too. */
export function createProgram(): Command {
  const program = new Command("millrace")
    .description(
      "GitOps controller for agent factories: reads their definitions from git, receives webhooks, executes agent runs.",
    )
    .version(programVersion(), "-V, --version")
    .addHelpText("after", exitCodeHelp());
  const version = new Command("version")
    .description("print the version")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => (json ? printJson(buildInfo()) : print(programVersion())));
  const commands = [
    serveCommand(),
    quickstartCommand(),
    initCommand(),
    validateCommand(),
    planCommand(),
    statusCommand(),
    syncCommand(),
    historyCommand(),
    suspendCommand(),
    resumeCommand(),
    rollbackCommand(),
    pauseCommand(),
    unpauseCommand(),
    pausesCommand(),
    holdsCommand(),
    inboxCommand(),
    notificationsCommand(),
    outboundCommand(),
    waitCommand(),
    driftCommand(),
    exportCommand(),
    importCommand(),
    factoriesCommand(),
    webhooksCommand(),
    automationsCommand(),
    deliveriesCommand(),
    filterCommand(),
    runsCommand(),
    tasksCommand(),
    usageCommand(),
    eventsCommand(),
    agentsCommand(),
    agentCommand(),
    environmentsCommand(),
    schedulesCommand(),
    secretsCommand(),
    keysCommand(),
    workerCommand(),
    workersCommand(),
    serversCommand(),
    auditCommand(),
    backupCommand(),
    restoreCommand(),
    moveCommand(),
    doctorCommand(),
    completionCommand(),
    version,
  ];
  for (const command of commands) program.addCommand(command);
  program.hook("preAction", (_, command) => refuseColor(command.opts().color === false));
  throwInsteadOfExit(program);
  return program;
}
