/** The least that a benchmark can be tried with. */
const SMALL = { BENCH_ROUNDS: "1", BENCH_SECONDS: "1" };

/** What `npm run bench` measures: each benchmark by the name of its file, with what makes it a trial that takes no time. */
export const BENCHMARKS = [
  {
    name: "start",
    title: "Start",
    about: "Time from the start of the process until it is ready, with an existing store.",
    small: { BENCH_ROUNDS: "1" },
  },
  {
    name: "ingress",
    title: "Ingress",
    about:
      "Deliveries a second as multiples of an Express route that answers 202 and does nothing else. Every accepted one is on disk before its answer.",
    small: SMALL,
  },
  {
    name: "ingress-stored",
    title: "Ingress with stored deliveries",
    about: "The cost of a full log for a new delivery.",
    small: { ...SMALL, BENCH_STORED: "2000" },
  },
  {
    name: "ingress-soak",
    title: "Ingress under continuous load",
    about: "Memory and rate over time.",
    small: { BENCH_MINUTES: "1" },
  },
  {
    name: "api",
    title: "Run API",
    about: "Pages of runs by every filter, single runs, and creations, with many runs stored.",
    small: { ...SMALL, BENCH_STORED: "2000" },
  },
  {
    name: "definitions",
    title: "Definitions",
    about:
      "A large repository: from a cold start, and with one changed file. The time of git itself is subtracted.",
    small: { BENCH_AUTOMATIONS: "20", BENCH_ROUNDS: "1" },
  },
  {
    name: "gitops",
    title: "GitOps",
    about:
      "Validating, planning, editing, the time from a push hook to the active definition, and replaying deliveries.",
    small: { ...SMALL, BENCH_AUTOMATIONS: "20", BENCH_DELIVERIES: "200", BENCH_FILTERS: "5" },
  },
  {
    name: "dashboard",
    title: "Dashboard",
    about: "The first visit of a new browser, until data is shown and a click works.",
    small: { BENCH_ROUNDS: "1", BENCH_RUNS: "5" },
  },
  ...["none", "bwrap"].map((sandbox) => ({
    name: "runs",
    title: `Runs, sandbox ${sandbox}`,
    about:
      "How soon agents start, the number of short runs in a second, and the effect of runs that write on the ingress.",
    env: { BENCH_SANDBOX: sandbox },
    small: { BENCH_ROUNDS: "1", BENCH_STARTS: "8", BENCH_QUEUED: "50" },
  })),
];
