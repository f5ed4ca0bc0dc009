import type { Models } from "../../client/client.ts";
import { ago } from "../output.ts";

type Worker = Models["Worker"];

/** The columns of a list of workers. */
export const WORKER_HEADINGS = [
  ...["ID", "NAME", "STATE", "LABELS", "LOAD", "VERSION", "PLATFORM", "FACTORIES", "LAST SEEN"],
];

export function workerCells(worker: Worker): string[] {
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
export function workerFields(worker: Worker): Record<string, string | undefined> {
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
export function loadText({
  state,
  executing,
  concurrency,
}: Pick<Worker, "state" | "executing" | "concurrency">) {
  return state === "offline" ? "-" : `${executing} of ${concurrency}`;
}

const platformText = ({ platform }: Worker) => (platform === null ? "-" : `${platform.os}/${platform.arch}`);
const factoriesText = ({ factories }: Worker) => factories?.join(", ") ?? "all";
