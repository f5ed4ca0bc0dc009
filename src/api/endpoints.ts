import { type ActivityDeps, activityEndpoints } from "./admin/activity.ts";
import { type AuditLogDeps, auditLogEndpoints } from "./admin/audit-log.ts";
import type { AuditedDeps } from "./admin/audited.ts";
import { type EventDeps, eventEndpoints } from "./admin/events.ts";
import type { HealthDeps } from "./admin/health.ts";
import { type KeyDeps, keyEndpoints } from "./admin/keys.ts";
import type { MetricsDeps } from "./admin/metrics.ts";
import { type SecretDeps, secretEndpoints } from "./admin/secrets.ts";
import {
  type ServerListDeps,
  type SettingDeps,
  serverEndpoints,
  settingEndpoints,
  type WhoamiDeps,
  whoamiEndpoints,
} from "./admin/servers.ts";
import type { SessionRouteDeps } from "./admin/session-routes.ts";
import type { WellKnownDeps } from "./admin/well-known-routes.ts";
import { type AgentEndpointDeps, agentEndpoints } from "./agent/agent-endpoints.ts";
import {
  type EnvironmentDeps,
  environmentEndpoints,
  type RunnerDeps,
  runnerEndpoints,
} from "./agents/environments.ts";
import { type IdentityDeps, identityEndpoints } from "./agents/identities.ts";
import { type ScheduleDeps, scheduleEndpoints } from "./agents/schedules.ts";
import { type SkillDeps, skillEndpoints } from "./agents/skills.ts";
import { type AutomationDeps, automationEndpoints } from "./factories/automations.ts";
import { dispatchEndpoints } from "./factories/dispatch.ts";
import { type FactoryMakerDeps, factoryEndpoints } from "./factories/factories.ts";
import {
  openValidation,
  schemaEndpoints,
  type ValidationDeps,
  validationEndpoints,
} from "./factories/factory-files.ts";
import { fileEditEndpoints } from "./factories/file-edits.ts";
import { type PauseDeps, pauseEndpoints } from "./factories/pauses.ts";
import { type PlanDeps, planEndpoints } from "./factories/plans.ts";
import { definitionStateEndpoints, type RevisionDeps, revisionEndpoints } from "./factories/revisions.ts";
import { type TaskDeps, taskEndpoints } from "./factories/tasks.ts";
import type { AuthorizeDeps } from "./http/authorize.ts";
import type { Endpoints } from "./http/endpoint.ts";
import type { OpenCalls } from "./http/open-calls.ts";
import type { OpenDeps, OpenEndpoints } from "./http/open-endpoint.ts";
import type { RespondDeps } from "./http/respond.ts";
import { type FactoryMetricsDeps, factoryMetricsEndpoints } from "./insight/factory-metrics.ts";
import { type UsageDeps, usageEndpoints } from "./insight/usage.ts";
import type { McpDeps } from "./mcp/mcp-route.ts";
import { type ExplainOutboundDeps, explainOutboundEndpoints } from "./messages/explain-outbound.ts";
import { type InboxDeps, inboxEndpoints } from "./messages/inbox.ts";
import { type NotificationDeps, notificationEndpoints } from "./messages/notifications.ts";
import { type OutboundSecretDeps, outboundEndpoints, outboundSecretEndpoints } from "./messages/outbound.ts";
import {
  type ArtifactDeps,
  artifactEndpoints,
  artifactLinkEndpoints,
  runFileEndpoints,
} from "./runs/artifacts.ts";
import { conversationEndpoints, conversationLinkEndpoints } from "./runs/conversations.ts";
import type { RunDeps } from "./runs/find-run.ts";
import { runActionEndpoints } from "./runs/run-actions.ts";
import { runDeliveryEndpoints } from "./runs/run-deliveries.ts";
import { runNetworkEndpoints } from "./runs/run-usage.ts";
import { runEndpoints } from "./runs/runs.ts";
import { type WaitDeps, waitEndpoints } from "./runs/wait-for-runs.ts";
import { type DeletionDeps, deletionEndpoints } from "./webhooks/deletions.ts";
import { deliveryEndpoints } from "./webhooks/deliveries.ts";
import { type DeliveryActionDeps, deliveryActionEndpoints } from "./webhooks/delivery-actions.ts";
import { type TestDeliveryDeps, testDeliveryEndpoints } from "./webhooks/test-deliveries.ts";
import { type WebhookEditDeps, webhookEditEndpoints } from "./webhooks/webhook-edits.ts";
import {
  type WebhookDeps,
  type WebhookTrafficDeps,
  webhookEndpoints,
  webhookTrafficEndpoints,
} from "./webhooks/webhooks.ts";
import type { DoorDeps } from "./workers/door-routes.ts";
import {
  type WorkerDemandDeps,
  type WorkerEndpointDeps,
  workerDemandEndpoints,
  workerEndpoints,
} from "./workers/workers.ts";

export type ApiDeps = RespondDeps &
  AuthorizeDeps &
  HealthDeps &
  MetricsDeps &
  RunDeps &
  AgentEndpointDeps &
  WaitDeps &
  TaskDeps &
  ArtifactDeps &
  EventDeps &
  EnvironmentDeps &
  IdentityDeps &
  ScheduleDeps &
  FactoryMakerDeps &
  RevisionDeps &
  PlanDeps &
  PauseDeps &
  InboxDeps &
  NotificationDeps &
  ExplainOutboundDeps &
  OutboundSecretDeps &
  WorkerEndpointDeps &
  WorkerDemandDeps &
  UsageDeps &
  FactoryMetricsDeps &
  WebhookDeps &
  WebhookEditDeps &
  WebhookTrafficDeps &
  DeliveryActionDeps &
  TestDeliveryDeps &
  AutomationDeps &
  SecretDeps &
  SkillDeps &
  KeyDeps &
  AuditLogDeps &
  AuditedDeps &
  WellKnownDeps &
  WhoamiDeps &
  ActivityDeps &
  SettingDeps &
  ServerListDeps &
  RunnerDeps &
  DeletionDeps &
  SessionRouteDeps &
  ValidationDeps &
  McpDeps &
  DoorDeps &
  OpenDeps & { openCalls: OpenCalls };

/** All operations of the description: those that need a key, and those that do not. What is described and done by none is a type error here. */
export function apiEndpoints(deps: ApiDeps): { endpoints: Endpoints; open: OpenEndpoints } {
  const endpoints = {
    ...runEndpoints(deps),
    ...runActionEndpoints(deps),
    ...runFileEndpoints(deps),
    ...conversationEndpoints(deps),
    ...deletionEndpoints(deps),
    ...agentEndpoints(deps),
    ...waitEndpoints(deps),
    ...usageEndpoints(deps),
    ...factoryMetricsEndpoints(deps),
    ...runDeliveryEndpoints(deps),
    ...runNetworkEndpoints(deps),
    ...artifactEndpoints(deps),
    ...dispatchEndpoints(deps),
    ...taskEndpoints(deps),
    ...eventEndpoints(deps),
    ...environmentEndpoints(deps),
    ...identityEndpoints(deps),
    ...scheduleEndpoints(deps),
    ...factoryEndpoints(deps),
    ...revisionEndpoints(deps),
    ...definitionStateEndpoints(deps),
    ...planEndpoints(deps),
    ...pauseEndpoints(deps),
    ...inboxEndpoints(deps),
    ...notificationEndpoints(deps),
    ...outboundEndpoints(deps),
    ...explainOutboundEndpoints(deps),
    ...outboundSecretEndpoints(deps),
    ...workerEndpoints(deps),
    ...workerDemandEndpoints(deps),
    ...webhookEndpoints(deps),
    ...webhookEditEndpoints(deps),
    ...webhookTrafficEndpoints(deps),
    ...fileEditEndpoints(deps),
    ...deliveryEndpoints(deps),
    ...deliveryActionEndpoints(deps),
    ...testDeliveryEndpoints(deps),
    ...automationEndpoints(deps),
    ...secretEndpoints(deps),
    ...skillEndpoints(deps),
    ...keyEndpoints(deps),
    ...auditLogEndpoints(deps),
    ...whoamiEndpoints(deps),
    ...activityEndpoints(deps),
    ...settingEndpoints(deps),
    ...serverEndpoints(deps),
    ...runnerEndpoints(deps),
    ...validationEndpoints(deps),
  };
  const open = {
    ...schemaEndpoints(),
    ...artifactLinkEndpoints(deps),
    ...conversationLinkEndpoints(),
  } satisfies OpenEndpoints;
  return {
    endpoints: endpoints satisfies Required<Omit<Endpoints, keyof typeof open>>,
    open: { ...open, ...(deps.config.publicValidate === "on" ? openValidation(deps) : {}) },
  };
}
