import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { checkPayload } from "../../ingress/explain.ts";
import {
  boundedBody,
  type ChangeEvent,
  type EventResources,
  eventBody,
} from "../../outbound-webhooks/outbound-event.ts";
import { namedFactory } from "../../outbound-webhooks/read-events.ts";
import type { OutboundTarget } from "../../outbound-webhooks/target.ts";
import type { NamedFactory } from "../../outbox/target.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { type AnyRequest, findOutbound, type OutboundApiDeps } from "./outbound.ts";
import { outboundView } from "./outbound-view.ts";

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
