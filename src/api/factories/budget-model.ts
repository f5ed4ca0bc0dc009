import { optionalInstant } from "../http/shapes.ts";

const usd = { type: "number", description: "In US dollars." };

/** A budget of a definition, under the names that it has there. */
export const budgetModel = {
  type: "object",
  additionalProperties: false,
  description: "What its runs may use, and what they have used in the last 24 hours.",
  required: ["onExhausted", "used", "opens_at"],
  properties: {
    usdPerRun: usd,
    usdPerDay: usd,
    tokensPerRun: { type: "integer" },
    runsPerDay: { type: "integer" },
    onExhausted: { type: "string", enum: ["wait", "skip"] },
    used: {
      type: "object",
      additionalProperties: false,
      required: ["usdPerDay", "runsPerDay"],
      properties: {
        usdPerDay: { type: "number", description: "In US dollars, as far as the costs are known." },
        runsPerDay: { type: "integer", minimum: 0, description: "The runs that have started." },
      },
    },
    opens_at: {
      ...optionalInstant,
      description:
        "While a limit for a day is used up: when runs can start again, if none uses more until then.",
    },
  },
} as const;
