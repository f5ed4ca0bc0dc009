import { Command } from "commander";
import { MAX_PAGE, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";

interface InboxOptions extends ConnectOptions {
  factory?: string;
}

export function inboxCommand(): Command {
  return asClientCommand(new Command("inbox"))
    .description(
      "list what waits for a person, newest first: questions, failed syncs, refused senders, budgets, holds",
    )
    .option("--factory <name>", "only items of this factory")
    .action(list);
}

async function list({ factory, ...options }: InboxOptions): Promise<void> {
  const query = { limit: MAX_PAGE, ...present({ factory }) };
  const items = await connect(options).inbox(query).toArray();
  if (options.json) return printJson(items);
  if (items.length === 0) return print("Nothing waits for a person.");
  printTable(
    ["SINCE", "KIND", "FACTORY", "WHAT", "DETAIL"],
    items.map(({ since, kind, factory, title, detail }) => [
      ago(since),
      kind,
      factory ?? "-",
      title,
      firstLine(detail),
    ]),
    { isCut: true },
  );
  const question = items.find(({ kind }) => kind === "question");
  if (question) print(`\nTo answer a question: \`millrace runs answer ${question.run_id} TEXT\``);
}

/** A question may have several; the page of the run and --json have all of it. */
function firstLine(detail: string): string {
  const [first = ""] = detail.trim().split("\n", 1);
  return first.trim();
}
