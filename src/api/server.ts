import express, { type Express, type Request, type Response, type Router } from "express";
import helmet from "helmet";
import { MillraceError } from "../errors/error.ts";
import { authenticateRecorded, type EndedTokenDeps } from "./admin/audited.ts";
import { healthRoutes } from "./admin/health.ts";
import { metricsRoute } from "./admin/metrics.ts";
import { sessionRoutes } from "./admin/session-routes.ts";
import { wellKnownRoutes } from "./admin/well-known-routes.ts";
import { API_PREFIX, listOperations, openApiRoute } from "./document.ts";
import { type ApiDeps, apiEndpoints } from "./endpoints.ts";
import { carriesCredential } from "./http/authorize.ts";
import { dashboardRoutes } from "./http/dashboard-files.ts";
import type { Endpoints, OperationId } from "./http/endpoint.ts";
import { ANSWER_HEADERS, keptByNoCache } from "./http/headers.ts";
import { type OpenDeps, type OpenEndpoints, openHandler } from "./http/open-endpoint.ts";
import type { PlacedOperation } from "./http/operation.ts";
import { refuseMethod, sendErrors, sendReply } from "./http/respond.ts";
import { textPagesRoute } from "./http/text-pages.ts";
import { refuseUnstorableUrl } from "./http/validate-request.ts";
import { mcpRoutes } from "./mcp/mcp-route.ts";
import { type CarryOut, type OperationCalls, type OperationDeps, operationCall } from "./operation-calls.ts";
import { doorRoutes } from "./workers/door-routes.ts";

/** The API with its health checks and pages. Every operation of its description has an endpoint here, and no other. */
export function createApi(deps: ApiDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(helmet(ANSWER_HEADERS));
  app.use(refuseUnstorableUrl);
  healthRoutes(app, deps);
  metricsRoute(app, deps);
  sessionRoutes(app, deps);
  textPagesRoute(app, deps);
  openApiRoute(app, deps.publicUrl);
  wellKnownRoutes(app, deps);
  app.use(API_PREFIX, apiRouter(deps));
  dashboardRoutes(app, deps.publicUrl);
  app.use(() => {
    throw new MillraceError("resource_not_found", "No resource exists at this path.");
  });
  app.use(sendErrors(deps));
  return app;
}

function apiRouter(deps: ApiDeps): Router {
  const done = apiEndpoints(deps);
  const router = express.Router();
  router.use(keptByNoCache);
  const calls: OperationCalls = new Map();
  const methods = new Map<string, string[]>();
  for (const placed of listOperations()) {
    // What is a path itself may go through its slashes as they are.
    const path = placed.path.replace(/\{path\}$/, "*path").replace(/\{(\w+)\}/g, ":$1");
    router[placed.method](path, handlerOf(placed, { ...done, calls }, deps));
    methods.set(path, [...(methods.get(path) ?? []), placed.method.toUpperCase()]);
  }
  for (const [path, allowed] of methods) router.all(path, refuseMethod(allowed));
  mcpRoutes(router, calls, deps);
  doorRoutes(router, deps);
  return router;
}

/** What is described as open needs no key; everything else does, unless the settings open it: then a key is taken still. */
function handlerOf<Id extends OperationId>(
  placed: PlacedOperation<Id>,
  { endpoints, open, calls }: { endpoints: Endpoints; open: OpenEndpoints; calls: OperationCalls },
  deps: OperationDeps & EndedTokenDeps & OpenDeps,
) {
  const { operationId, security } = placed.operation;
  const endpoint = endpoints[operationId];
  const openEndpoint = open[operationId];
  const without = openEndpoint && openHandler(placed, openEndpoint, deps);
  if (security && without) return without;
  if (!security && endpoint) {
    const carryOut = operationCall(placed, endpoint, deps);
    calls.set(operationId, { placed, carryOut });
    const withKey = handler(operationId, carryOut, deps);
    if (!without) return withKey;
    return (request: Request, response: Response) =>
      carriesCredential(request, deps) ? withKey(request, response) : without(request, response);
  }
  throw new Error(`${operationId}: the description and the handler disagree on whether a key is required`);
}

/** One request: who calls, and then what it asks for. */
function handler(
  operationId: OperationId,
  carryOut: CarryOut,
  deps: EndedTokenDeps & Pick<OpenDeps, "readBody">,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = await authenticateRecorded(request, response, operationId, deps);
    const readBody = (largest: number | undefined) => deps.readBody(request, largest);
    sendReply(response, await carryOut({ caller, request, response, readBody }));
  };
}
