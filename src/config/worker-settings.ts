import { required } from "./setting.ts";
import { duration, oneOf, period } from "./values.ts";

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
  workerLease: required({
    env: "MILLRACE_WORKER_LEASE",
    inFile: true,
    parse: duration,
    fallback: "60s",
    help: "how long a worker that is not heard of keeps its runs; it ends their agents after 70 percent of that",
  }),
} as const;
