import type { Endpoints } from "../http/endpoint.ts";
import { type AgentContextDeps, agentContextEndpoints } from "./agent-context.ts";
import { type ArtifactReportDeps, artifactReportEndpoints } from "./artifact-reports.ts";
import { type IdentityTokenDeps, identityTokenEndpoints } from "./identity-tokens.ts";
import { type NoteDeps, noteEndpoints } from "./notes.ts";
import { type RunReportDeps, runReportEndpoints } from "./run-reports.ts";

export type AgentEndpointDeps = RunReportDeps &
  ArtifactReportDeps &
  NoteDeps &
  AgentContextDeps &
  IdentityTokenDeps;

/** What the agent of a run reports of it, and asks for, with the token of that run. */
export function agentEndpoints(deps: AgentEndpointDeps) {
  return {
    ...runReportEndpoints(deps),
    ...artifactReportEndpoints(deps),
    ...noteEndpoints(deps),
    ...agentContextEndpoints(deps),
    ...identityTokenEndpoints(deps),
  } satisfies Endpoints;
}
