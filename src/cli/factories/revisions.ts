import { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { formatProblem, type Problem } from "../../definitions/problem.ts";
import { MillraceError } from "../../errors/error.ts";
import type { PlanReport } from "../../plans/plan-report.ts";
import { planText } from "../../plans/plan-text.ts";
import { itemLimit, revisionHash } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { confirm } from "../input.ts";
import { ago, print, printError, printJson, printTable } from "../output.ts";
import { printFactory, short } from "./status.ts";

interface HistoryOptions extends ConnectOptions {
  limit: number;
  full?: true;
}

interface RollbackOptions extends ConnectOptions {
  to: string;
  yes?: true;
}

export function historyCommand(): Command {
  return asClientCommand(new Command("history").argument("[factory]"), { ofFactory: true })
    .description("list attempted revisions, with the changes that each one made and who or what requested it")
    .option("--limit <n>", "maximum number of revisions", itemLimit, 20)
    .option("--full", "show every change and every problem")
    .action(history);
}

export function suspendCommand(): Command {
  return asClientCommand(new Command("suspend").argument("[factory]"), { ofFactory: true })
    .description("stop applying new revisions")
    .action(suspend);
}

export function resumeCommand(): Command {
  return asClientCommand(new Command("resume").argument("[factory]"), { ofFactory: true })
    .description("resume applying new revisions")
    .action(resume);
}

export function rollbackCommand(): Command {
  return asClientCommand(new Command("rollback").argument("[factory]"), { ofFactory: true })
    .description("re-apply an earlier revision and suspend the factory")
    .requiredOption(
      "--to <revision>",
      "hash of the revision, or at least its first 7 characters (see `millrace history`)",
      revisionHash,
    )
    .option("--yes", "do not show the plan and ask first, as is done in a terminal")
    .action(rollback);
}

async function history(named: string | undefined, options: HistoryOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options, named);
  const limit = Math.min(options.limit, 500);
  const revisions: Models["Revision"][] = [];
  for await (const revision of client.factories.revisions(factory, { limit })) {
    revisions.push(revision);
    if (revisions.length === options.limit) break;
  }
  if (options.json) printJson(revisions);
  else if (revisions.length === 0) print("No revisions have been attempted yet.");
  else if (options.full) revisions.forEach(printRevision);
  else
    printTable(["REVISION", "WHEN", "OUTCOME", "REQUESTED BY", "CHANGES", "MESSAGE"], revisions.map(row), {
      isCut: true,
    });
}

function row(revision: Models["Revision"]): string[] {
  return [
    short(revision.revision),
    ago(revision.at),
    outcomeOf(revision),
    askedBy(revision),
    countsOf(revision),
    revision.message ?? "-",
  ];
}

function outcomeOf({ outcome, is_in_force }: Models["Revision"]): string {
  return is_in_force ? "active" : outcome;
}

function askedBy({ asked_by: { reason, principal } }: Models["Revision"]): string {
  return [reason ?? "-", ...(principal ? [`(${principal.display_name})`] : [])].join(" ");
}

/** `+1 ~2 -3`: created, updated, deleted. */
function countsOf({ changes }: Models["Revision"]): string {
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  const parts = [
    ["+", count("create")],
    ["~", count("update")],
    ["-", count("delete")],
  ] as const;
  return (
    parts
      .filter(([, number]) => number > 0)
      .map(([sign, number]) => `${sign}${number}`)
      .join(" ") || "none"
  );
}

function printRevision(revision: Models["Revision"], index: number): void {
  if (index > 0) print("");
  print(`${revision.revision}  ${outcomeOf(revision)}`);
  print(`  ${revision.at}, requested by ${askedBy(revision)}`);
  if (revision.author) print(`  ${revision.author}: ${revision.message}`);
  for (const { action, kind, name, fields } of revision.changes) {
    print(
      `  ${action} ${[kind, name].join(" ").trim()}${fields.length > 0 ? ` (${fields.join(", ")})` : ""}`,
    );
  }
  for (const problem of revision.problems) print(formatProblem(problem as Problem).replace(/^/gm, "  "));
}

async function suspend(named: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await client.factories.suspend(await chosenFactory(client, options, named));
  if (options.json) printJson(factory);
  else
    print(
      `Suspended ${factory.name} at ${activeRevision(factory)}: ${heldBack(factory)} until you run \`millrace resume\`.`,
    );
}

async function resume(named: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await client.factories.resume(await chosenFactory(client, options, named));
  if (options.json) printJson(factory);
  else if (factory.mode === "managed") print(`Resumed ${factory.name}: it accepts changes again.`);
  else
    print(`Resumed ${factory.name}: it applies new revisions again. Run \`millrace status\` for the result.`);
}

async function rollback(named: string | undefined, options: RollbackOptions): Promise<void> {
  const client = connect(options);
  const chosen = await chosenFactory(client, options, named);
  // A script has decided, and going back must not depend on a plan.
  const isDecided = options.yes || !process.stdin.isTTY;
  if (!isDecided && !(await agreed(client, chosen, options))) return;
  const factory = await client.factories.rollback(chosen, options.to);
  if (options.json) return printJson(factory);
  printFactory(factory);
  print(`\n${afterRollback(factory)}`);
}

/** Shows what going back would change, and asks. @throws MillraceError `conflict` when the revision is not valid now */
async function agreed(
  client: Millrace,
  factory: string,
  { to: revision, json }: RollbackOptions,
): Promise<boolean> {
  const plan = (await client.factories.plan(factory, { revision })) as PlanReport;
  (json ? printError : print)(`${planText(plan)}\n`);
  const target = short(plan.revision ?? revision);
  if (plan.applicable) return confirm(`Roll ${plan.factory} back to ${target} and suspend it?`, {});
  throw new MillraceError("conflict", `The revision ${target} is not valid on this server now.`, {
    remedy: "Roll back to another revision; `millrace history` shows the applied revisions.",
    retryable: false,
  });
}

function heldBack({ mode }: Models["Factory"]): string {
  return mode === "managed" ? "changes are refused" : "new revisions are not applied";
}

/** The branch of a definition that millrace keeps has gone back with it; another is as it was. */
function afterRollback({ mode }: Models["Factory"]): string {
  return mode === "managed"
    ? "The revision was restored in a new commit. Run `millrace resume` to accept changes again."
    : "The factory stays at this revision. Fix the branch, then run `millrace resume`.";
}

function activeRevision({ sync }: Models["Factory"]): string {
  return sync.applied_revision ? short(sync.applied_revision) : "no revision (none has been applied yet)";
}
