import { activityModels } from "./admin/activity-models.ts";
import { adminModels } from "./admin/admin-models.ts";
import { serverModels } from "./admin/server-models.ts";
import { reportModels } from "./agent/report-models.ts";
import { agentModels } from "./agents/agent-models.ts";
import { identityModels } from "./agents/identity-models.ts";
import { scheduleModels } from "./agents/schedule-models.ts";
import { skillModels } from "./agents/skill-models.ts";
import { definitionStateModels } from "./factories/definition-state-models.ts";
import { factoryDeletionModels } from "./factories/factory-deletion-models.ts";
import { factoryFileModels } from "./factories/factory-file-models.ts";
import { factoryModels } from "./factories/factory-models.ts";
import { managedModels } from "./factories/managed-models.ts";
import { pauseModels } from "./factories/pause-models.ts";
import { planModels } from "./factories/plan-models.ts";
import { revisionModels } from "./factories/revision-models.ts";
import { factoryMetricsModels } from "./factory-metrics/factory-metrics-models.ts";
import { pullRequestModels } from "./factory-metrics/pull-request-models.ts";
import { errorModel } from "./http/error-model.ts";
import type { Paths, PlacedOperation } from "./http/operation.ts";
import { requestModels } from "./http/request-models.ts";
import { notificationModels } from "./notifications/notification-models.ts";
import { oidcModels } from "./oidc/oidc-models.ts";
import { FACTORY_OPERATIONS } from "./operations/factories.ts";
import { RUN_OPERATIONS } from "./operations/runs.ts";
import { SERVER_OPERATIONS } from "./operations/server.ts";
import { outboundModels } from "./outbound/outbound-models.ts";
import { configModels } from "./runs/config-models.ts";
import { conversationModels } from "./runs/conversation/conversation-models.ts";
import { timelineModels } from "./runs/conversation/timeline-models.ts";
import { treeModels } from "./runs/family/tree-models.ts";
import { waitModels } from "./runs/family/wait-models.ts";
import { artifactModels } from "./runs/output/artifact-models.ts";
import { runDeliveryModels } from "./runs/output/run-deliveries.ts";
import { networkModels } from "./runs/output/run-network.ts";
import { stepModels } from "./runs/output/step-models.ts";
import { usageModels } from "./runs/output/usage-models.ts";
import { runModels } from "./runs/run-models.ts";
import { runSummaryModels } from "./runs/run-summary-models.ts";
import { dispatchModels } from "./runs/start/dispatch-models.ts";
import { runAgainModels } from "./runs/start/run-again-models.ts";
import { taskModels } from "./tasks/task-models.ts";
import { usageReportModels } from "./usage/usage-models.ts";
import { deliveryModels } from "./webhooks/delivery-models.ts";
import { deliveryTestModels } from "./webhooks/delivery-test-models.ts";
import { previousSecretModels } from "./webhooks/previous-secret-model.ts";
import { webhookTrafficModels } from "./webhooks/webhook-traffic-models.ts";
import { workerDemandModels } from "./workers/demand-models.ts";
import { workerModels } from "./workers/worker-models.ts";

export const API_PREFIX = "/api/v1";

/** Every operation, in the order of the description and of the routes. */
const OPERATIONS: readonly PlacedOperation[] = [
  ...RUN_OPERATIONS,
  ...FACTORY_OPERATIONS,
  ...SERVER_OPERATIONS,
];

/** Every path below the prefix. */
const paths: Paths = {};
for (const { path, method, operation } of OPERATIONS) paths[path] = { ...paths[path], [method]: operation };

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

export function listOperations(): readonly PlacedOperation[] {
  return OPERATIONS;
}
