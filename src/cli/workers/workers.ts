import { Command, InvalidArgumentError, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { MAX_PAGE, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printError, printFields, printJson, printTable } from "../output.ts";

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

type Worker = Models["Worker"];

/** The columns of a list of workers. */
const WORKER_HEADINGS = [
  ...["ID", "NAME", "STATE", "LABELS", "LOAD", "VERSION", "PLATFORM", "FACTORIES", "LAST SEEN"],
];

function workerCells(worker: Worker): string[] {
  return [
    worker.id,
    worker.name,
    worker.state,
    worker.labels.join(",") || "-",
    loadText(worker),
    worker.version ?? "-",
    platformText(worker),
    factoriesText(worker),
    worker.last_seen_at === null ? "never" : ago(worker.last_seen_at),
  ];
}

/** One worker, field by field; what is unknown has no value. */
function workerFields(worker: Worker): Record<string, string | undefined> {
  const { shape } = worker;
  return {
    id: worker.id,
    name: worker.name,
    state: worker.state,
    labels: worker.labels.join(", ") || "none",
    factories: factoriesText(worker),
    token: `${worker.prefix}…`,
    created: `${ago(worker.created_at)} by ${worker.created_by.display_name}`,
    draining: worker.draining_since === null ? undefined : `since ${worker.draining_since}`,
    connected: worker.connected_at === null ? undefined : `since ${worker.connected_at}`,
    "last seen": worker.last_seen_at === null ? "never" : ago(worker.last_seen_at),
    load: loadText(worker),
    version: worker.version ?? undefined,
    platform: worker.platform === null ? undefined : platformText(worker),
    machine: shape === null ? undefined : `${shape.vcpus} CPUs, ${shape.memory_gb} GB of memory`,
    sandbox: worker.sandbox ?? undefined,
    processes: worker.processes.length > 1 ? String(worker.processes.length) : undefined,
  };
}

/** The turns that are executed, of those that could be. */
function loadText({ state, executing, concurrency }: Pick<Worker, "state" | "executing" | "concurrency">) {
  return state === "offline" ? "-" : `${executing} of ${concurrency}`;
}

const platformText = ({ platform }: Worker) => (platform === null ? "-" : `${platform.os}/${platform.arch}`);
const factoriesText = ({ factories }: Worker) => factories?.join(", ") ?? "all";

/**
 * The only worker of a name, or the one with this id.
 * @throws MillraceError `resource_not_found` when there is none, `invalid_request` when the name is that of a pool of several
 */
async function findWorker(client: Millrace, given: string): Promise<Models["Worker"]> {
  const all = await client.workers.list({ limit: MAX_PAGE }).toArray();
  const byId = all.find(({ id }) => id === given);
  if (byId) return byId;
  const [only, another, ...others] = all.filter(({ name }) => name === given);
  if (only && another) {
    const ids = [only, another, ...others].map(({ id }) => id).join(", ");
    throw new MillraceError("invalid_request", `Several workers have the name "${given}": ${ids}.`, {
      remedy: "Pass the ID of one of them.",
    });
  }
  if (only) return only;
  throw new MillraceError("resource_not_found", `There is no worker with the name or ID "${given}".`, {
    remedy: "Run `millrace workers list` to list all workers.",
  });
}
