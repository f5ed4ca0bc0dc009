import express, { type Express, type NextFunction, type Request, type Response, type Router } from "express";
import helmet from "helmet";
import { MillraceError } from "../error.ts";
import { type ActivityParts, activityEndpoints } from "./activity.ts";
import { ANSWER_HEADERS } from "./answer-headers.ts";
import { type ArtifactParts, artifactEndpoints, artifactLinkEndpoints } from "./artifacts.ts";
import { type AuditLogParts, auditLogEndpoints } from "./audit-log.ts";
import { type AuditedParts, audited } from "./audited.ts";
import {
  type AuthorizeParts,
  authenticateCaller,
  carriesCredential,
  isStillAdmitted,
  requireRole,
} from "./authorize.ts";
import { type AutomationParts, automationEndpoints } from "./automations.ts";
import { API_PREFIX, listOperations, openApiDocument, type PlacedOperation } from "./contract/document.ts";
import { conversationEndpoints, conversationLinkEndpoints } from "./conversations.ts";
import { dashboardRoutes } from "./dashboard-files.ts";
import { definitionStateEndpoints } from "./definition-state.ts";
import { type DeletionParts, deletionEndpoints } from "./deletions.ts";
import { type DeliveryParts, deliveryEndpoints } from "./deliveries.ts";
import { type DeliveryActionParts, deliveryActionEndpoints } from "./delivery-actions.ts";
import { dispatchEndpoints } from "./dispatch.ts";
import type { ApiRequest, Endpoint, Endpoints } from "./endpoint.ts";
import { type EnvironmentParts, environmentEndpoints } from "./environments.ts";
import { errorPagesRoute } from "./error-pages.ts";
import { type EventParts, eventEndpoints } from "./events.ts";
import { type FactoryMakerParts, factoryEndpoints } from "./factories.ts";
import {
  openValidation,
  schemaEndpoints,
  type ValidationParts,
  validationEndpoints,
} from "./factory-files.ts";
import { fileEditEndpoints } from "./file-edits.ts";
import { type HealthParts, healthRoutes } from "./health.ts";
import { type IdentityParts, identityEndpoints } from "./identities.ts";
import { type KeyParts, keyEndpoints } from "./keys.ts";
import { type MetricsParts, metricsRoute } from "./metrics.ts";
import { type OpenEndpoints, type OpenParts, openHandler } from "./open-endpoint.ts";
import { type PauseParts, pauseEndpoints } from "./pauses.ts";
import { type PlanParts, planEndpoints } from "./plans.ts";
import { type RespondParts, sendErrors, sendReply } from "./respond.ts";
import { type RevisionParts, revisionEndpoints } from "./revisions.ts";
import { runActionEndpoints } from "./run-actions.ts";
import { runFileEndpoints } from "./run-files.ts";
import type { RunParts } from "./run-parts.ts";
import { type RunReportParts, runReportEndpoints } from "./run-reports.ts";
import { runUsageEndpoints } from "./run-usage.ts";
import { type RunnerParts, runnerEndpoints } from "./runners.ts";
import { runEndpoints } from "./runs.ts";
import { type ScheduleParts, scheduleEndpoints } from "./schedules.ts";
import { type SecretParts, secretEndpoints } from "./secrets.ts";
import { type SessionRouteParts, sessionRoutes } from "./session-routes.ts";
import { type SettingParts, settingEndpoints } from "./settings.ts";
import { type SkillParts, skillEndpoints } from "./skills.ts";
import { type TestDeliveryParts, testDeliveryEndpoints } from "./test-deliveries.ts";
import { requestCheck } from "./validate-request.ts";
import { type WebhookEditParts, webhookEditEndpoints } from "./webhook-edits.ts";
import { type WebhookTrafficParts, webhookTrafficEndpoints } from "./webhook-traffic.ts";
import { type WebhookParts, webhookEndpoints } from "./webhooks.ts";
import { type WhoamiParts, whoamiEndpoints } from "./whoami.ts";

export type ApiParts = RespondParts &
  AuthorizeParts &
  HealthParts &
  MetricsParts &
  RunParts &
  RunReportParts &
  ArtifactParts &
  EventParts &
  EnvironmentParts &
  IdentityParts &
  ScheduleParts &
  FactoryMakerParts &
  RevisionParts &
  PlanParts &
  PauseParts &
  WebhookParts &
  WebhookEditParts &
  WebhookTrafficParts &
  DeliveryParts &
  DeliveryActionParts &
  TestDeliveryParts &
  AutomationParts &
  SecretParts &
  SkillParts &
  KeyParts &
  AuditLogParts &
  AuditedParts &
  WhoamiParts &
  ActivityParts &
  SettingParts &
  RunnerParts &
  DeletionParts &
  SessionRouteParts &
  ValidationParts &
  OpenParts;

/** The API with its health checks and pages. Every operation of its description has an endpoint here, and no other. */
export function createApi(parts: ApiParts): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(helmet(ANSWER_HEADERS));
  healthRoutes(app, parts);
  metricsRoute(app, parts);
  sessionRoutes(app, parts);
  errorPagesRoute(app);
  app.get(`${API_PREFIX}/openapi.json`, (_request, response) => {
    response.json(openApiDocument(parts.publicUrl()));
  });
  app.use(API_PREFIX, apiRouter(parts));
  dashboardRoutes(app, parts.publicUrl);
  app.use(() => {
    throw new MillraceError("resource_not_found", "There is nothing at this path.");
  });
  app.use(sendErrors(parts));
  return app;
}

function apiRouter(parts: ApiParts): Router {
  const endpoints: Endpoints = {
    ...runEndpoints(parts),
    ...runActionEndpoints(parts),
    ...runFileEndpoints(parts),
    ...conversationEndpoints(parts),
    ...deletionEndpoints(parts),
    ...runReportEndpoints(parts),
    ...runUsageEndpoints(parts),
    ...artifactEndpoints(parts),
    ...dispatchEndpoints(parts),
    ...eventEndpoints(parts),
    ...environmentEndpoints(parts),
    ...identityEndpoints(parts),
    ...scheduleEndpoints(parts),
    ...factoryEndpoints(parts),
    ...revisionEndpoints(parts),
    ...definitionStateEndpoints(parts),
    ...planEndpoints(parts),
    ...pauseEndpoints(parts),
    ...webhookEndpoints(parts),
    ...webhookEditEndpoints(parts),
    ...webhookTrafficEndpoints(parts),
    ...fileEditEndpoints(parts),
    ...deliveryEndpoints(parts),
    ...deliveryActionEndpoints(parts),
    ...testDeliveryEndpoints(parts),
    ...automationEndpoints(parts),
    ...secretEndpoints(parts),
    ...skillEndpoints(parts),
    ...keyEndpoints(parts),
    ...auditLogEndpoints(parts),
    ...whoamiEndpoints(parts),
    ...activityEndpoints(parts),
    ...settingEndpoints(parts),
    ...runnerEndpoints(parts),
    ...validationEndpoints(parts),
  };
  const open: OpenEndpoints = {
    ...schemaEndpoints(),
    ...artifactLinkEndpoints(parts),
    ...conversationLinkEndpoints(parts),
    ...(parts.config.publicValidate === "on" ? openValidation(parts) : {}),
  };
  const router = express.Router();
  router.use(keptByNoCache);
  const methods = new Map<string, string[]>();
  for (const placed of listOperations()) {
    // What is a path itself may go through its slashes as they are.
    const path = placed.path.replace(/\{path\}$/, "*path").replace(/\{(\w+)\}/g, ":$1");
    router[placed.method](path, handlerOf(placed, { endpoints, open }, parts));
    methods.set(path, [...(methods.get(path) ?? []), placed.method.toUpperCase()]);
  }
  for (const [path, allowed] of methods) router.all(path, refuseMethod(allowed));
  return router;
}

/**
 * A tag says of what a change is made, and the same one can stand beside other facts: a webhook gets its secret, and its file
 * is as it was. A browser that kept the answer would show what was.
 */
function keptByNoCache(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader("cache-control", "no-store");
  next();
}

/** What is described as open needs no key; everything else does, unless the settings open it: then a key is taken still. */
function handlerOf(
  placed: PlacedOperation,
  { endpoints, open }: { endpoints: Endpoints; open: OpenEndpoints },
  parts: ApiParts,
) {
  const { operationId, security } = placed.operation;
  const endpoint = endpoints[operationId];
  const openEndpoint = open[operationId];
  if (security?.length === 0 && openEndpoint) return openHandler(placed, openEndpoint, parts);
  if (security === undefined && endpoint && openEndpoint) {
    const [withKey, without] = [handler(placed, endpoint, parts), openHandler(placed, openEndpoint, parts)];
    return (request: Request, response: Response) =>
      carriesCredential(request, parts) ? withKey(request, response) : without(request, response);
  }
  if (security === undefined && endpoint) return handler(placed, endpoint, parts);
  throw new Error(`the API describes ${operationId}, and nothing does it`);
}

/** One request: who calls, whether the caller may, whether its form is right, and then what it asks for. */
function handler(
  placed: PlacedOperation,
  endpoint: Endpoint,
  parts: AuthorizeParts & AuditedParts & Pick<OpenParts, "readBody">,
) {
  const check = requestCheck(placed.operation);
  const carryOut = audited(placed, endpoint, parts);
  return async (request: Request, response: Response): Promise<void> => {
    const caller = await authenticateCaller(request, parts);
    const admit = async (): Promise<ApiRequest> => {
      requireRole(caller, endpoint.role, { toRunToken: endpoint.runToken ?? false });
      return {
        operation: placed.operation.operationId,
        caller,
        path: pathParameters(request),
        query: check.query(request.query),
        // Nobody who may not makes the server hold a body.
        body: check.body(await parts.readBody(request, endpoint.largestBody)),
        http: { request, response, isAdmitted: () => isStillAdmitted(caller, request, parts) },
      };
    };
    sendReply(response, await carryOut({ caller, request, response, admit }));
  };
}

/** A parameter that goes through slashes comes in pieces. */
function pathParameters({ params }: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join("/") : value]),
  );
}

function refuseMethod(allowed: readonly string[]) {
  return (request: Request, response: Response): void => {
    response.setHeader("allow", allowed.join(", "));
    throw new MillraceError(
      "method_not_allowed",
      `${request.method} is not allowed here; ${allowed.join(" and ")} is.`,
    );
  };
}
