import { activityModels } from "./admin/activity-models.ts";
import { activityPaths } from "./admin/activity-operations.ts";
import { adminModels } from "./admin/admin-models.ts";
import { adminPaths } from "./admin/admin-operations.ts";
import { serverModels } from "./admin/server-models.ts";
import { serverPaths } from "./admin/server-operations.ts";
import { reportModels } from "./agent/report-models.ts";
import { reportPaths } from "./agent/report-operations.ts";
import { agentModels } from "./agents/agent-models.ts";
import { agentPaths } from "./agents/agent-operations.ts";
import { identityModels } from "./agents/identity-models.ts";
import { scheduleModels } from "./agents/schedule-models.ts";
import { skillModels } from "./agents/skill-models.ts";
import { skillPaths } from "./agents/skill-operations.ts";
import { definitionStateModels, definitionStatePaths } from "./factories/definition-state-models.ts";
import { factoryDeletionModels, factoryDeletionPaths } from "./factories/factory-deletion-operations.ts";
import { factoryFileModels } from "./factories/factory-file-models.ts";
import { factoryFilePaths } from "./factories/factory-file-operations.ts";
import { factoryModels } from "./factories/factory-models.ts";
import { factoryPaths } from "./factories/factory-operations.ts";
import { managedModels } from "./factories/managed-models.ts";
import { managedPaths } from "./factories/managed-operations.ts";
import { pauseModels, pausePaths } from "./factories/pause-operations.ts";
import { planModels } from "./factories/plan-models.ts";
import { planPaths } from "./factories/plan-operations.ts";
import { revisionModels } from "./factories/revision-models.ts";
import { revisionPaths } from "./factories/revision-operations.ts";
import { factoryMetricsModels } from "./factory-metrics/factory-metrics-models.ts";
import { factoryMetricsPaths } from "./factory-metrics/factory-metrics-operations.ts";
import { pullRequestModels } from "./factory-metrics/pull-request-models.ts";
import type { OperationId } from "./http/endpoint.ts";
import { errorModel } from "./http/error-model.ts";
import type { Operation, Paths } from "./http/operation.ts";
import { requestModels } from "./http/request-models.ts";
import { notificationModels, notificationPaths } from "./notifications/notification-operations.ts";
import { oidcModels } from "./oidc/oidc-models.ts";
import { oidcPaths } from "./oidc/oidc-operations.ts";
import { outboundModels } from "./outbound/outbound-models.ts";
import { outboundPaths } from "./outbound/outbound-operations.ts";
import { configModels } from "./runs/config-models.ts";
import { conversationModels } from "./runs/conversation/conversation-models.ts";
import { conversationPaths } from "./runs/conversation/conversation-operations.ts";
import { timelineModels } from "./runs/conversation/timeline-models.ts";
import { treeModels } from "./runs/family/tree-models.ts";
import { waitModels, waitPaths } from "./runs/family/wait-operations.ts";
import { artifactModels } from "./runs/output/artifact-models.ts";
import { artifactPaths } from "./runs/output/artifact-operations.ts";
import { runDeliveryModels } from "./runs/output/run-deliveries.ts";
import { runDeliveryPaths } from "./runs/output/run-delivery-operations.ts";
import { networkModels } from "./runs/output/run-network.ts";
import { stepModels } from "./runs/output/step-models.ts";
import { usageModels } from "./runs/output/usage-models.ts";
import { runModels } from "./runs/run-models.ts";
import { runPaths } from "./runs/run-operations.ts";
import { runSummaryModels, runSummaryPaths } from "./runs/run-summary-models.ts";
import { dispatchModels } from "./runs/start/dispatch-models.ts";
import { dispatchPaths } from "./runs/start/dispatch-operations.ts";
import { runAgainModels } from "./runs/start/run-again-models.ts";
import { runAgainPaths } from "./runs/start/run-again-operations.ts";
import { taskModels } from "./tasks/task-models.ts";
import { taskPaths } from "./tasks/task-operations.ts";
import { usageReportModels } from "./usage/usage-models.ts";
import { usageReportPaths } from "./usage/usage-operations.ts";
import { deliveryModels } from "./webhooks/delivery-models.ts";
import { deliveryPaths } from "./webhooks/delivery-operations.ts";
import { deliveryTestModels, deliveryTestPaths } from "./webhooks/delivery-test-operations.ts";
import { previousSecretModels } from "./webhooks/previous-secret-model.ts";
import { webhookTrafficModels, webhookTrafficPaths } from "./webhooks/webhook-traffic-models.ts";
import { workerDemandModels, workerDemandPaths } from "./workers/demand-operations.ts";
import { workerModels } from "./workers/worker-models.ts";
import { workerPaths } from "./workers/worker-operations.ts";

export const API_PREFIX = "/api/v1";

/** Every path below the prefix. */
export const paths: Paths = joinPaths([
  runPaths,
  runAgainPaths,
  waitPaths,
  reportPaths,
  oidcPaths,
  artifactPaths,
  runDeliveryPaths,
  conversationPaths,
  skillPaths,
  agentPaths,
  dispatchPaths,
  taskPaths,
  factoryPaths,
  managedPaths,
  factoryDeletionPaths,
  revisionPaths,
  definitionStatePaths,
  planPaths,
  pausePaths,
  notificationPaths,
  outboundPaths,
  // Before the workers by their ids, of which `demand` is none.
  workerDemandPaths,
  workerPaths,
  factoryFilePaths,
  adminPaths,
  serverPaths,
  activityPaths,
  webhookTrafficPaths,
  runSummaryPaths,
  usageReportPaths,
  factoryMetricsPaths,
  deliveryPaths,
  deliveryTestPaths,
]);

/** What is read and what is changed at a path may be described apart. */
function joinPaths(parts: readonly Paths[]): Paths {
  const joined: Paths = {};
  for (const part of parts) {
    for (const [path, item] of Object.entries(part)) joined[path] = { ...joined[path], ...item };
  }
  return joined;
}

export const models = {
  ...runModels,
  ...treeModels,
  ...waitModels,
  ...timelineModels,
  ...runAgainModels,
  ...usageModels,
  ...runDeliveryModels,
  ...networkModels,
  ...reportModels,
  ...oidcModels,
  ...artifactModels,
  ...skillModels,
  ...conversationModels,
  ...stepModels,
  ...configModels,
  ...agentModels,
  ...identityModels,
  ...scheduleModels,
  ...requestModels,
  ...dispatchModels,
  ...taskModels,
  ...factoryModels,
  ...managedModels,
  ...factoryDeletionModels,
  ...revisionModels,
  ...definitionStateModels,
  ...planModels,
  ...pauseModels,
  ...notificationModels,
  ...outboundModels,
  ...workerModels,
  ...workerDemandModels,
  ...factoryFileModels,
  ...adminModels,
  ...serverModels,
  ...activityModels,
  ...webhookTrafficModels,
  ...runSummaryModels,
  ...usageReportModels,
  ...factoryMetricsModels,
  ...pullRequestModels,
  ...previousSecretModels,
  ...deliveryModels,
  ...deliveryTestModels,
  ...errorModel,
};

/** The description of the API: requests are validated by it, and the types of the client are made from it. */
export function openApiDocument(publicUrl: string): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "millrace",
      version: "1",
      description: "Manage agent runs and the factories whose webhooks start them.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl + API_PREFIX }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: models,
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key, or the token of a run." },
      },
    },
  };
}

/** An operation with the place where it is called. */
export interface PlacedOperation<Id extends OperationId = OperationId> {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  operation: Operation<Id>;
}

/** Every operation, in the order of the description. */
export function listOperations(): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [PlacedOperation["method"], Operation][]).map(([method, operation]) => {
      return { method, path, operation };
    }),
  );
}
