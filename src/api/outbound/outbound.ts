import { MillraceError } from "../../errors/error.ts";
import type { OutboundMessage, OutboundStore } from "../../outbound-webhooks/outbound-event.ts";
import type { OutboundSender } from "../../outbound-webhooks/start-outbound.ts";
import type { OutboundTarget } from "../../outbound-webhooks/target.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { findFactory } from "../factories/factories.ts";
import type { Cursors } from "../http/cursor.ts";
import {
  type ApiRequest,
  type Called,
  type Endpoints,
  type OperationId,
  unlimitedKeyOf,
} from "../http/endpoint.ts";
import { cutPage, pageOf } from "../http/page.ts";
import { outboundDeliveryView, outboundView } from "./outbound-view.ts";

export interface OutboundApiDeps {
  outbound: Pick<OutboundStore, "listHeads" | "find" | "listStandings" | "sendAgain">;
  outboundSender: Pick<OutboundSender, "targets" | "test" | "wake" | "secretChanged" | "whyUnsigned">;
  factories: Factories;
  cursors: Cursors;
  now: () => Date;
}

/** A request of an operation for the settings, or of the same one for a factory, whose path has more. */
export type AnyRequest<Id extends OperationId> = Omit<ApiRequest<Id>, "operation"> & {
  operation: OperationId;
};

/** A request about outbound webhooks: of a factory, or else of the settings. */
type Place = Called & { path: object };

/** Outbound webhooks, what they have sent and what waits, and sending it again. */
export function outboundEndpoints(deps: OutboundApiDeps) {
  const { outbound, outboundSender, cursors, now } = deps;

  async function list(request: AnyRequest<"listServerOutbound">) {
    const { items, pageInfo } = pageOf(targetsAt(request, deps), ({ name }) => name, request, cursors);
    const standings = await outbound.listStandings(items.map(({ id }) => id));
    const views = items.map((target, index) => outboundView(target, standings[index], now()));
    return { json: { outbound: views, page_info: pageInfo } };
  }

  async function get(request: AnyRequest<"getServerOutbound">) {
    const target = findOutbound(request, deps);
    const [standing] = await outbound.listStandings([target.id]);
    return { json: outboundView(target, standing, now()) };
  }

  async function listDeliveries(request: AnyRequest<"listServerOutboundDeliveries">) {
    const { limit, cursor, state, event } = request.query;
    const target = findOutbound(request, deps).id;
    const scope = { list: "outbound", target, state: state?.join(), event: event?.join() };
    const [before] = cursor ? cursors.decode(scope, cursor, 1) : [];
    const found = await outbound.listHeads({
      limit: limit + 1,
      target,
      ...(before === undefined ? {} : { before }),
      ...(state === undefined ? {} : { states: state }),
      ...(event === undefined ? {} : { events: event }),
    });
    const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(scope, [last.id]));
    return { json: { deliveries: items.map(outboundDeliveryView), page_info: pageInfo } };
  }

  async function getDelivery(request: AnyRequest<"getServerOutboundDelivery">) {
    const message = await findMessage(request);
    return { json: { ...outboundDeliveryView(message), body: { ...message.content } } };
  }

  async function redeliver(request: AnyRequest<"redeliverServerOutbound">) {
    const target = requireEnabled(findOutbound(request, deps));
    const { id } = await findMessage(request);
    if (!(await outbound.sendAgain(id, now().toISOString()))) throw noDelivery(target, id);
    outboundSender.wake(target.id);
    return { json: outboundDeliveryView(await findMessage(request)) };
  }

  async function test(request: AnyRequest<"testServerOutbound">) {
    const target = requireEnabled(findOutbound(request, deps));
    return { json: outboundDeliveryView(await outboundSender.test(target)) };
  }

  async function findMessage(
    request: Place & { path: { name: string; id: string } },
  ): Promise<OutboundMessage> {
    const target = findOutbound(request, deps);
    const message = await outbound.find(request.path.id);
    if (message?.target === target.id) return message;
    throw noDelivery(target, request.path.id);
  }

  return {
    listOutbound: { handle: list },
    listServerOutbound: { handle: list },
    getOutbound: { handle: get },
    getServerOutbound: { handle: get },
    listOutboundDeliveries: { handle: listDeliveries },
    listServerOutboundDeliveries: { handle: listDeliveries },
    getOutboundDelivery: { handle: getDelivery },
    getServerOutboundDelivery: { handle: getDelivery },
    redeliverOutbound: { handle: redeliver },
    redeliverServerOutbound: { handle: redeliver },
    testOutbound: { handle: test },
    testServerOutbound: { handle: test },
  } satisfies Endpoints;
}

/** The outbound webhooks of the factory that the path names, else those of the settings. @throws MillraceError */
function targetsAt(
  request: Place,
  { outboundSender, factories }: Pick<OutboundApiDeps, "outboundSender" | "factories">,
): OutboundTarget[] {
  const { caller, path } = request;
  if (!("factory" in path)) {
    unlimitedKeyOf(request);
    return outboundSender.targets().filter(({ owner }) => owner === null);
  }
  const { uid } = findFactory({ caller, path: { factory: String(path.factory) } }, factories).record;
  return outboundSender.targets().filter(({ owner }) => owner?.uid === uid);
}

/** The outbound webhook that the path names. @throws MillraceError `resource_not_found` */
export function findOutbound(
  request: Place & { path: { name: string } },
  deps: Pick<OutboundApiDeps, "outboundSender" | "factories">,
): OutboundTarget {
  const { name } = request.path;
  const found = targetsAt(request, deps).find((target) => target.name === name);
  if (found) return found;
  throw new MillraceError("resource_not_found", `There is no outbound webhook ${JSON.stringify(name)}.`, {
    remedy:
      "`millrace outbound list` shows the outbound webhooks of a factory, and those of the settings with --server-wide.",
  });
}

function requireEnabled(target: OutboundTarget): OutboundTarget {
  if (target.isEnabled) return target;
  throw new MillraceError(
    "conflict",
    `The outbound webhook "${target.name}" is disabled, so nothing is sent.`,
    { remedy: "Set enabled: true where it is defined, and try again.", retryable: false },
  );
}

function noDelivery({ name }: OutboundTarget, id: string): MillraceError {
  return new MillraceError(
    "resource_not_found",
    `The outbound webhook "${name}" has no delivery ${JSON.stringify(id)}.`,
    {
      remedy: `\`millrace outbound deliveries ${name}\` shows its deliveries.`,
    },
  );
}
