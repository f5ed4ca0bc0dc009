import type { Factories } from "../../reconcile/factories.ts";
import type { IdentityStore } from "../../runs/agents/agent-identity.ts";
import type { RunSummaryStore } from "../../runs/run-query.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { MAX_COUNTED_RUNS } from "../runs/run-summary-models.ts";
import { runSummaryView } from "../runs/run-summary-view.ts";
import { definedAgents, seesIdentities } from "./defined-agents.ts";

export interface AgentActivityDeps {
  runSummaries: RunSummaryStore;
  identities: Pick<IdentityStore, "list">;
  factories: Factories;
}

/** How the runs of agents went. */
export function agentActivityEndpoints({ runSummaries, identities, factories }: AgentActivityDeps) {
  return {
    listAgentActivity: {
      async handle(request) {
        const key = keyOf(request);
        const own = seesIdentities(key) ? await identities.list() : [];
        const agents = [
          ...definedAgents(key, factories).map(({ agent, resource, factory }) => ({
            uid: resource.uid,
            name: agent.name,
            factory: factory.name,
            factory_uid: factory.uid,
          })),
          ...own.map(({ uid, name }) => ({ uid, name, factory: null, factory_uid: null })),
        ];
        const uids = agents.map(({ uid }) => uid);
        const [summaries, counts] = await Promise.all([
          runSummaries.listSummaries({ by: "agent", uids }),
          runSummaries.listRunCounts(uids, MAX_COUNTED_RUNS + 1),
        ]);
        const summaryOf = new Map(summaries.map((summary) => [summary.uid, summary]));
        return {
          json: {
            agents: agents.map((agent) => ({
              ...agent,
              ...runSummaryView(summaryOf.get(agent.uid), key),
              runs: Math.min(counts[agent.uid] ?? 0, MAX_COUNTED_RUNS),
              has_more_runs: (counts[agent.uid] ?? 0) > MAX_COUNTED_RUNS,
            })),
          },
        };
      },
    },
  } satisfies Endpoints;
}
