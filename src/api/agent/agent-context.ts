import type { Models } from "../../client/typed-paths.ts";
import { mayStart } from "../../definitions/start-grant.ts";
import { MillraceError } from "../../errors/error.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { familyOf } from "../../runs/rules/agent-report.ts";
import { EVENT_PAYLOAD, joinedPayloadName } from "../../runs/rules/workspace-names.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { findRun } from "../runs/find-run.ts";
import { webhooksOf } from "../webhooks/webhooks.ts";

export interface AgentContextDeps {
  runs: Pick<RunStore, "find" | "findAttachment" | "findRunDelivery">;
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
  const found = await findRun(request, deps);
  const { delivery_id: asked } = request.query;
  const given = asked === undefined ? await newestOf(found, deps) : await namedOf(found, asked, deps);
  const { run, id, receivedAt } = given;
  const delivery = await deps.deliveries.find(id);
  const payload = await payloadOf(given, deps);
  if (!payload) {
    throw new MillraceError("resource_not_found", `The payload of the delivery ${id} was deleted.`);
  }
  const factory = run.factoryUid === null ? undefined : deps.factories.find(run.factoryUid);
  // What the run says of its delivery, it says of the newest.
  const isNewest = id === run.deliveryId;
  const webhookUid = delivery?.webhookUid ?? (isNewest ? run.webhookUid : undefined);
  const webhook = factory && webhooksOf(factory).find(({ uid }) => uid === webhookUid);
  const view = {
    delivery_id: id,
    webhook: webhook?.name ?? null,
    event: delivery?.event ?? (isNewest ? run.execution.event : undefined) ?? null,
    received_at: delivery?.time ?? receivedAt,
    ...(delivery?.sender ? { headers: delivery.sender.headers } : {}),
  };
  const text = Buffer.from(payload).toString("utf8");
  return { jsonText: `${JSON.stringify(view).slice(0, -1)},"payload":${text}}` };
}

/** A delivery, and the run that it is one of. */
interface GivenDelivery {
  run: Run;
  id: string;
  receivedAt: string;
  /** Its place among those of the run; nothing where the run has no more than this one. */
  position?: number;
}

/** The run itself, or the one that its family began with: that of the two which has a delivery. */
async function newestOf(run: Run, deps: AgentContextDeps): Promise<GivenDelivery> {
  const of = run.deliveryId === null ? await rootOf(run, deps) : run;
  const given = of && of.deliveryId !== null ? await givenTo(of, of.deliveryId, deps) : undefined;
  if (given) return given;
  throw new MillraceError("resource_not_found", `No delivery started run ${run.id} or its family.`, {
    remedy: "What the run is about is in its prompt.",
  });
}

/** A delivery of the run or of the one that its family began with, and no other: others are of no concern to its agent. */
async function namedOf(run: Run, asked: string, deps: AgentContextDeps): Promise<GivenDelivery> {
  const id = asked.toLowerCase();
  const root = await rootOf(run, deps);
  const given = (await givenTo(run, id, deps)) ?? (root && (await givenTo(root, id, deps)));
  if (given) return given;
  const message = `Run ${run.id} and the run that its family began with have no delivery ${JSON.stringify(asked)}.`;
  throw new MillraceError("resource_not_found", message, {
    remedy:
      "If a run has several deliveries, its prompt lists them, and the folder event-payloads/ has them.",
  });
}

/** With a key, somebody can start a run of another factory in a family, which must not read what came to this one. */
async function rootOf(run: Run, { runs }: Pick<AgentContextDeps, "runs">): Promise<Run | undefined> {
  const root = await runs.find(familyOf(run));
  return root?.factoryUid === run.factoryUid ? root : undefined;
}

async function givenTo(
  run: Run,
  id: string,
  { runs }: Pick<AgentContextDeps, "runs">,
): Promise<GivenDelivery | undefined> {
  const given = await runs.findRunDelivery(run.id, id);
  if (given) return { run, id, receivedAt: given.at, position: given.position };
  return run.deliveryId === id ? { run, id, receivedAt: run.createdAt } : undefined;
}

/** A run keeps the bodies that it was given after the deliveries have left the log. */
async function payloadOf({ run, id, position }: GivenDelivery, { deliveries, runs }: AgentContextDeps) {
  const stored = await deliveries.findPayload(id);
  if (stored) return stored;
  const joined =
    position === undefined ? undefined : await runs.findAttachment(run.id, joinedPayloadName(position, id));
  if (joined || id !== run.deliveryId) return joined?.content;
  return (await runs.findAttachment(run.id, EVENT_PAYLOAD))?.content;
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
    name,
    type,
    description,
    may_start: mayStart(starts, name),
  }));
}
