import { answers, json, type Paths, pathParameter, queryParameter, ref } from "../http/operation.ts";

/** Deliveries as tests of automations. */
export const deliveryTestPaths: Paths = {
  "/factories/{factory}/deliveries/{delivery_id}/test": {
    get: {
      operationId: "makeDeliveryTest",
      "x-required-role": "viewer",
      summary: "Get a delivery as the file of a test of an automation, without writing anything",
      tags: ["deliveries"],
      parameters: [
        pathParameter("factory", "The name or UID of the factory."),
        pathParameter("delivery_id", "The id of the delivery."),
        {
          ...queryParameter("automation", "The name of the automation that the test is for.", {
            type: "string",
            minLength: 1,
            maxLength: 200,
          }),
          required: true,
        },
        queryParameter("name", "The name of the file, without .yaml.", {
          type: "string",
          pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$",
          default: "delivery",
        }),
      ],
      responses: answers({ 200: json("The file.", ref("DeliveryTest")) }),
    },
  },
};

export const deliveryTestModels = {
  DeliveryTest: {
    type: "object",
    additionalProperties: false,
    required: ["path", "content", "fires"],
    properties: {
      path: { type: "string", description: "The path of the file in the definition." },
      content: {
        type: "string",
        description:
          "The file. It contains the whole payload, and no header except the value of X-GitHub-Event.",
      },
      fires: {
        type: "boolean",
        description: "Whether the delivery starts a run of the automation under the active definition.",
      },
    },
  },
} as const;
