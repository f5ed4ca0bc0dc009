import { defineConfig } from "vitest/config";
import { everyTest, onPostgres, SHARED_SERVERS } from "./vitest.config.ts";

const MINUTE_MS = 60_000;
/** Many tests begin with a browser, a server and what fills its pages: a slow machine takes its time. */
const SLOW_MS = 2 * MINUTE_MS;

interface Needs {
  include?: string[];
  /** How long one of them may take. */
  patienceMs?: number;
  /** How long what they share may take to be made. */
  setUpMs?: number;
  maxWorkers?: number;
}

/** Of two cores: most of the time of stories is waiting for servers, agents and browsers. */
const SYSTEM_WORKERS = 5;

/** What `npm run test:system` runs of `npm run test:postgres`: the driver, the main ports, every operation of the API, and several servers. */
const SHORT_ON_POSTGRES = [
  "test/store/postgres/{explained-statements,open-postgres,postgres-password,postgres-tls}.postgres.ts",
  "test/store/{changes,deliveries,factories,tables}/*.{test,system}.ts",
  "test/store/runs/run-{caps,store,turns}.{test,system}.ts",
  "test/api/runs/conformance.{test,system}.ts",
  "test/server/several-servers.postgres.ts",
];

const proofsIn = (folder: string) => `test/${folder}/**/*.proof.ts`;

/** Proofs that have a command of their own, since they need more than `npm test` does: programs, or time. */
function proofs(
  name: string,
  { include = [proofsIn(name)], patienceMs = 2 * MINUTE_MS, setUpMs, maxWorkers = 1 }: Needs = {},
) {
  return {
    test: {
      name,
      include,
      allowOnly: false,
      globalSetup: ["test/given/build.ts"],
      testTimeout: patienceMs,
      hookTimeout: setUpMs ?? patienceMs,
      // One engine, proxy or model after the other: each has storage, ports and limits of its own.
      maxWorkers,
    },
  };
}

export default defineConfig({
  test: {
    slowTestThreshold: everyTest.slowTestThreshold,
    projects: [
      proofs("agents"),
      // The journeys are those of `npm test` and `npm run test:system`.
      proofs("binary", {
        include: [proofsIn("binary"), "test/journey/**/*.{test,system,story}.ts"],
        patienceMs: MINUTE_MS / 2,
        maxWorkers: 2,
      }),
      proofs("containers"),
      proofs("deploy", { patienceMs: MINUTE_MS }),
      // A machine boots in seconds with /dev/kvm, and in minutes without; its disk is made once.
      proofs("machine", { patienceMs: 5 * MINUTE_MS, setUpMs: 15 * MINUTE_MS }),
      // `npm run test:system`: the next three lie next to the tests of their subjects, and run as they do.
      {
        test: {
          ...everyTest,
          name: "system",
          include: ["test/**/*.system.ts"],
          env: SHARED_SERVERS,
          testTimeout: SLOW_MS,
          maxWorkers: SYSTEM_WORKERS,
        },
      },
      { test: { ...onPostgres(SHORT_ON_POSTGRES), maxWorkers: SYSTEM_WORKERS } },
      {
        test: {
          ...everyTest,
          name: "stories",
          include: ["test/**/*.story.ts"],
          testTimeout: SLOW_MS,
          hookTimeout: SLOW_MS,
          maxWorkers: SYSTEM_WORKERS,
        },
      },
      // The image takes minutes to build.
      proofs("image", { patienceMs: 3 * MINUTE_MS, setUpMs: 30 * MINUTE_MS }),
      // `npm run proof`, whose parts take as long as they are told to.
      {
        test: {
          name: "harm",
          include: ["proof/*.proof.ts"],
          allowOnly: false,
          testTimeout: 0,
          hookTimeout: MINUTE_MS,
          maxWorkers: 1,
        },
      },
    ],
  },
});
