import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { checkPayload } from "../../ingress/explain.ts";
import {
  boundedBody,
  type ChangeEvent,
  type EventResources,
  eventBody,
  namedFactory,
} from "../../messages/outbound-events.ts";
import type { EventDetails } from "../../messages/outbox.ts";
import type { NamedFactory, OutboundTarget } from "../../messages/target.ts";
import type { ApiKey } from "../../principals/principal.ts";
import { findByUid } from "../../reconcile/factories.ts";
import type { FactoryStore } from "../../reconcile/factory.ts";
import type { Caller } from "../../runs/caller.ts";
import { runCaps } from "../../runs/caps.ts";
import { DAY_LIMITS } from "../../runs/rules/budget.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { TaskStore } from "../../runs/tasks/task.ts";
import { budgetViews, type FactoryDeps, factoryView } from "../factories/factories.ts";
import { taskItem } from "../factories/tasks.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { belongingsOf, runItem } from "../runs/run-item.ts";
import { runResources } from "../runs/run-usage.ts";
import { type DeliveryDeps, deliveryView } from "../webhooks/deliveries.ts";
import { type AnyRequest, findOutbound, type OutboundApiDeps, outboundView } from "./outbound.ts";

export interface ExplainOutboundDeps extends OutboundApiDeps {
  resources: EventResources;
}

/** Says what an outbound webhook does with an event, as it would be sent now. */
export function explainOutboundEndpoints(deps: ExplainOutboundDeps) {
  const { resources, factories, now } = deps;

  async function explain(request: AnyRequest<"explainServerOutbound">) {
    const target = findOutbound(request, deps);
    const [standing] = await deps.outbound.listStandings([target.id]);
    const event = await askedEvent(target, request.body);
    const body = await eventBody(event, { resources, factories });
    if (!body) throw subjectNotFound(event);
    const checks = checkPayload(target.pattern ? { payload: target.pattern } : {}, body);
    const receiver = outboundView(target, standing, now());
    const refusal =
      whyNotAskedFor(target, event, namedFactory(event, factories)) ??
      whyNotMatched(checks) ??
      whyUnwanted(receiver);
    return {
      json: {
        sends: refusal === undefined,
        reason: refusal ?? whyItWaits(receiver, await deps.outboundSender.whyUnsigned(target)) ?? null,
        checks,
        body: { ...boundedBody(body) },
      },
    };
  }

  async function askedEvent(
    { owner }: OutboundTarget,
    { event: type, subject = owner?.uid ?? "" }: Models["OutboundQuestion"],
  ): Promise<ChangeEvent> {
    const factoryUid = owner ? owner.uid : await resources.factoryOf({ type, subject });
    if (factoryUid === undefined) throw subjectNotFound({ type, subject });
    const isOfDefinition = type.startsWith("definition.");
    return {
      id: "",
      seq: 0,
      type,
      at: now().toISOString(),
      factoryUid,
      subject: isOfDefinition ? (factoryUid ?? "") : subject,
    };
  }

  return {
    explainOutbound: { onlyReads: true, handle: explain },
    explainServerOutbound: { onlyReads: true, handle: explain },
  } satisfies Endpoints;
}

function whyNotAskedFor(
  { name, isEnabled, events, takes, factories = [] }: OutboundTarget,
  { type }: ChangeEvent,
  factory: NamedFactory | null,
): string | undefined {
  if (!isEnabled) return `The outbound webhook "${name}" is disabled.`;
  if (!events.includes(type)) return `Its events do not include ${type}; they are ${events.join(", ")}.`;
  if (takes(factory)) return undefined;
  const whose = factory ? `of the factory "${factory.name}"` : "of a run without a factory";
  return `The event is ${whose}; only events of these factories are sent: ${factories.join(", ")}.`;
}

function whyNotMatched(checks: Models["OutboundExplanation"]["checks"]): string | undefined {
  const failed = checks.find(({ passed }) => !passed);
  return failed && `The filter does not match at ${failed.field ?? "the top level"}: ${failed.reason}.`;
}

function whyUnwanted({ name, state, factory }: Models["Outbound"]): string | undefined {
  if (state !== "stopped") return undefined;
  const where = factory === null ? " --server-wide" : "";
  return `Its receiver responded with 410 and gets nothing more. To send to it again, run \`millrace outbound test ${name}${where}\`.`;
}

function whyItWaits(
  { next_attempt_at: until }: Models["Outbound"],
  whyUnsigned: string | undefined,
): string | undefined {
  if (whyUnsigned !== undefined) return `It would wait for its secret: ${whyUnsigned}.`;
  if (until === null) return undefined;
  return `It would wait until ${until}: the circuit breaker is open, because requests to the receiver failed.`;
}

function subjectNotFound({ type, subject }: Pick<ChangeEvent, "type" | "subject">): MillraceError {
  return new MillraceError(
    "resource_not_found",
    `subject: there is nothing with the id ${JSON.stringify(subject)} that ${type} could be about.`,
    {
      remedy:
        "Send the id of a run for run events, of a delivery for delivery.refused, the uid of a task for task.moved, the uid of what has the budget for budget.reached, or the name of a factory for definition events of an outbound webhook of the settings.",
      extra: { field: "subject" },
    },
  );
}

export interface EventResourceDeps extends Pick<FactoryDeps, "factories" | "feedback" | "now"> {
  runs: Pick<
    RunStore,
    | "find"
    | "listArtifacts"
    | "listUsage"
    | "listFamilyCosts"
    | "listQuestions"
    | "listBudgetUse"
    | "listTurnWork"
  >;
  deliveries: Pick<DeliveryDeps["deliveries"], "find">;
  tasks: Pick<TaskStore, "find" | "findLastMove" | "listCurrentRuns" | "listOutputs">;
  records: Pick<FactoryStore, "list">;
  publicUrl: () => string;
}

type Found = { data: object; details?: EventDetails } | undefined;

/** Whoever can push a definition sees of a run what a viewer does. */
const AS_VIEWER: Caller = { kind: "key", key: { role: "viewer" } as ApiKey };

/** The resources that events happened to, in the shapes of the API and as they are now. */
export function eventResources(deps: EventResourceDeps): EventResources {
  const { runs, deliveries, tasks, factories, records } = deps;

  async function run({ subject: id, factoryUid }: ChangeEvent): Promise<Found> {
    const found = await runs.find(id);
    if (!found || found.factoryUid !== factoryUid) return undefined;
    const seen = factoryUid === null ? {} : { visibleTo: [factoryUid] };
    const [belongings, resources] = await Promise.all([
      belongingsOf([found], deps, seen),
      runResources(id, deps),
    ]);
    return { data: { ...runItem(found, belongings(found), deps, AS_VIEWER), ...resources } };
  }

  async function delivery({ subject, factoryUid }: ChangeEvent): Promise<Found> {
    const found = await deliveries.find(subject);
    const factory = findByUid(factoryUid, factories);
    if (!found || !factory || found.factoryUid !== factoryUid) return undefined;
    return { data: deliveryView(found, [], factory) };
  }

  async function task({ subject, factoryUid, details }: ChangeEvent): Promise<Found> {
    const found = await tasks.find(subject);
    if (found?.factoryUid !== factoryUid) return undefined;
    const moved = details ?? (await tasks.findLastMove(subject));
    return { data: await taskItem(found, { tasks }), ...(moved ? { details: moved } : {}) };
  }

  async function definition({ subject, type, details }: ChangeEvent): Promise<Found> {
    const factory = findByUid(subject, factories);
    // What was committed a moment ago may not be active yet.
    const record = (await records.list()).find(({ uid }) => uid === subject);
    if (!factory || !record) return undefined;
    const { attemptedRevision, appliedRevision } = record.sync;
    const revision = type === "definition.failed" ? attemptedRevision : appliedRevision;
    const attempted = details ?? (revision === null ? undefined : { revision });
    return {
      data: await factoryView({ record, active: factory.active }, deps),
      ...(attempted ? { details: attempted } : {}),
    };
  }

  /** @returns nothing when the definition does not have the limit any more */
  async function budget({ subject, factoryUid, details }: ChangeEvent): Promise<Found> {
    const factory = findByUid(factoryUid, factories);
    if (!factory) return undefined;
    const known = runCaps([factory]).budgets[subject];
    const limit =
      details && "limit" in details
        ? details.limit
        : (DAY_LIMITS.find((each) => known?.[each] !== undefined) ?? "");
    const data: Models["Budget"] | undefined = (await budgetViews([factory], deps)).get(subject);
    if (!known || !data || !DAY_LIMITS.some((each) => each === limit)) return undefined;
    return { data, details: { of: known.kind, uid: subject, name: known.name, limit } };
  }

  return {
    async factoryOf({ type, subject }) {
      if (type.startsWith("run.")) return (await runs.find(subject))?.factoryUid;
      if (type === "delivery.refused") return (await deliveries.find(subject))?.factoryUid;
      if (type === "task.moved") return (await tasks.find(subject))?.factoryUid;
      const ofBudget = () => factories.list().find((factory) => runCaps([factory]).budgets[subject]);
      const found = type === "budget.reached" ? ofBudget() : factories.find(subject);
      return found?.record.uid;
    },
    read(event) {
      if (event.type.startsWith("run.")) return run(event);
      if (event.type === "delivery.refused") return delivery(event);
      if (event.type === "task.moved") return task(event);
      return event.type === "budget.reached" ? budget(event) : definition(event);
    },
  };
}
