import { instant, optionalInstant, optionalText } from "../http/shapes.ts";

export const previousSecretModels = {
  PreviousSecret: {
    type: "object",
    additionalProperties: false,
    required: ["until", "last_used_at", "senders"],
    properties: {
      until: { ...instant, description: "When the webhook stops accepting it." },
      last_used_at: {
        ...optionalInstant,
        description: "When the last delivery arrived that was authenticated with it.",
      },
      senders: {
        type: "array",
        description: "Who used it in the last 500 such deliveries, the last one first. At most 20.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["address", "user_agent", "deliveries", "last_delivery_at"],
          properties: {
            address: optionalText,
            user_agent: optionalText,
            deliveries: { type: "integer", minimum: 1 },
            last_delivery_at: instant,
          },
        },
      },
    },
  },
} as const;
