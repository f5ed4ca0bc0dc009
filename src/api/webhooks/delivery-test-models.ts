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
