import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { formatProblem, type Problem } from "../../definitions/problem.ts";
import { MillraceError } from "../../errors/error.ts";
import { exactUsdText } from "../../insight/usd-text.ts";
import { pluralize } from "../../pluralize.ts";
import { revisionHash } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect, onlyFactory } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { ago, print, printError, printFields, printJson } from "../output.ts";
import { describeHold, describePause } from "./pause.ts";

export function statusCommand(): Command {
  return asClientCommand(new Command("status").argument("[factory]"), { ofFactory: true })
    .description("show the attempted and the applied revision of each factory, and its problems")
    .action(status);
}

export function syncCommand(): Command {
  return asClientCommand(new Command("sync").argument("[factory]"), { ofFactory: true })
    .description("sync the source now and wait for the result")
    .option("--allow-deletes", "allow deletions that the prune guard would block")
    .option(
      "--revision <revision>",
      "with --allow-deletes: allow only the deletions planned for this revision",
      revisionHash,
    )
    .action(sync);
}

async function status(named: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = named ?? options.factory;
  const { items } = await client.factories.list({ limit: 500 });
  const shown = factory === undefined ? items : [await client.factories.get(factory)];
  if (options.json) return printJson(factory === undefined ? shown : shown[0]);
  const pauses = await client.pauses.list({ limit: 500 }).toArray();
  const uids = new Set(shown.map(({ uid }) => uid));
  for (const pause of pauses) {
    if (pause.factory_uid === null || uids.has(pause.factory_uid)) print(`${describePause(pause)}\n`);
  }
  for (const hold of (await client.holds.list()).holds) {
    if (hold.factory_uid === null || uids.has(hold.factory_uid)) print(`${describeHold(hold)}\n`);
  }
  shown.forEach((one, index) => {
    if (index > 0) print("");
    printFactory(one);
  });
}

async function sync(
  named: string | undefined,
  options: ConnectOptions & { allowDeletes?: true; revision?: string },
): Promise<void> {
  if (options.revision !== undefined && !options.allowDeletes) {
    throw new MillraceError("invalid_request", "--revision requires --allow-deletes.", {
      remedy: "Specify both options, or neither.",
    });
  }
  const client = connect(options);
  const factory = named ?? options.factory ?? (await onlyFactory(client)).uid;
  const synced = await client.factories.sync(factory, {
    wait: true,
    allow_deletes: options.allowDeletes ?? false,
    ...(options.revision === undefined ? {} : { revision: options.revision }),
  });
  if (options.json) printJson(synced);
  else printFactory(synced);
  if (synced.sync.status === "failed") process.exitCode = EXIT_CODES.no;
  if (synced.sync.status === "suspended") {
    printError("The factory is suspended. Run `millrace resume` to sync again.");
    process.exitCode = EXIT_CODES.conflict;
  }
}

function describeSource(mode: Models["Factory"]["mode"], { url, branch, path }: Models["Factory"]["source"]) {
  if (mode === "managed") return `managed by millrace (in ${url})`;
  return url ? `${url} (branch ${branch}, folder ${path})` : `${path} (${mode})`;
}

export function printFactory({ name, mode, source, sync, budget }: Models["Factory"]): void {
  printFields({
    factory: name,
    status: sync.status,
    source: describeSource(mode, source),
    attempted: sync.attempted_revision
      ? `${short(sync.attempted_revision)}, ${ago(sync.attempted_at)}`
      : "nothing yet",
    applied: sync.applied_revision
      ? `${short(sync.applied_revision)}, ${ago(sync.applied_at)}`
      : "nothing yet",
    ...(budget ? { budget: budgetText(budget) } : {}),
  });
  for (const problem of sync.problems) print(`\n${formatProblem(problem as Problem)}`);
}

export function short(revision: string): string {
  return revision.slice(0, 12);
}

/** A budget and what is used of it, a limit a line. */
export function budgetText(budget: Models["Budget"]): string {
  const { usdPerRun, usdPerDay, tokensPerRun, runsPerDay, used, onExhausted, opens_at: opensAt } = budget;
  const what = onExhausted === "wait" ? "further runs wait" : "further runs are skipped";
  return [
    ...(usdPerDay === undefined
      ? []
      : [`${exactUsdText(used.usdPerDay)} of ${exactUsdText(usdPerDay)} used in the last 24 hours`]),
    ...(runsPerDay === undefined
      ? []
      : [`${used.runsPerDay} of ${pluralize(runsPerDay, "run")} started in the last 24 hours`]),
    ...(usdPerRun === undefined ? [] : [`${exactUsdText(usdPerRun)} for each run`]),
    ...(tokensPerRun === undefined ? [] : [`${pluralize(tokensPerRun, "token")} for each run`]),
    ...(opensAt === null ? [] : [`used up: ${what} until ${opensAt}`]),
  ].join("\n");
}

export function driftCommand(): Command {
  return asClientCommand(new Command("drift").argument("[factory]"), { ofFactory: true })
    .description("compare the stored state with the applied revision; exits with 1 if they differ")
    .action(drift);
}

async function drift(named: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options, named);
  const found = await client.factories.drift(factory);
  if (!found.in_sync) process.exitCode = EXIT_CODES.no;
  if (options.json) return printJson(found);
  if (found.in_sync) return print(`The stored state matches revision ${short(found.revision)}.`);
  print(`The stored state differs from revision ${short(found.revision)}. To match it, millrace would:`);
  for (const { action, kind, name, fields } of found.changes) {
    print(
      `  ${action} ${[kind, name].join(" ").trim()}${fields.length > 0 ? ` (${fields.join(", ")})` : ""}`,
    );
  }
  for (const name of found.without_credential) print(`  read the credential of webhook ${name} again`);
  print("Restart the server to apply these changes.");
}
