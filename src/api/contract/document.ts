import { adminModels } from "./admin-models.ts";
import { adminPaths } from "./admin-operations.ts";
import { agentModels } from "./agent-models.ts";
import { agentPaths } from "./agent-operations.ts";
import { artifactModels } from "./artifact-models.ts";
import { configModels } from "./config-models.ts";
import { conversationModels } from "./conversation-models.ts";
import { conversationPaths } from "./conversation-operations.ts";
import { definitionStateModels, definitionStatePaths } from "./definition-state.ts";
import { deliveryModels } from "./delivery-models.ts";
import { dispatchModels } from "./dispatch-models.ts";
import { dispatchPaths } from "./dispatch-operations.ts";
import { errorModel } from "./error-model.ts";
import { factoryDeletionModels, factoryDeletionPaths } from "./factory-deletion.ts";
import { factoryFileModels } from "./factory-file-models.ts";
import { factoryFilePaths } from "./factory-file-operations.ts";
import { factoryModels } from "./factory-models.ts";
import { factoryPaths } from "./factory-operations.ts";
import { identityModels } from "./identity-models.ts";
import { managedModels } from "./managed-models.ts";
import { managedPaths } from "./managed-operations.ts";
import type { Operation, Paths } from "./operation.ts";
import { pauseModels, pausePaths } from "./pauses.ts";
import { planModels } from "./plan-models.ts";
import { planPaths } from "./plan-operations.ts";
import { requestModels } from "./request-models.ts";
import { revisionModels } from "./revision-models.ts";
import { revisionPaths } from "./revision-operations.ts";
import { runModels } from "./run-models.ts";
import { runPaths } from "./run-operations.ts";
import { scheduleModels } from "./schedule-models.ts";
import { serverModels } from "./server-models.ts";
import { serverPaths } from "./server-operations.ts";
import { skillModels } from "./skill-models.ts";
import { skillPaths } from "./skill-operations.ts";
import { usageModels } from "./usage-models.ts";
import { webhookTrafficModels, webhookTrafficPaths } from "./webhook-traffic.ts";

export const API_PREFIX = "/api/v1";

/** Every path below the prefix. */
export const paths: Paths = joinPaths([
  runPaths,
  conversationPaths,
  skillPaths,
  agentPaths,
  dispatchPaths,
  factoryPaths,
  managedPaths,
  factoryDeletionPaths,
  revisionPaths,
  definitionStatePaths,
  planPaths,
  pausePaths,
  factoryFilePaths,
  adminPaths,
  serverPaths,
  webhookTrafficPaths,
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
  ...usageModels,
  ...artifactModels,
  ...skillModels,
  ...conversationModels,
  ...configModels,
  ...agentModels,
  ...identityModels,
  ...scheduleModels,
  ...requestModels,
  ...dispatchModels,
  ...factoryModels,
  ...managedModels,
  ...factoryDeletionModels,
  ...revisionModels,
  ...definitionStateModels,
  ...planModels,
  ...pauseModels,
  ...factoryFileModels,
  ...adminModels,
  ...serverModels,
  ...webhookTrafficModels,
  ...deliveryModels,
  ...errorModel,
};

/** The description of the API: requests are validated by it, and the types of the client are made from it. */
export function openApiDocument(publicUrl: string): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "millrace",
      version: "1",
      description: "Runs of agents, and the factories whose webhooks start them.",
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
export interface PlacedOperation {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  operation: Operation;
}

/** Every operation, in the order of the description. */
export function listOperations(): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [PlacedOperation["method"], Operation][]).map(([method, operation]) => {
      return { method, path, operation };
    }),
  );
}
