import type { Router } from "express";
import type { Paths, PlacedOperation } from "./http/operation.ts";
import { activityModels, runSummaryModels, webhookTrafficModels } from "./models/activity.ts";
import { reportModels, treeModels, waitModels } from "./models/agent-reports.ts";
import { agentModels, identityModels, scheduleModels, skillModels } from "./models/agents.ts";
import { conversationModels, timelineModels } from "./models/conversations.ts";
import { deliveryModels, deliveryTestModels, previousSecretModels } from "./models/deliveries.ts";
import { errorModel } from "./models/errors.ts";
import {
  definitionStateModels,
  dispatchModels,
  factoryDeletionModels,
  factoryModels,
  pauseModels,
} from "./models/factories.ts";
import { factoryMetricsModels, pullRequestModels, usageReportModels } from "./models/insight.ts";
import { managedModels } from "./models/managed-factories.ts";
import { inboxModels, notificationModels, outboundModels } from "./models/messages.ts";
import { factoryFileModels, planModels, revisionModels } from "./models/revisions.ts";
import { artifactModels, stepModels, usageModels } from "./models/run-output.ts";
import { requestModels, runAgainModels } from "./models/run-requests.ts";
import { configModels, runModels } from "./models/runs.ts";
import { adminModels, oidcModels, serverModels } from "./models/server.ts";
import { taskModels } from "./models/tasks.ts";
import { workerDemandModels, workerModels } from "./models/workers.ts";
import { FACTORY_OPERATIONS } from "./operations/factories.ts";
import { RUN_OPERATIONS } from "./operations/runs.ts";
import { SERVER_OPERATIONS } from "./operations/server.ts";
import { runDeliveryModels } from "./runs/run-deliveries.ts";
import { networkModels } from "./runs/run-usage.ts";

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
  ...inboxModels,
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

/**
 * `GET /api/v1/openapi.json`. Anybody may ask for it, and writing its text takes longer than all else of the request: that is
 * done once.
 */
export function openApiRoute(router: Router, publicUrl: () => string): void {
  let written: { url: string; text: Buffer } | undefined;
  router.get(`${API_PREFIX}/openapi.json`, (_request, response) => {
    const url = publicUrl();
    if (written?.url !== url) written = { url, text: Buffer.from(JSON.stringify(openApiDocument(url))) };
    response.type("json").send(written.text);
  });
}
