import { changeStore } from "./changes/change-store.ts";
import { deliveryStore } from "./deliveries/delivery-store.ts";
import { deliverySearchStore } from "./delivery-search/delivery-search-store.ts";
import { factoryDeletionStore } from "./factories/factory-deletion-store.ts";
import { factoryStore } from "./factories/factory-store.ts";
import { feedbackStore } from "./factories/feedback-store.ts";
import { gitObjectStore } from "./factories/git-object-store.ts";
import { factoryMetricsStore } from "./factory-metrics/factory-metrics-store.ts";
import { notificationStore } from "./outbox/notification-store.ts";
import { outboundStore } from "./outbox/outbound-store.ts";
import { pullRequestStore } from "./pull-requests/pull-request-store.ts";
import { runSummaryStore } from "./run-list/run-summaries.ts";
import { runStore } from "./run-store.ts";
import { activityStore } from "./runs/activity-store.ts";
import { artifactRowStore } from "./runs/artifact-row-store.ts";
import { holdStore } from "./runs/hold-store.ts";
import { runMaskStore, transcriptStore } from "./runs/transcript-store.ts";
import { spendStore } from "./spend/spend-store.ts";
import type { Database } from "./sqlite/database.ts";
import type { StoreCall } from "./store-call.ts";
import { auditStore } from "./tables/audit-store.ts";
import { environmentStore } from "./tables/environment-store.ts";
import { identityStore } from "./tables/identity-store.ts";
import { keyStore } from "./tables/key-store.ts";
import { pauseStore } from "./tables/pause-store.ts";
import { settingScopeStore } from "./tables/scope-rows.ts";
import { secretAnswerStore } from "./tables/secret-answer-store.ts";
import { secretStore } from "./tables/secret-store.ts";
import { healthStore, serverProcessStore } from "./tables/server-process-store.ts";
import { sessionStore } from "./tables/session-store.ts";
import { signingKeyStore } from "./tables/signing-key-store.ts";
import { taskStore } from "./tasks/task-store.ts";
import { scheduleStore } from "./triggers/schedule-store.ts";
import { triggerStore } from "./triggers/trigger-store.ts";
import { workerStore } from "./workers/worker-store.ts";

/** Every port that the store implements, and what makes it on a database connection. */
const PORTS = {
  secrets: secretStore,
  secretAnswers: secretAnswerStore,
  settingScopes: settingScopeStore,
  factories: factoryStore,
  factoryDeletions: factoryDeletionStore,
  gitObjects: gitObjectStore,
  deliveries: deliveryStore,
  deliverySearch: deliverySearchStore,
  runs: runStore,
  runSummaries: runSummaryStore,
  pauses: pauseStore,
  holds: holdStore,
  transcripts: transcriptStore,
  runMasks: runMaskStore,
  artifactRows: artifactRowStore,
  changes: changeStore,
  keys: keyStore,
  signingKeys: signingKeyStore,
  sessions: sessionStore,
  environments: environmentStore,
  identities: identityStore,
  schedules: scheduleStore,
  audit: auditStore,
  feedback: feedbackStore,
  health: healthStore,
  activity: activityStore,
  spend: spendStore,
  factoryMetrics: factoryMetricsStore,
  pullRequests: pullRequestStore,
  notifications: notificationStore,
  outbound: outboundStore,
  tasks: taskStore,
  triggers: triggerStore,
  workers: workerStore,
  servers: serverProcessStore,
} satisfies Record<string, (db: Database) => object>;

/**
 * The ports of the store. A method whose name starts with `find` or `list` reads; every other one writes, in one transaction that is
 * durable when the promise resolves.
 */
export type Store = { [Port in keyof typeof PORTS]: ReturnType<(typeof PORTS)[Port]> };

/** The ports on one database connection. */
export function createPorts(db: Database): Store {
  return eachPort((name) => PORTS[name](db));
}

/** Makes the ports out of a function that carries calls away; each property of a port is a method of that name. */
export function remotePorts(carry: (call: StoreCall) => Promise<unknown>): Store {
  return eachPort(
    (port) =>
      new Proxy(
        {},
        {
          // `then` is what `await` looks for: a port is not a promise.
          get: (_, method) =>
            typeof method === "string" && method !== "then"
              ? (...args: unknown[]) => carry({ port, method, args })
              : undefined,
        },
      ),
  );
}

function eachPort(make: (name: keyof Store) => object): Store {
  const names = Object.keys(PORTS) as (keyof Store)[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as unknown as Store;
}
