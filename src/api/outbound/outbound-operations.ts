import { OUTBOUND_EVENTS } from "../../config/outbound-events.ts";
import { OUTBOX_STATES } from "../../outbox/outbox.ts";
import type { OperationId } from "../http/endpoint.ts";
import {
  answers,
  body,
  json,
  type Parameter,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
  secretIdempotencyKey,
} from "../http/operation.ts";

const factory = pathParameter("factory", "The name or uid of the factory.");
const name = pathParameter("name", "The name of the outbound webhook.");
const id = pathParameter("id", "The id of the delivery.");
const severalOf = (values: readonly string[]) => ({
  type: "array",
  items: { type: "string", enum: values },
  maxItems: 20,
});

/** The ids of the operations that outbound webhooks of factories and of the settings have in common. */
interface Ids {
  list: OperationId;
  get: OperationId;
  listDeliveries: OperationId;
  getDelivery: OperationId;
  redeliver: OperationId;
  test: OperationId;
  explain: OperationId;
}

const OF_FACTORY = {
  list: "listOutbound",
  get: "getOutbound",
  listDeliveries: "listOutboundDeliveries",
  getDelivery: "getOutboundDelivery",
  redeliver: "redeliverOutbound",
  test: "testOutbound",
  explain: "explainOutbound",
} as const satisfies Ids;

const OF_SERVER = {
  list: "listServerOutbound",
  get: "getServerOutbound",
  listDeliveries: "listServerOutboundDeliveries",
  getDelivery: "getServerOutboundDelivery",
  redeliver: "redeliverServerOutbound",
  test: "testServerOutbound",
  explain: "explainServerOutbound",
} as const satisfies Ids;

const tags = ["outbound webhooks"];

function pathsAt(prefix: string, of: string, ids: Ids, parameters: Parameter[]): Paths {
  const named = [...parameters, name];
  return {
    [prefix]: {
      get: {
        operationId: ids.list,
        "x-required-role": "viewer",
        summary: `List the outbound webhooks of ${of}`,
        tags,
        parameters: [...parameters, ...pageParameters],
        responses: answers({ 200: json("A page of outbound webhooks.", ref("OutboundList")) }),
      },
    },
    [`${prefix}/{name}`]: {
      get: {
        operationId: ids.get,
        "x-required-role": "viewer",
        summary: `Get an outbound webhook of ${of}`,
        tags,
        parameters: named,
        responses: answers({ 200: json("The outbound webhook.", ref("Outbound")) }),
      },
    },
    [`${prefix}/{name}/deliveries`]: {
      get: {
        operationId: ids.listDeliveries,
        "x-required-role": "viewer",
        summary: `List the deliveries of an outbound webhook of ${of}, newest first`,
        tags,
        parameters: [
          ...named,
          queryParameter("state", "Only deliveries in one of these states.", severalOf(OUTBOX_STATES)),
          queryParameter(
            "event",
            "Only deliveries of one of these events.",
            severalOf([...OUTBOUND_EVENTS, "test"]),
          ),
          ...pageParameters,
        ],
        responses: answers({ 200: json("A page of deliveries.", ref("OutboundDeliveryList")) }),
      },
    },
    [`${prefix}/{name}/deliveries/{id}`]: {
      get: {
        operationId: ids.getDelivery,
        "x-required-role": "viewer",
        summary: `Get a delivery of an outbound webhook of ${of}, with its body`,
        tags,
        parameters: [...named, id],
        responses: answers({ 200: json("The delivery.", ref("OutboundDeliveryWithBody")) }),
      },
    },
    [`${prefix}/{name}/deliveries/{id}/redeliver`]: {
      post: {
        operationId: ids.redeliver,
        "x-required-role": "operator",
        summary: `Send a delivery of an outbound webhook of ${of} again, with the same webhook-id and body`,
        tags,
        parameters: [...named, id],
        responses: answers({ 200: json("The delivery, which waits to be sent.", ref("OutboundDelivery")) }),
      },
    },
    [`${prefix}/{name}/test`]: {
      post: {
        operationId: ids.test,
        "x-required-role": "operator",
        summary: `Send a test event to an outbound webhook of ${of}`,
        tags,
        parameters: named,
        responses: answers({
          200: json("The delivery. Its state is sent or failed.", ref("OutboundDelivery")),
        }),
      },
    },
    [`${prefix}/{name}/explain`]: {
      post: {
        operationId: ids.explain,
        "x-required-role": "viewer",
        summary: `Explain whether an outbound webhook of ${of} sends an event, and show its body`,
        tags,
        parameters: named,
        requestBody: body(ref("OutboundQuestion")),
        responses: answers({ 200: json("What would be sent now, and why.", ref("OutboundExplanation")) }),
      },
    },
  };
}

export const outboundPaths: Paths = {
  ...pathsAt("/factories/{factory}/outbound", "a factory", OF_FACTORY, [factory]),
  ...pathsAt("/outbound", "the settings", OF_SERVER, []),
  "/factories/{factory}/outbound/{name}/rotate-secret": {
    post: {
      operationId: "rotateOutboundSecret",
      "x-required-role": "admin",
      summary: "Generate a new signing secret for an outbound webhook; it is shown once",
      tags,
      parameters: [factory, name, secretIdempotencyKey],
      responses: answers({ 200: json("The secret.", ref("OutboundSecret")) }),
    },
  },
};
