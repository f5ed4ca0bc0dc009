import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { formatProblem, type Problem } from "../../definitions/problem.ts";
import { MillraceError } from "../../errors/error.ts";
import { revisionHash } from "../arguments.ts";
import { budgetText } from "../budget-text.ts";
import { asClientCommand, type ConnectOptions, connect, onlyFactory } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { describePause } from "../factories/describe-pause.ts";
import { ago, print, printError, printFields, printJson } from "../output.ts";

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
