import { required } from "./setting.ts";
import { duration, oneOf, period } from "./values.ts";

/** Several beats have to fit into a lease. */
const MIN_LEASE_MS = 5_000;

function lease(value: string): number {
  const milliseconds = duration(value);
  if (milliseconds >= MIN_LEASE_MS) return milliseconds;
  throw new Error("expected a duration of at least 5s, such as 60s or 5m");
}

/** Which runs the server executes itself, and how long runs wait for workers. */
export const workerSettings = {
  workers: required({
    env: "MILLRACE_WORKERS",
    inFile: true,
    parse: oneOf(["local", "none"] as const),
    fallback: "local",
    help: "who executes runs that name no worker: local (this server) or none (any connected worker)",
  }),
  workerMaxWait: required({
    env: "MILLRACE_WORKER_MAX_WAIT",
    inFile: true,
    parse: (value: string) => (value === "0" ? 0 : period(value)),
    fallback: "24h",
    help: "how long a run waits while no worker that it could execute on is connected, before it ends with ERROR (0: no limit)",
  }),
  workerReturnWait: required({
    env: "MILLRACE_WORKER_RETURN_WAIT",
    inFile: true,
    parse: (value: string) => (value === "0" ? 0 : period(value)),
    fallback: "30s",
    help: "how long the next turn of a run waits for the worker that has its workspace, before any other one takes it (0: not at all)",
  }),
  workerLease: required({
    env: "MILLRACE_WORKER_LEASE",
    inFile: true,
    parse: lease,
    fallback: "60s",
    help: "how long a worker that is not heard of keeps its runs, at least 5s; it ends their agents after 70 percent of that",
  }),
} as const;
