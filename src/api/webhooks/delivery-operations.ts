import { OUTCOMES } from "../../ingress/delivery.ts";
import {
  answers,
  json,
  type Parameter,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "../http/operation.ts";

const name = { type: "string", minLength: 1, maxLength: 1_000 };
/** RFC 3339; without an offset it is UTC. */
const instant = {
  type: "string",
  format: "instant",
  description:
    "A time such as 2026-01-31T12:00:00Z, or a date such as 2026-01-31, which means its start in UTC.",
};

/** What deliveries can be filtered by, whichever list they are in. */
const filters: Parameter[] = [
  queryParameter("outcome", "Only deliveries with one of these outcomes. Repeat the parameter for several.", {
    type: "array",
    items: { type: "string", enum: [...OUTCOMES] },
    minItems: 1,
    maxItems: OUTCOMES.length,
  }),
  queryParameter("since", "Only deliveries received at or after this time.", instant),
  queryParameter("until", "Only deliveries received before this time.", instant),
  queryParameter(
    "started",
    "true: only deliveries that started runs which still exist. false: only deliveries that did not.",
    { type: "boolean" },
  ),
];

const page =
  "A page of deliveries. It can contain fewer deliveries than the limit, or none, while has_next_page is true.";

/** The lists of deliveries. */
export const deliveryPaths: Paths = {
  "/deliveries": {
    get: {
      operationId: "listAllDeliveries",
      "x-required-role": "viewer",
      summary: "List the deliveries of all webhooks, including deleted ones, newest first",
      tags: ["deliveries"],
      parameters: [
        queryParameter("factory", "Only deliveries to this factory, given by name or UID.", name),
        queryParameter(
          "webhook",
          "Only deliveries to webhooks with this name or UID, including deleted webhooks.",
          name,
        ),
        ...filters,
        ...pageParameters,
      ],
      responses: answers({ 200: json(page, ref("DeliveryList")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/deliveries": {
    get: {
      operationId: "listDeliveries",
      "x-required-role": "viewer",
      summary: "List the recent deliveries of a webhook, newest first",
      tags: ["deliveries"],
      parameters: [
        pathParameter("factory", "The name or UID of the factory."),
        pathParameter("uid", "The UID of the webhook."),
        ...filters,
        ...pageParameters,
      ],
      responses: answers({ 200: json(page, ref("DeliveryList")) }),
    },
  },
};
