import type { ActivityStore } from "../api/admin/activity.ts";
import type { ChangeStore } from "../api/admin/audited.ts";
import type { HealthStore } from "../api/admin/health.ts";
import type { SecretAnswerStore } from "../api/http/secret-answer-record.ts";
import type { FeedbackStore } from "../feedback/feedback.ts";
import type { GitObjectStore } from "../git/managed/managed-branch.ts";
import type { DeliveryStore } from "../ingress/delivery.ts";
import type { FactoryMetricsStore } from "../insight/factory-metrics-store.ts";
import type { PullRequestStore } from "../insight/pull-request.ts";
import type { SpendStore } from "../insight/usage.ts";
import type { NotificationStore } from "../notifications/notification.ts";
import type { SigningKeyStore } from "../oidc/signing-key.ts";
import type { OutboundStore } from "../outbound-webhooks/outbound-event.ts";
import type { AuditStore } from "../principals/audit.ts";
import type { KeyStore } from "../principals/principal.ts";
import type { SessionStore } from "../principals/session.ts";
import type { FactoryDeletionStore, FactoryStore } from "../reconcile/factory.ts";
import type { IdentityStore } from "../runs/agents/agent-identity.ts";
import type { EnvironmentStore } from "../runs/agents/cloud-environment.ts";
import type { ArtifactRowStore } from "../runs/output/artifact-rows.ts";
import type { RunMaskStore } from "../runs/output/run-masks.ts";
import type { TranscriptStore } from "../runs/output/transcript.ts";
import type { PauseStore } from "../runs/rules/pause.ts";
import type { RunSummaryStore } from "../runs/run-query.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { ScheduleStore } from "../schedules/schedule.ts";
import type { SecretStore } from "../secrets/secret.ts";
import type { SettingScopeStore } from "../secrets/setting-scopes.ts";
import type { TaskStore } from "../tasks/task.ts";
import type { TriggerStore } from "../triggers/factory-event.ts";
import type { ServerProcessStore } from "../workers/server-presence.ts";
import type { WorkerStore } from "../workers/worker.ts";
import { deliveryStore } from "./deliveries/delivery-store.ts";
import { type DeliverySearchStore, deliverySearchStore } from "./delivery-search/delivery-search-store.ts";
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
import { runMaskStore, transcriptStore } from "./runs/transcript-store.ts";
import { spendStore } from "./spend/spend-store.ts";
import type { Database } from "./sqlite/database.ts";
import type { StoreCall } from "./store-call.ts";
import { auditStore } from "./tables/audit-store.ts";
import { changeStore } from "./tables/change-store.ts";
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

/**
 * Every port that the store implements. A method whose name starts with `find` or `list` reads; every other one writes,
 * in one transaction that is durable when the promise resolves.
 */
export interface Store {
  secrets: SecretStore;
  secretAnswers: SecretAnswerStore;
  settingScopes: SettingScopeStore;
  factories: FactoryStore;
  factoryDeletions: FactoryDeletionStore;
  gitObjects: GitObjectStore;
  deliveries: DeliveryStore;
  deliverySearch: DeliverySearchStore;
  runs: RunStore;
  runSummaries: RunSummaryStore;
  pauses: PauseStore;
  transcripts: TranscriptStore;
  runMasks: RunMaskStore;
  artifactRows: ArtifactRowStore;
  changes: ChangeStore;
  keys: KeyStore;
  signingKeys: SigningKeyStore;
  sessions: SessionStore;
  environments: EnvironmentStore;
  identities: IdentityStore;
  schedules: ScheduleStore;
  audit: AuditStore;
  feedback: FeedbackStore;
  health: HealthStore;
  activity: ActivityStore;
  spend: SpendStore;
  factoryMetrics: FactoryMetricsStore;
  pullRequests: PullRequestStore;
  notifications: NotificationStore;
  outbound: OutboundStore;
  tasks: TaskStore;
  triggers: TriggerStore;
  workers: WorkerStore;
  servers: ServerProcessStore;
}

/** The ports on one database connection. */
export function createPorts(db: Database): Store {
  return {
    secrets: secretStore(db),
    secretAnswers: secretAnswerStore(db),
    settingScopes: settingScopeStore(db),
    factories: factoryStore(db),
    factoryDeletions: factoryDeletionStore(db),
    gitObjects: gitObjectStore(db),
    deliveries: deliveryStore(db),
    deliverySearch: deliverySearchStore(db),
    runs: runStore(db),
    runSummaries: runSummaryStore(db),
    pauses: pauseStore(db),
    transcripts: transcriptStore(db),
    runMasks: runMaskStore(db),
    artifactRows: artifactRowStore(db),
    changes: changeStore(db),
    keys: keyStore(db),
    signingKeys: signingKeyStore(db),
    sessions: sessionStore(db),
    environments: environmentStore(db),
    identities: identityStore(db),
    schedules: scheduleStore(db),
    audit: auditStore(db),
    feedback: feedbackStore(db),
    health: healthStore(db),
    activity: activityStore(db),
    spend: spendStore(db),
    factoryMetrics: factoryMetricsStore(db),
    pullRequests: pullRequestStore(db),
    notifications: notificationStore(db),
    outbound: outboundStore(db),
    tasks: taskStore(db),
    triggers: triggerStore(db),
    workers: workerStore(db),
    servers: serverProcessStore(db),
  };
}

/** Makes a port out of a function that carries calls away; each property is a method of that name. */
export function remotePorts(carry: (call: StoreCall) => Promise<unknown>): Store {
  const port = <Port extends object>(name: keyof Store): Port =>
    new Proxy({} as Port, {
      // `then` is what `await` looks for: a port is not a promise.
      get: (_, method) =>
        typeof method === "string" && method !== "then"
          ? (...args: unknown[]) => carry({ port: name, method, args })
          : undefined,
    });
  return {
    secrets: port("secrets"),
    secretAnswers: port("secretAnswers"),
    settingScopes: port("settingScopes"),
    factories: port("factories"),
    factoryDeletions: port("factoryDeletions"),
    gitObjects: port("gitObjects"),
    deliveries: port("deliveries"),
    deliverySearch: port("deliverySearch"),
    runs: port("runs"),
    runSummaries: port("runSummaries"),
    pauses: port("pauses"),
    transcripts: port("transcripts"),
    runMasks: port("runMasks"),
    artifactRows: port("artifactRows"),
    changes: port("changes"),
    keys: port("keys"),
    signingKeys: port("signingKeys"),
    sessions: port("sessions"),
    environments: port("environments"),
    identities: port("identities"),
    schedules: port("schedules"),
    audit: port("audit"),
    feedback: port("feedback"),
    health: port("health"),
    activity: port("activity"),
    spend: port("spend"),
    factoryMetrics: port("factoryMetrics"),
    pullRequests: port("pullRequests"),
    notifications: port("notifications"),
    outbound: port("outbound"),
    tasks: port("tasks"),
    triggers: port("triggers"),
    workers: port("workers"),
    servers: port("servers"),
  };
}
