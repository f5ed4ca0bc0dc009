import { expect, test } from "vitest";
import { objectSchemas, type Schema } from "../../given/object-schemas.ts";

/** Objects whose members are not ours to say, with whose they are. */
const OPEN: Readonly<Record<string, string>> = {
  "AmbientAgentConfig.experimental": "the public API leaves it open",
  "AmbientAgentConfig.inference_providers": "each provider has settings of its own",
  "AutomationTrigger.filter": "as its author has written it",
  "AutomationTrigger.payload": "as its author has written it",
  "Delivery.payload": "as its sender has sent it",
  "FactoryFileSchemas.documents.*": "a JSON Schema",
  "FactoryDetails.agent_defaults.mcp_servers": "the public API leaves it open",
  "Outbound.filter": "as its author has written it",
  "OutboundDeliveryWithBody.body": "as its receiver gets it, with a resource of any kind",
  "OutboundExplanation.body": "as its receiver gets it, with a resource of any kind",
  "RunDelivery.payload": "as its sender has sent it",
  "TestDelivery.answer": "the ingress has answered it",
  getFactoryFileSchema: "a JSON Schema",
  getPayload: "as its sender has sent it",
};

function isClosed({ additionalProperties: others, unevaluatedProperties }: Schema): boolean {
  return others === false || typeof others === "object" || unevaluatedProperties === false;
}

test("every object of an answer has the members that are described and no others, but for those named here", () => {
  const open = [...objectSchemas()].filter(([, schema]) => !isClosed(schema)).map(([name]) => name);
  expect(open.sort()).toEqual(Object.keys(OPEN).sort());
});

test("every member that has to be there is described", () => {
  const undescribed = [...objectSchemas()].flatMap(([name, { required = [], properties = {} }]) =>
    required.filter((key) => !(key in properties)).map((key) => `${name}.${key}`),
  );
  expect(undescribed).toEqual([]);
});
