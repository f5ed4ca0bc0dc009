import type { Models } from "../../client/typed-paths.ts";
import { mayStart } from "../../definitions/start-grant.ts";
import { MillraceError } from "../../errors/error.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { familyOf } from "../../runs/rules/agent-report.ts";
import { EVENT_PAYLOAD } from "../../runs/rules/event-payload.ts";
import type { Run, RunStore } from "../../runs/run.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { findRun } from "../runs/find-run.ts";
import { webhooksOf } from "../webhooks/webhooks.ts";

export interface AgentContextDeps {
  runs: Pick<RunStore, "find" | "findAttachment">;
  deliveries: Pick<DeliveryStore, "find" | "findPayload">;
  factories: Pick<Factories, "find">;
}

/** What an agent asks for to know what it works on, and with whom. */
export function agentContextEndpoints(deps: AgentContextDeps) {
  return {
    getRunDelivery: { handle: (request) => getRunDelivery(request, deps) },
    listRunAgents: {
      handle: async (request) => ({ json: { agents: runAgents(await findRun(request, deps), deps) } }),
    },
  } satisfies Endpoints;
}

/** The payload is JSON already, and goes in as the text that it is: parsing it would change its numbers. */
async function getRunDelivery(request: ApiRequest<"getRunDelivery">, deps: AgentContextDeps) {
  const run = await startedByDelivery(await findRun(request, deps), deps);
  const { deliveryId: id, factoryUid } = run;
  const [delivery, stored] = await Promise.all([deps.deliveries.find(id), deps.deliveries.findPayload(id)]);
  // The run keeps the body that it was given after the delivery has left the log.
  const payload = stored ?? (await deps.runs.findAttachment(run.id, EVENT_PAYLOAD))?.content;
  if (!payload) {
    throw new MillraceError("resource_not_found", `The payload of the delivery ${id} was deleted.`);
  }
  const factory = factoryUid === null ? undefined : deps.factories.find(factoryUid);
  const webhook = factory && webhooksOf(factory).find(({ uid }) => uid === run.webhookUid);
  const view = {
    delivery_id: id,
    webhook: webhook?.name ?? null,
    event: delivery?.event ?? run.execution.event ?? null,
    received_at: delivery?.time ?? run.createdAt,
    ...(delivery?.sender ? { headers: delivery.sender.headers } : {}),
  };
  const text = Buffer.from(payload).toString("utf8");
  return { jsonText: `${JSON.stringify(view).slice(0, -1)},"payload":${text}}` };
}

/**
 * The run itself, or the one that its family began with: that of the two which a delivery has started. With a key, somebody
 * can start a run of another factory in a family, which must not read what came to this one.
 */
async function startedByDelivery(
  run: Run,
  { runs }: Pick<AgentContextDeps, "runs">,
): Promise<Run & { deliveryId: string }> {
  const root = run.deliveryId === null ? await runs.find(familyOf(run)) : run;
  if (root && root.deliveryId !== null && root.factoryUid === run.factoryUid)
    return { ...root, deliveryId: root.deliveryId };
  throw new MillraceError("resource_not_found", `No delivery started run ${run.id} or its family.`, {
    remedy: "What the run is about is in its prompt.",
  });
}

/** The agents that the factory of a run has now, and which of them its grant names. */
function runAgents(
  { factoryUid, execution }: Run,
  { factories }: Pick<AgentContextDeps, "factories">,
): Models["RunAgents"]["agents"] {
  const { starts } = execution;
  const active = factoryUid === null ? undefined : factories.find(factoryUid)?.active;
  const agents = active?.definition.agents ?? [];
  return agents.map(({ name, type, description = "" }) => ({
    ...{ name, type, description },
    may_start: mayStart(starts, name),
  }));
}
