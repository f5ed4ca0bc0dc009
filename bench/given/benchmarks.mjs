/** The least that a benchmark can be tried with. */
const SMALL = { BENCH_ROUNDS: "1", BENCH_SECONDS: "1" };

/** What `npm run bench` measures: each benchmark by the name of its file, with what makes it a trial that takes no time. */
export const BENCHMARKS = [
  {
    name: "start",
    title: "Start",
    about:
      "This benchmark measures the time from the start of the process until the server is ready, with an existing store.",
    small: { BENCH_ROUNDS: "1" },
  },
  {
    name: "ingress",
    title: "Ingress",
    about:
      "This benchmark measures deliveries per second, compared with an Express route that answers 202 and does nothing else. Every accepted delivery is on disk before the response is sent.",
    small: SMALL,
  },
  {
    name: "windows",
    title: "Keys and windows",
    about:
      "This benchmark measures deliveries per second that each become part of a waiting run, how soon runs start while many windows are open, and how soon a run starts after the end of its window.",
    small: { ...SMALL, BENCH_WINDOWS: "200", BENCH_STARTS: "3" },
  },
  {
    name: "ingress-stored",
    title: "Ingress with stored deliveries",
    about:
      "This benchmark measures how much a full delivery log slows down the acceptance of new deliveries.",
    small: { ...SMALL, BENCH_STORED: "2000" },
  },
  {
    name: "ingress-soak",
    title: "Ingress under continuous load",
    about:
      "This benchmark measures memory usage and the rate of deliveries over time, under continuous load.",
    small: { BENCH_MINUTES: "1" },
  },
  {
    name: "paired",
    title: "Compared with the first release",
    about:
      "This benchmark measures how soon agents start, deliveries, pages of runs and short runs, each as a ratio to version 0.1.0 in the same rounds.",
    small: { ...SMALL, BENCH_STARTS: "4", BENCH_QUEUED: "50" },
  },
  {
    name: "api",
    title: "Run API",
    about:
      "This benchmark measures requests for pages of runs with every filter, requests for single runs, and the creation of runs, with a large number of stored runs.",
    small: { ...SMALL, BENCH_STORED: "2000" },
  },
  {
    name: "deliveries",
    title: "Search in deliveries",
    about:
      "This benchmark measures how fast deliveries are found by the text of their payloads, and how much space the index takes, with a large number of stored deliveries.",
    small: { BENCH_STORED: "2000", BENCH_QUERIES: "2" },
  },
  {
    name: "definitions",
    title: "Definitions",
    about:
      "This benchmark measures how long it takes until the definition in a large repository is served, after a cold start and after a change to one file. The time that git itself takes is subtracted.",
    small: { BENCH_AUTOMATIONS: "20", BENCH_ROUNDS: "1" },
  },
  {
    name: "gitops",
    title: "GitOps",
    about:
      "This benchmark measures the time for validating, planning and editing a definition, the time from a push hook to the active definition, and the time for replaying deliveries.",
    small: { ...SMALL, BENCH_AUTOMATIONS: "20", BENCH_DELIVERIES: "200", BENCH_FILTERS: "5" },
  },
  {
    name: "dashboard",
    title: "Dashboard",
    about:
      "This benchmark measures the first visit with a new browser, until the page shows its data and responds to clicks.",
    small: { BENCH_ROUNDS: "1", BENCH_RUNS: "5" },
  },
  ...["none", "bwrap"].map((sandbox) => ({
    name: "runs",
    title: `Runs, sandbox ${sandbox}`,
    about:
      "This benchmark measures how soon agents start, how many short runs are completed per second, and how much runs that write output slow down the ingress.",
    env: { BENCH_SANDBOX: sandbox },
    small: { BENCH_ROUNDS: "1", BENCH_STARTS: "8", BENCH_QUEUED: "50" },
  })),
  {
    name: "fair-queue",
    title: "Fair queue",
    about:
      "This benchmark measures how long claims take while many runs of many factories wait, on both databases, and how soon the result of a quiet factory's run is there while another factory floods the server.",
    small: {
      BENCH_WAITING: "2000",
      BENCH_FACTORIES: "20",
      BENCH_CLAIMS: "20",
      BENCH_QUIET: "3",
      BENCH_FLOOD: "20",
    },
  },
  {
    name: "setup",
    title: "Setup of environments",
    about:
      "This benchmark measures how long a run waits for `npm ci`: for the first time, and when the packages are restored from the snapshot of its environment.",
    small: { BENCH_ROUNDS: "1", BENCH_PACKAGES: "20" },
  },
  {
    name: "workers",
    title: "Workers",
    about:
      "This benchmark measures how much later agents start on a worker than on the server, and how much many workers and waiting runs slow down the ingress.",
    small: { ...SMALL, BENCH_STARTS: "4", BENCH_WORKERS: "20", BENCH_QUEUED: "100" },
  },
  {
    name: "network",
    title: "Limited networks",
    about:
      "This benchmark measures how much later an agent starts in a limited network, how fast it downloads through the network proxy, and how much memory the proxies of many runs take.",
    small: { BENCH_ROUNDS: "1", BENCH_STARTS: "4", BENCH_QUEUED: "10" },
  },
  {
    name: "servers",
    title: "Servers on PostgreSQL",
    about:
      "This benchmark measures deliveries per second on PostgreSQL: with one server, with one server whose database is a round trip of 3 ms away, and with three servers. It also measures how soon agents start there.",
    small: { ...SMALL, BENCH_STARTS: "4", BENCH_QUEUED: "100" },
  },
];

/** What the page has of a benchmark that was not run. */
export function notMeasured(benchmark) {
  const { title, about } = benchmark;
  return { title, about, command: commandOf(benchmark), outcome: "left out", reason: "not measured yet" };
}

/** Those with a command of their own; the others are in `bench/more`, behind one. */
const OWN_COMMANDS = ["start", "ingress", "api", "runs", "servers"];

export function commandOf({ name, env = {} }) {
  const prefix = Object.entries(env).map(([key, value]) => `${key}=${value} `);
  return `${prefix.join("")}npm run ${OWN_COMMANDS.includes(name) ? `bench:${name}` : `bench:more -- ${name}`}`;
}

/** The file of a benchmark. */
export function benchmarkFile({ name }) {
  return new URL(OWN_COMMANDS.includes(name) ? `../${name}.mjs` : `../more/${name}.mjs`, import.meta.url);
}
