import { OUTCOMES } from "../../ingress/delivery.ts";
import { LIST_LAG_HEADER } from "../http/list-lag.ts";
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
import { writtenInstant } from "../http/shapes.ts";

const name = { type: "string", minLength: 1, maxLength: 1_000 };

/** What deliveries can be filtered by, whichever list they are in. */
const filters: Parameter[] = [
  queryParameter("outcome", "Only deliveries with one of these outcomes. Repeat the parameter for several.", {
    type: "array",
    items: { type: "string", enum: [...OUTCOMES] },
    minItems: 1,
    maxItems: OUTCOMES.length,
  }),
  queryParameter("since", "Only deliveries received at or after this time.", writtenInstant),
  queryParameter("until", "Only deliveries received before this time.", writtenInstant),
  queryParameter(
    "started",
    "true: only deliveries that started runs which still exist. false: only deliveries that did not.",
    { type: "boolean" },
  ),
  queryParameter(
    "failed",
    "true: only deliveries with a run that failed. false: only deliveries without one.",
    {
      type: "boolean",
    },
  ),
  queryParameter(
    "event",
    "Only deliveries of this event, as named by the provider's header or by the payload, for example `issues`. Case is ignored.",
    { type: "string", minLength: 1, maxLength: 200 },
  ),
  queryParameter(
    "q",
    "Only deliveries that contain all of these words, in any order: in the payload, the event, the delivery ID, the identity or the reason of a refusal. A word that ends with * matches all words that begin with it. Case and accents are ignored.",
    { type: "string", minLength: 1, maxLength: 200 },
  ),
];

const page =
  "A page of deliveries. It can contain fewer deliveries than the limit, or none, while has_next_page is true.";

const searchable = {
  ...LIST_LAG_HEADER,
  "Millrace-Searchable-From": {
    description:
      "After an upgrade, older deliveries are made searchable in the background. Those received before this time cannot be found with q or event yet. The header is missing if all can be found.",
    schema: { type: "string", format: "date-time" },
  },
} as const;

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
      responses: answers({ 200: { ...json(page, ref("DeliveryList")), headers: searchable } }),
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
      responses: answers({ 200: { ...json(page, ref("DeliveryList")), headers: searchable } }),
    },
  },
};
