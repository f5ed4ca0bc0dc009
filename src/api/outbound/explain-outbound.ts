import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { checkPayload } from "../../ingress/explain.ts";
import { boundedBody, type EventResources, eventBody } from "../../outbound-webhooks/event-body.ts";
import type { ChangeEvent } from "../../outbound-webhooks/outbound-event.ts";
import type { OutboundTarget } from "../../outbound-webhooks/target.ts";
import { findFactory } from "../factories/factories.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { findOutbound, type OutboundApiDeps } from "./outbound.ts";
import { outboundView } from "./outbound-view.ts";

export interface ExplainOutboundDeps extends OutboundApiDeps {
  resources: EventResources;
}

/** Says what an outbound webhook does with an event, as it would be sent now. */
export function explainOutboundEndpoints(deps: ExplainOutboundDeps) {
  const { resources, factories, now } = deps;
  return {
    explainOutbound: {
      onlyReads: true,
      async handle(request) {
        const target = findOutbound(request, deps);
        const [standing] = await deps.outbound.listStandings([target.id]);
        const event = askedEvent(request);
        const body = await eventBody(event, { resources, factories });
        if (!body) throw nothingThere(event);
        const checks = checkPayload(target.pattern ? { payload: target.pattern } : {}, body);
        const receiver = outboundView(target, standing, now());
        const refusal = whyNotSent(target, event, checks) ?? whyUnwanted(receiver);
        return {
          json: {
            sends: refusal === undefined,
            reason: refusal ?? whyItWaits(receiver) ?? null,
            checks,
            body: { ...boundedBody(body) },
          },
        };
      },
    },
  } satisfies Endpoints;

  function askedEvent(request: ApiRequest<"explainOutbound">): ChangeEvent {
    const { uid } = findFactory(request, factories).record;
    const { event: type, subject = uid } = request.body;
    const isOfDefinition = type.startsWith("definition.");
    return {
      id: "",
      seq: 0,
      type,
      at: now().toISOString(),
      factoryUid: uid,
      subject: isOfDefinition ? uid : subject,
    };
  }
}

function whyNotSent(
  { name, isEnabled, events }: OutboundTarget,
  { type }: ChangeEvent,
  checks: Models["OutboundExplanation"]["checks"],
): string | undefined {
  if (!isEnabled) return `The outbound webhook "${name}" is disabled.`;
  if (!events.includes(type)) return `Its events do not include ${type}; they are ${events.join(", ")}.`;
  const failed = checks.find(({ passed }) => !passed);
  return failed && `The filter does not match at ${failed.field ?? "the top level"}: ${failed.reason}.`;
}

function whyUnwanted({ name, state }: Models["Outbound"]): string | undefined {
  if (state !== "stopped") return undefined;
  return `Its receiver responded with 410 and gets nothing more. To send to it again, run \`millrace outbound test ${name}\`.`;
}

function whyItWaits({ next_attempt_at: until }: Models["Outbound"]): string | undefined {
  if (until === null) return undefined;
  return `It would wait until ${until}: the circuit breaker is open, because requests to the receiver failed.`;
}

function nothingThere({ type, subject }: ChangeEvent): MillraceError {
  return new MillraceError(
    "resource_not_found",
    `subject: the factory has nothing with the id ${JSON.stringify(subject)} that ${type} could be about.`,
    {
      remedy:
        "Send the id of a run for run events, of a delivery for delivery.refused, the uid of a task for task.moved, or the uid of what has the budget for budget.reached.",
      extra: { field: "subject" },
    },
  );
}
