import { expect, test } from "vitest";
import type { Definition } from "../../src/definitions/definition.ts";
import type { ActiveDefinition } from "../../src/reconcile/active-definition.ts";
import { webhookSecretsOf } from "../../src/reconcile/active-definition.ts";

const factory = (uid: string, webhook: string, outbound: string) => ({
  record: { uid },
  active: {
    definition: {
      webhooks: [{ secretName: webhook }],
      outbound: [{ secretName: outbound }],
    } as unknown as Definition,
  } as ActiveDefinition,
});

test("an outbound webhook keeps its secret from the agents of its own factory, and takes none from those of others", () => {
  const factories = [factory("a", "IN_A", "OUT_A"), factory("b", "IN_B", "OUT_B")];
  expect([...webhookSecretsOf(factories, { factory: "a" })].sort()).toEqual(["IN_A", "IN_B", "OUT_A"]);
  expect([...webhookSecretsOf(factories, { factory: null })].sort()).toEqual(["IN_A", "IN_B"]);
  expect([...webhookSecretsOf(factories)].sort()).toEqual(["IN_A", "IN_B", "OUT_A", "OUT_B"]);
});
