import { Command } from "commander";
import type { Models } from "../client/client.ts";
import { formatProblem, type Problem } from "../definitions/problem.ts";
import { itemLimit, revisionHash } from "./arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { ago, print, printJson, printTable } from "./output.ts";
import { printFactory, short } from "./status.ts";

interface HistoryOptions extends ConnectOptions {
  limit: number;
  full?: true;
}

export function historyCommand(): Command {
  return asClientCommand(new Command("history").argument("[factory]"), { ofFactory: true })
    .description("list the revisions that were tried: what they changed, and who or what asked")
    .option("--limit <n>", "how many", itemLimit, 20)
    .option("--full", "show every change and every problem")
    .action(history);
}

export function suspendCommand(): Command {
  return asClientCommand(new Command("suspend").argument("[factory]"), { ofFactory: true })
    .description("hold what is in force, whatever is pushed")
    .action(suspend);
}

export function resumeCommand(): Command {
  return asClientCommand(new Command("resume").argument("[factory]"), { ofFactory: true })
    .description("follow the source again")
    .action(resume);
}

export function rollbackCommand(): Command {
  return asClientCommand(new Command("rollback").argument("[factory]"), { ofFactory: true })
    .description("bring a revision into force again that was in force before, and suspend the factory")
    .requiredOption(
      "--to <revision>",
      "its hash, or at least the first 7 characters of it (see `millrace history`)",
      revisionHash,
    )
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
  else if (revisions.length === 0) print("Nothing has been tried yet.");
  else if (options.full) revisions.forEach(printRevision);
  else
    printTable(["REVISION", "WHEN", "OUTCOME", "ASKED BY", "CHANGES", "MESSAGE"], revisions.map(row), {
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
  return is_in_force ? "in force" : outcome;
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
  print(`  ${revision.at}, asked by ${askedBy(revision)}`);
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
    print(`${factory.name} holds ${inForce(factory)}, ${heldBack(factory)}: \`millrace resume\` ends that.`);
}

async function resume(named: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await client.factories.resume(await chosenFactory(client, options, named));
  if (options.json) printJson(factory);
  else if (factory.mode === "managed") print(`${factory.name} takes changes again.`);
  else print(`${factory.name} follows its source again: \`millrace status\` tells what comes of it.`);
}

async function rollback(named: string | undefined, options: ConnectOptions & { to: string }): Promise<void> {
  const client = connect(options);
  const factory = await client.factories.rollback(await chosenFactory(client, options, named), options.to);
  if (options.json) return printJson(factory);
  printFactory(factory);
  print(`\n${afterRollback(factory)}`);
}

function heldBack({ mode }: Models["Factory"]): string {
  return mode === "managed" ? "and refuses changes" : "whatever is pushed";
}

/** The branch of a definition that millrace keeps has gone back with it; another is as it was. */
function afterRollback({ mode }: Models["Factory"]): string {
  return mode === "managed"
    ? "It holds what that revision said, by one more commit: `millrace resume`, and changes go on from there."
    : "It holds that revision: bring the branch in order, and then `millrace resume`.";
}

function inForce({ sync }: Models["Factory"]): string {
  return sync.applied_revision ? short(sync.applied_revision) : "what it has, which is nothing yet";
}
