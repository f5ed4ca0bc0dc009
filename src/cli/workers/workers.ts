import { Command, InvalidArgumentError, Option } from "commander";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { print, printError, printFields, printJson, printTable } from "../output.ts";
import { present } from "../present.ts";
import { findWorker } from "./find-worker.ts";
import { loadText, WORKER_HEADINGS, workerCells, workerFields } from "./worker-text.ts";

interface CreateOptions extends Omit<ConnectOptions, "factory"> {
  labels?: string[];
  factory?: string[];
  idempotencyKey?: string;
}

interface DrainOptions extends ConnectOptions {
  end?: boolean;
}

export function workersCommand(): Command {
  const workers = new Command("workers").description("manage workers, which execute runs on other machines");
  asClientCommand(
    workers
      .command("create <name>")
      .description("create a worker; its token is printed once. Workers with the same name form a pool"),
  )
    .option(
      "--labels <a,b>",
      "labels of the worker, separated by commas (default: those that its processes report)",
      separated,
    )
    .option("--factory <names...>", "restrict the worker to the runs of these factories")
    .addOption(
      new Option(
        "--idempotency-key <key>",
        "idempotency key: for a minute, retries with the same key print the same token",
      ),
    )
    .action(create);
  asClientCommand(
    workers.command("list").description("list workers with their state, load and last contact"),
  ).action(list);
  asClientCommand(
    workers
      .command("show <worker>")
      .description("show a worker, given by name or ID, with its runs and its processes"),
  ).action(show);
  asClientCommand(
    workers
      .command("drain <worker>")
      .description("let a worker, given by name or ID, finish its turns without giving it new ones"),
  )
    .option("--end", "end the drain: the worker gets turns again")
    .action(drain);
  asClientCommand(
    workers
      .command("revoke <worker>")
      .description("delete a worker, given by name or ID, and revoke its token immediately"),
    { reads: false },
  ).action(revoke);
  return workers;
}

function separated(text: string, before: string[] = []): string[] {
  const labels = text.split(",").map((label) => label.trim());
  // An empty variable of a shell must not make a worker that may choose its labels.
  if (labels.includes(""))
    throw new InvalidArgumentError("Expected labels separated by commas, such as gpu,eu.");
  return [...before, ...labels];
}

async function create(name: string, asked: CreateOptions): Promise<void> {
  const { labels, factory, idempotencyKey, ...options } = asked;
  const body = { name, ...present({ labels, factories: factory }) };
  const { id, token } = await connect(options).workers.create(body, present({ idempotencyKey }));
  if (options.json) return printJson({ id, token });
  print(token);
  printError(`This is the only time that the token of worker ${name} (${id}) is shown.`);
  printError(
    `Save it to a file that only its user can read, and start the worker: millrace worker --server ${options.server} --token-file FILE`,
  );
}

async function list(options: ConnectOptions): Promise<void> {
  const workers = await connect(options).workers.list({ limit: 500 }).toArray();
  if (options.json) return printJson(workers);
  if (workers.length === 0)
    return print("There are no workers. Create one with `millrace workers create NAME`.");
  printTable(WORKER_HEADINGS, workers.map(workerCells));
}

async function show(given: string, options: ConnectOptions): Promise<void> {
  const worker = await findWorker(connect(options), given);
  if (options.json) return printJson(worker);
  printFields(workerFields(worker));
  if (worker.runs.length > 0) {
    print("");
    printTable(
      ["RUN", "TITLE", "PROCESS"],
      worker.runs.map(({ run_id, title, process }) => [run_id, title, process]),
    );
  }
  if (worker.processes.length < 2) return;
  print("");
  printTable(
    ["PROCESS", "LABELS", "LOAD", "VERSION", "CONNECTED"],
    worker.processes.map((process) => [
      process.uid,
      process.labels.join(",") || "-",
      loadText({ ...process, state: worker.state }),
      process.version ?? "-",
      process.connected_at,
    ]),
  );
}

async function drain(given: string, { end, ...options }: DrainOptions): Promise<void> {
  const client = connect(options);
  const { id } = await findWorker(client, given);
  const worker = await (end ? client.workers.endDrain(id) : client.workers.drain(id));
  if (options.json) return printJson(worker);
  if (end) return print(`Worker ${worker.name} gets turns again.`);
  const turns = worker.executing === 1 ? "turn" : "turns";
  print(`Worker ${worker.name} gets no new turns. It executes ${worker.executing} ${turns}.`);
  print(`To end the drain, use \`millrace workers drain ${given} --end\`.`);
}

async function revoke(given: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const { id, name } = await findWorker(client, given);
  await client.workers.revoke(id);
  print(`Revoked worker ${name} (${id}).`);
}
